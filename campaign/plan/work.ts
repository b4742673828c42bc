/** What clients, payers and owners do meanwhile. A number from 0 to 1 chooses among what there is by then. */

/** One thing that somebody does, at a moment of a step in milliseconds. */
export type Work = { readonly atMs: number } & WorkKind;

export type WorkKind =
  /** A merchant asks for a payment to an address of its pool. */
  | {
      readonly kind: 'create';
      readonly amount: bigint;
      readonly confirmations: number;
      readonly expiresInSeconds: number;
    }
  /** The node's wallet pays a payment: a part of it, all, or more. */
  | { readonly kind: 'pay'; readonly which: number; readonly percent: number }
  /** Somebody else pays it all, by a transaction that the service is given to broadcast. */
  | { readonly kind: 'pay-by-broadcast'; readonly which: number; readonly by: number }
  | { readonly kind: 'cancel'; readonly which: number }
  /** A signed transaction is broadcast: a plain one, or one that carries an operation. */
  | {
      readonly kind: 'broadcast';
      readonly operation: OperationKind;
      readonly by: number;
      readonly to: number;
      readonly which: number;
      readonly amount: bigint;
    }
  /** A contributor registers and asks for an intent; the node's wallet pays it. */
  | { readonly kind: 'contribute'; readonly amount: bigint }
  /** A block is mined. */
  | { readonly kind: 'mine' };

export const operationKinds = [
  'plain',
  'proof',
  'token-create',
  'token-mint',
  'token-transfer',
  'token-burn',
  'name-commit',
  'name-register',
  'name-renew',
] as const;
export type OperationKind = (typeof operationKinds)[number];
