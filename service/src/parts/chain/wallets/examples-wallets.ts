import type { WalletSummaryJson, WalletTotalsJson, WalletTxListJson } from '@coinfront/api/chain-wallets.ts';
import { addressExamples, blockExamples } from '../examples-chain.ts';

/** The account key of BIP-84's test vectors. */
const key =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const as_of = { height: 174, hash: blockExamples.list.items[0]!.hash };
const none: WalletTotalsJson = {
  received_count: 0,
  received: '0.00000000',
  spent_count: 0,
  spent: '0.00000000',
  balance: '0.00000000',
};

/** Examples of /xpub/{key}. */
export const walletExamples: {
  parameters: { key: string };
  summary: WalletSummaryJson;
  txs: WalletTxListJson;
} = {
  parameters: { key },
  summary: {
    as_of,
    script_type: 'p2wpkh',
    gap_limit: 20,
    balance: '0.50000000',
    confirmed: { ...none, received_count: 1, received: '0.50000000', balance: '0.50000000' },
    mempool: none,
    chains: [
      {
        path: '0/*',
        used_count: 1,
        next_unused: { address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g', path: '0/1' },
        addresses: [
          {
            address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
            path: '0/0',
            balance: '0.50000000',
            pending: '0.00000000',
            tx_count: 1,
          },
        ],
      },
      {
        path: '1/*',
        used_count: 0,
        next_unused: { address: 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el', path: '1/0' },
        addresses: [],
      },
    ],
  },
  txs: { as_of, ...addressExamples.txs },
};
