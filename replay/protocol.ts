import type { Row } from './encoding.ts';
import type { Journal } from './journal.ts';
import type { Output, Transaction } from './transaction.ts';

/** A transaction in its block. */
export type Placed = { readonly tx: Transaction; readonly index: number; readonly height: number };

/** An operation whose carrier and sender are as they should be. */
export type Operation = {
  readonly payload: Uint8Array;
  readonly sender: Uint8Array;
  readonly outputs: readonly Output[];
} & Placed;

/** Names or tokens: how an operation changes the state. */
export type OperationProtocol = {
  readonly marker: Uint8Array;
  readonly activationHeight: number;
  /** Applies it and gives its event. @throws Invalid before anything was changed. */
  apply(operation: Operation): Uint8Array;
  /** The live state after a block. */
  listRows(height: number): Row[];
  /** Puts a row of a live state into one that is empty as yet. @throws Invalid */
  putRow(row: GivenRow): void;
};

/** A row of a state that somebody gives, with the script whose hash is in it. */
export type GivenRow = Row & {
  readonly script: Uint8Array | undefined;
  /** Of a token: the index, in its block, of the transaction that created it. The row does not tell. */
  readonly index: number;
};

/** Makes the protocol with an empty state, whose changes the journal keeps. */
export type CreateProtocol<Rules> = (
  rules: Rules,
  context: { readonly genesisPrefix: Uint8Array; readonly journal: Journal },
) => OperationProtocol;
