/** Merchants: schemas of a merchant and of its address pool. */

import Type, { type Static } from 'typebox';
import { Count, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { PaymentIdParameter, paymentLimits, ToleranceBody } from './payments.ts';

/** States of a pool address, in their only order. */
export const poolStates = ['ready', 'leased', 'retired'] as const;

/** Bounds of what a merchant says of itself. */
export const merchantLimits = { nameLength: 100, lowThreshold: 10_000 } as const;

/** Answer of GET and PATCH /merchant. */
export const MerchantView = Strict(
  {
    id: Type.String({ description: 'Identifier of the merchant.' }),
    name: Type.String({ description: 'Its name.' }),
    webhook_url: Nullable(
      Type.String({
        description: 'Receiver of events that no payment sends elsewhere; null: there is none.',
      }),
    ),
    pool: Strict({
      ready: Count('Addresses that can be leased.'),
      leased: Count('Addresses of payments that are not over.'),
      retired: Count('Addresses that were used; they are never leased again.'),
      low_threshold: Count('`pool.low` is told when fewer than these are ready.'),
    }),
    default_expires_in: Nullable(
      Count('`expires_in` of payments that do not say it; null: that of the service.'),
    ),
    default_confirmations: Nullable(
      Count('`confirmations_required` of payments that do not say it; null: those of the service.'),
    ),
    tolerance: Nullable(ToleranceBody),
    created_at: Time('When it was made.'),
  },
  { title: 'Merchant' },
);
export type MerchantJson = Static<typeof MerchantView>;

/** Body of PATCH /merchant. */
export const MerchantChangeBody = Strict(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: merchantLimits.nameLength,
        description: 'Its name.',
      }),
    ),
    webhook_url: Type.Optional(
      Nullable(
        Type.String({
          minLength: 8,
          maxLength: paymentLimits.webhookUrlLength,
          description:
            'Absolute https URL that gets the events which no payment sends elsewhere; null: none does.',
        }),
      ),
    ),
    pool: Type.Optional(
      Strict({
        low_threshold: Type.Integer({
          minimum: 0,
          maximum: merchantLimits.lowThreshold,
          description: '`pool.low` is told when fewer addresses than these are ready; 0: never.',
        }),
      }),
    ),
    default_expires_in: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: paymentLimits.expiresIn.min,
          maximum: paymentLimits.expiresIn.max,
          description: `Seconds; null: ${paymentLimits.expiresIn.default}, as the service has it.`,
        }),
      ),
    ),
    default_confirmations: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: paymentLimits.confirmations.max,
          description: `Confirmations; null: ${paymentLimits.confirmations.default}, as the service has it.`,
        }),
      ),
    ),
    tolerance: Type.Optional(Nullable(ToleranceBody)),
  },
  { title: 'MerchantChange' },
);
export type MerchantChangeJson = Static<typeof MerchantChangeBody>;

/** Kinds of addresses that can be derived. */
export const derivedScriptTypes = ['p2wpkh', 'p2tr', 'p2pkh', 'p2sh-p2wpkh'] as const;
export type DerivedScriptType = (typeof derivedScriptTypes)[number];

/** BIP-32: the first hardened index, which no public key can derive. */
const hardenedIndex = 2 ** 31;

/** Body of POST /merchant/addresses: a list of addresses, or a public key to derive them from. */
export const PoolImportBody = Strict(
  {
    addresses: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
        minItems: 1,
        maxItems: paymentLimits.importSize,
        description: 'Fresh receive addresses. Without `xpub`, `from` and `count`.',
      }),
    ),
    xpub: Type.Optional(
      Type.String({
        minLength: 100,
        maxLength: 120,
        description:
          'Extended public key of an account: xpub, ypub, zpub and what they are called on other networks. Receiving ' +
          'addresses 0/i below it are imported. A private key is refused, and should be taken as exposed then.',
      }),
    ),
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: hardenedIndex - 1,
        default: 0,
        description: 'First index i; with `xpub`.',
      }),
    ),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: paymentLimits.importSize,
        description: 'How many; needed with `xpub`.',
      }),
    ),
    script_type: Type.Optional(
      OneOf(derivedScriptTypes, {
        description:
          'Kind of the derived addresses. Unless given: what the key says (ypub: p2sh-p2wpkh, zpub: p2wpkh), or else ' +
          'p2wpkh, or p2pkh on a coin without segwit.',
      }),
    ),
  },
  { title: 'PoolImport' },
);
export type PoolImportJson = Static<typeof PoolImportBody>;

