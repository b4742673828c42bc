/** Example bodies for the OpenAPI document. */

const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';
const blockHash = '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee';

const rawTx =
  '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e' +
  '45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd1290' +
  '9d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b' +
  '99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6c' +
  'd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0' +
  'eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000';

const status = { confirmed: true, block_height: 170, block_hash: blockHash, block_time: 1_231_731_025 };
const output = {
  scriptpubkey: '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac',
  scriptpubkey_asm:
    'OP_DUP OP_HASH160 OP_PUSHBYTES_20 62e907b15cbf27d5425399ebf6f0fb50ebb88f18 OP_EQUALVERIFY OP_CHECKSIG',
  scriptpubkey_type: 'p2pkh',
  scriptpubkey_address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  value: 50_000_000,
};
const totals = {
  tx_count: 1,
  funded_txo_count: 1,
  funded_txo_sum: 50_000_000,
  spent_txo_count: 0,
  spent_txo_sum: 0,
};
const noTotals = {
  tx_count: 0,
  funded_txo_count: 0,
  funded_txo_sum: 0,
  spent_txo_count: 0,
  spent_txo_sum: 0,
};

/** One example for each kind of body. */
export const esploraExamples = {
  rawTx,
  block: {
    id: blockHash,
    height: 170,
    version: 1,
    timestamp: 1_231_731_025,
    tx_count: 2,
    size: 490,
    weight: 1960,
    merkle_root: '7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff',
    previousblockhash: '000000002a22cfee1f2c846adbd12b3e183d4f97683f85dad08a79780a84bd55',
    mediantime: 1_231_716_245,
    nonce: 1_889_418_792,
    bits: 486_604_799,
    difficulty: 1,
  },
  tx: {
    txid,
    version: 1,
    locktime: 0,
    vin: [
      {
        txid: '0437cd7f8525ceed2324359c2d0ba26006d92d856a9c20fa0241106ee5a597c9',
        vout: 0,
        prevout: { ...output, value: 50_001_000 },
        scriptsig: '',
        scriptsig_asm: '',
        is_coinbase: false,
        sequence: 4_294_967_295,
      },
    ],
    vout: [output],
    size: 275,
    weight: 1100,
    fee: 1000,
    status,
  },
  proof: {
    block_height: 170,
    merkle: ['b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082'],
    pos: 1,
  },
  address: { address: output.scriptpubkey_address, chain_stats: totals, mempool_stats: noTotals },
  utxo: { txid, vout: 0, status, value: 50_000_000 },
  summary: { txid, height: 170, value: -50_000_000, time: 1_231_731_025, tx_position: 1 },
  extras: {
    totalFees: 0,
    avgFee: 0,
    reward: 5_000_000_000,
    coinbaseRaw: '04ffff001d0102',
    coinbaseAddress: null,
    coinbaseAddresses: [],
    header:
      '0100000055bd840a78798ad0da853f68974f3d183e2bd1db6a842c1feecf222a00000000ff104ccb05421ab93e63f8c3ce5c2c2e9dbb37de2764b3a3175c8166562cac7d51b96a49ffff001d283e9e70',
    utxoSetSize: 171,
  },
  cpfp: {
    ancestors: [{ txid, fee: 1000, weight: 1100 }],
    descendants: [],
    bestDescendant: null,
    fee: 5000,
    adjustedVsize: 141,
    effectiveFeePerVsize: 14.423,
  },
  mempoolBlock: {
    blockSize: null,
    blockVSize: 403_122,
    nTx: 812,
    totalFees: 1_204_511,
    medianFee: 1,
    feeRange: [1, 5],
  },
  difficulty: {
    progressPercent: 44.4,
    difficultyChange: 2.1,
    estimatedRetargetDate: 1_764_500_000_000,
    remainingBlocks: 1_121,
    remainingTime: 658_800_000,
    previousRetarget: -1.3,
    previousTime: 1_763_300_000,
    nextRetargetHeight: 925_344,
    timeAvg: 587_700,
    adjustedTimeAvg: 587_700,
    timeOffset: 0,
    expectedBlocks: 876.6,
  },
  mempool: {
    count: 812,
    vsize: 403_122,
    total_fee: 1_204_511,
    fee_histogram: [
      [5, 88_190],
      [1, 314_932],
    ],
  },
};
