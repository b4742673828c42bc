/** Example bodies for the OpenAPI document: the first payment of Bitcoin's chain, which anybody can look up. */

import type { AddressTransactionJson, PayoutListJson, UtxoJson } from '@coinfront/api/chain-addresses.ts';
import type { BlockDetailJson, BlockSummaryJson, BlockTransactionJson } from '@coinfront/api/chain-blocks.ts';
import type { SearchResultJson, SuggestionResultJson } from '@coinfront/api/chain-search.ts';
import type { TxBlockJson, TxDetailJson, TxProofJson } from '@coinfront/api/chain-transactions.ts';

const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';
const coinbaseTxid = 'b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082';
const hash = '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee';
const merkleRoot = '7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff';
const header =
  '0100000055bd840a78798ad0da853f68974f3d183e2bd1db6a842c1feecf222a00000000' +
  'ff104ccb05421ab93e63f8c3ce5c2c2e9dbb37de2764b3a3175c8166562cac7d51b96a49ffff001d283e9e70';
const senderKey =
  '0411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5c' +
  'b2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3';
const receiverKey =
  '04ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414' +
  'e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84c';
const scriptSig =
  '47304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd41' +
  '0220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901';
const signatureAsm = `${scriptSig.slice(2, -2)}[ALL]`;
const address = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const addressScript = '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac';

const summary: BlockSummaryJson = {
  hash,
  height: 170,
  confirmations: 5,
  time: '2009-01-12T03:30:25.000Z',
  median_time: '2009-01-12T02:59:28.000Z',
  tx_count: 2,
  size: 490,
  weight: 1960,
  difficulty: 1,
  fees: '0.00000000',
  coinbase_value: '50.00000000',
  issued: '50.00000000',
  coinbase_tag: '/Example Pool/',
};

const transactions: BlockTransactionJson[] = [
  { txid: coinbaseTxid, position: 0, output_value: '50.00000000', fee: null, weight: 536, vsize: 134 },
  { txid, position: 1, output_value: '50.00000000', fee: '0.00000000', weight: 1100, vsize: 275 },
];

/** Examples of /blocks and /block. */
export const blockExamples: {
  list: { items: BlockSummaryJson[]; next_cursor: string | null };
  detail: BlockDetailJson;
} = {
  list: { items: [summary], next_cursor: 'MTY5EmZZ0cS9' },
  detail: {
    ...summary,
    version: 1,
    merkle_root: merkleRoot,
    bits: '1d00ffff',
    nonce: 1889418792,
    chainwork: 'ab00ab00ab'.padStart(64, '0'),
    stripped_size: 490,
    previous_hash: '000000002a22cfee1f2c846adbd12b3e183d4f97683f85dad08a79780a84bd55',
    next_hash: '00000000c9ec538cab7f38ef9c67a95742f56ab07b0a37c5be6b02808dbfb4e0',
    header,
    transactions: { items: transactions, next_cursor: null },
  },
};

const block: TxBlockJson = { hash, height: 170, position: 1, time: summary.time };

const outputFields = { script_type: 'pubkey', address: null, data: null, unspendable: false, spent_by: null };

const detail: TxDetailJson = {
  txid,
  wtxid: txid,
  version: 1,
  locktime: 0,
  size: 275,
  stripped_size: 275,
  vsize: 275,
  weight: 1100,
  fee: '0.00000000',
  fee_rate: '0.000',
  output_value: '50.00000000',
  coinbase: false,
  rbf_signaled: false,
  confirmed: true,
  confirmations: 5,
  block,
  first_seen: null,
  input_count: 1,
  output_count: 2,
  inputs: [
    {
      index: 0,
      txid: '0437cd7f8525ceed2324359c2d0ba26006d92d856a9c20fa0241106ee5a597c9',
      vout: 0,
      coinbase: false,
      prevout: {
        value: '50.00000000',
        address: null,
        script_type: 'pubkey',
        script: `41${senderKey}ac`,
        script_asm: `${senderKey} OP_CHECKSIG`,
      },
      script_sig: scriptSig,
      script_sig_asm: signatureAsm,
      witness: [],
      sequence: 4294967295,
    },
  ],
  outputs: [
    {
      index: 0,
      value: '10.00000000',
      ...outputFields,
      script: `41${receiverKey}ac`,
      script_asm: `${receiverKey} OP_CHECKSIG`,
    },
    {
      index: 1,
      value: '40.00000000',
      ...outputFields,
      script: `41${senderKey}ac`,
      script_asm: `${senderKey} OP_CHECKSIG`,
      spent_by: {
        txid: 'a16f3ce4dd5deb92d98ef5cf8afeaf0775ebca408f708b2146c4fb42b41e14be',
        vin: 0,
        height: 181,
      },
    },
  ],
  next_input: null,
  next_output: null,
};