/** Why an address was not imported. */
export const importRefusals = [
  'address_invalid',
  'duplicate',
  'already_imported',
  'address_in_use',
  'address_has_history',
] as const;
export type ImportRefusal = (typeof importRefusals)[number];

/** Answer of POST /merchant/addresses. */
export const PoolImportResultView = Strict(
  {
    imported: Count('How many were imported.'),
    refused: Count('How many were not.'),
    results: Type.Array(
      Strict(
        {
          address: Type.String({ description: 'The address; as given where it is none.' }),
          path: Nullable(
            Type.String({ description: 'Derivation path below the given key; null otherwise.' }),
          ),
          result: OneOf(['imported', 'refused'], { description: 'What became of it.' }),
          code: Nullable(OneOf(importRefusals, { description: 'Why it was refused; null when it was not.' })),
          detail: Nullable(Type.String({ description: 'The same in words.' })),
        },
        { title: 'PoolImportItem' },
      ),
      { description: 'One for each address, in their order.' },
    ),
  },
  { title: 'PoolImportResult' },
);
export type PoolImportResultJson = Static<typeof PoolImportResultView>;
export type PoolImportItemJson = PoolImportResultJson['results'][number];

/** Body of POST /merchant/addresses/remove. */
export const PoolRemovalBody = Strict(
  {
    addresses: Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
      minItems: 1,
      maxItems: paymentLimits.importSize,
      description: 'Addresses of the pool that no payment has had.',
    }),
  },
  { title: 'PoolRemoval' },
);
export type PoolRemovalJson = Static<typeof PoolRemovalBody>;

/** Why an address was not removed. */
export const removalRefusals = ['not_in_pool', 'was_leased'] as const;
export type RemovalRefusal = (typeof removalRefusals)[number];

/** Answer of POST /merchant/addresses/remove. */
export const PoolRemovalResultView = Strict(
  {
    removed: Count('How many were removed.'),
    results: Type.Array(
      Strict(
        {
          address: Type.String({ description: 'The address; as given where it is none.' }),
          result: OneOf(['removed', 'refused'], { description: 'What became of it.' }),
          code: Nullable(
            OneOf(removalRefusals, { description: 'Why it was refused; null when it was not.' }),
          ),
          detail: Nullable(Type.String({ description: 'The same in words.' })),
        },
        { title: 'PoolRemovalItem' },
      ),
      { description: 'One for each address, in their order.' },
    ),
  },
  { title: 'PoolRemovalResult' },
);
export type PoolRemovalResultJson = Static<typeof PoolRemovalResultView>;

/** Query of GET /merchant/addresses. */
export const PoolListQuery = Strict({
  ...pageParameters,
  state: Type.Optional(OneOf(poolStates, { description: 'Only addresses of this state.' })),
});

/** Addresses of a merchant's pool, in the order of leasing. */
export const PoolList = Strict(
  {
    ...pageOf(
      Strict(
        {
          address: Type.String({ description: 'The address.' }),
          path: Nullable(
            Type.String({ description: 'Derivation path; null when it was given as an address.' }),
          ),
          state: OneOf(poolStates, { description: 'An address is leased once, and never again.' }),
          payment_id: Nullable(PaymentIdParameter),
          imported_at: Time('When it was imported.'),
          leased_at: Nullable(Time('When it was leased.')),
        },
        { title: 'PoolAddress' },
      ),
    ),
  },
  { title: 'PoolList' },
);
export type PoolListJson = Static<typeof PoolList>;
