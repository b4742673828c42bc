/** The chain API: schemas of wallets that are given by their public keys. */

import Type, { type Static } from 'typebox';
import { AddressTransaction } from './chain-addresses.ts';
import { Amount, AsOf, Count, OneOf, SignedAmount, Strict } from './common.ts';
import { derivedScriptTypes } from './merchants.ts';
import { pageOf, pageParameters } from './paging.ts';

/** Bounds of `/xpub/{key}`. */
export const walletLimits = {
  gap: { default: 20, max: 100 },
  /** Addresses that are looked at on each of its chains. */
  addresses: 1_000,
} as const;

const wanted =
  'An extended public key (xpub, ypub, zpub, and those of the coin), or an output descriptor of such keys that ends in /*';
const keyLength = { minLength: 1, maxLength: 1_024 } as const;

/** Path of one wallet. */
export const WalletParams = Strict({
  key: Type.String({ ...keyLength, description: `${wanted}; percent-encoded. Never a private key.` }),
});

const walletQuery = {
  script_type: Type.Optional(
    OneOf(derivedScriptTypes, {
      description:
        'Kind of the addresses of an extended key whose version does not say it: p2wpkh unless given, p2pkh where the coin has ' +
        'no segwit. A descriptor says it by itself.',
    }),
  ),
  gap_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: walletLimits.gap.max,
      default: walletLimits.gap.default,
      description: 'Unused addresses in a row after which a chain is taken to end.',
    }),
  ),
};

/** Query of /xpub/{key}. */
export const WalletQuery = Strict(walletQuery);

/** Query of /xpub/{key}/txs. */
export const WalletTxQuery = Strict({ ...walletQuery, ...pageParameters });

const walletBody = {
  key: Type.String({ ...keyLength, description: `${wanted}. Never a private key.` }),
};

/** Body of POST /xpub. */
export const WalletBody = Strict({ ...walletBody, ...walletQuery }, { title: 'WalletRequest' });

/** Body of POST /xpub/txs. */
export const WalletTxBody = Strict(
  { ...walletBody, ...walletQuery, ...pageParameters },
  { title: 'WalletTransactionsRequest' },
);

/** Totals of all addresses of a wallet. */
export const WalletTotals = Strict(
  {
    received_count: Count('Outputs that pay the wallet, change included.'),
    received: Amount('Their sum.'),
    spent_count: Count('Of its outputs, how many were spent.'),
    spent: Amount('Their sum.'),
    balance: SignedAmount('received - spent. In the mempool it is the change to come, and may be negative.'),
  },
  { title: 'WalletTotals' },
);

const path = Type.String({
  description: 'Steps below the key that was given; below the first one, where a descriptor has several.',
});

/** An address of a wallet that was used. */
export const WalletAddressView = Strict(
  {
    address: Type.String({ description: 'The address.' }),
    path,
    balance: Amount('Confirmed balance.'),
    pending: SignedAmount('What the mempool adds to it.'),
    tx_count: Count('Transactions that touch it, those of the mempool included.'),
  },
  { title: 'WalletAddress' },
);

/** One chain of addresses of a wallet. */
export const WalletChain = Strict(
  {
    path: Type.String({ description: 'Steps below the key, with * for the index.' }),
    used_count: Count('Addresses that were ever used.'),
    next_unused: Strict(
      { address: Type.String({ description: 'The address.' }), path },
      { description: 'The first address behind the last one that was used.' },
    ),
    addresses: Type.Array(WalletAddressView, { description: 'Those that were used, in their order.' }),
  },
  { title: 'WalletChain' },
);

/** Answer of /xpub/{key}. */
export const WalletSummary = Strict(
  {
    as_of: AsOf,
    script_type: Type.String({
      description: 'p2pkh, p2sh-p2wpkh, p2wpkh, p2tr, or p2sh-multisig, p2wsh-multisig, p2sh-p2wsh-multisig.',
    }),
    gap_limit: Count('Unused addresses in a row after which a chain was taken to end.'),
    balance: Amount('Confirmed balance, immature coinbases included.'),
    confirmed: WalletTotals,
    mempool: WalletTotals,
    chains: Type.Array(WalletChain, { description: 'Receiving addresses first, then change.' }),
  },
  { title: 'WalletSummary' },
);

/** Answer of /xpub/{key}/txs. */
export const WalletTxList = Strict(
  { as_of: AsOf, ...pageOf(AddressTransaction) },
  { title: 'WalletTransactionList' },
);

export type WalletSummaryJson = Static<typeof WalletSummary>;
export type WalletTotalsJson = Static<typeof WalletTotals>;
export type WalletTxListJson = Static<typeof WalletTxList>;