const proof: TxProofJson = {
  txid,
  block_hash: hash,
  block_height: 170,
  confirmations: 5,
  position: 1,
  tx_count: 2,
  branch: [coinbaseTxid],
  merkle_root: merkleRoot,
  header,
  ambiguous: false,
};

const rawTx =
  '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd370400000000' +
  `48${scriptSig}ffffffff0200ca9a3b000000004341${receiverKey}ac00286bee000000004341${senderKey}ac00000000`;

/** Examples of /tx and /broadcast. */
export const txExamples = {
  detail,
  proof,
  raw: { txid, raw_tx: rawTx, size: rawTx.length / 2 },
  broadcast: { txid, already_known: false, visibility: 'visible' },
};

const utxo: UtxoJson = {
  txid,
  vout: 0,
  value: '0.50000000',
  height: 170,
  confirmations: 5,
  coinbase: false,
  spendable: true,
  spent_in_mempool: false,
  spendable_from_height: null,
};

const totals = {
  tx_count: 1,
  received_count: 1,
  received: '0.50000000',
  spent_count: 0,
  spent: '0.00000000',
  balance: '0.50000000',
};
const noTotals = {
  tx_count: 0,
  received_count: 0,
  received: '0.00000000',
  spent_count: 0,
  spent: '0.00000000',
  balance: '0.00000000',
};
const fields = { address, script: addressScript, script_type: 'pubkeyhash' };

const historyEntry: AddressTransactionJson = {
  txid,
  delta: '0.50000000',
  confirmed: true,
  confirmations: 5,
  block,
  first_seen: null,
};

const payouts: PayoutListJson = {
  address,
  totals: { blocks: 1, value: '50.00000000', first_height: 170, last_height: 170 },
  scanned: { from_height: 0, to_height: 174 },
  items: [
    {
      height: 170,
      block_hash: hash,
      time: summary.time,
      txid: coinbaseTxid,
      vout: 0,
      value: '50.00000000',
      confirmations: 5,
      mature: false,
    },
  ],
  next_cursor: null,
};

const search: SearchResultJson = { items: [{ kind: 'block', id: hash, path: '/api/v1/block/170' }] };

const suggestions: SuggestionResultJson = {
  items: [
    { kind: 'name', id: 'alice.coin', label: 'alice.coin', path: '/api/vns/v1/name/alice.coin' },
    { kind: 'token', id: txid, label: 'ALIEN', path: `/api/v1/tokens/${txid}` },
  ],
};

/** Examples of the address routes, /mining/address, /search and /search/suggestions. */
export const addressExamples = {
  summary: {
    ...fields,
    balance: '0.50000000',
    confirmed: totals,
    mempool: noTotals,
    utxos: { items: [utxo], next_cursor: null },
  },
  utxos: { ...fields, items: [utxo], next_cursor: null },
  table:
    'time,height,txid,amount,balance\r\n2009-01-12T03:30:25.000Z,170,f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16,0.50000000,0.50000000\r\n',
  txs: { items: [historyEntry], next_cursor: null },
  balances: {
    address,
    from_height: 170,
    to_height: 174,
    blocks_per_point: 5,
    points: [{ height: 174, time: '2009-01-12T04:11:10.000Z', balance: '0.50000000' }],
  },
  payouts,
  search,
  suggestions,
};
