import type { TxDetailJson } from '@coinfront/api/chain-transactions.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { readPsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { expect, test } from 'vitest';
import { findWitnessUtxos, writeUnsignedPsbt } from './unsigned-psbt.ts';

const script = `0014${'44'.repeat(20)}`;
const raw =
  `02000000000101${'ab'.repeat(32)}0300000000fdffffff01e803000000000000160014${'55'.repeat(20)}` +
  `02${`47${'30'.repeat(71)}`}${`21${'02'.repeat(33)}`}00000000`;

const txWith = (scripts: (string | null)[], more: Partial<TxDetailJson> = {}): TxDetailJson =>
  ({
    coinbase: false,
    input_count: scripts.length,
    inputs: scripts.map((each) => ({
      prevout: each === null ? null : { value: '0.00002000', script: each },
    })),
    ...more,
  }) as unknown as TxDetailJson;

test('a PSBT has the transaction without signatures, and the outputs that it spends', () => {
  const utxos = findWitnessUtxos(txWith([script]), 8)!;
  const psbt = Transaction.fromPSBT(readPsbt(writeUnsignedPsbt(raw, utxos)));
  const input = psbt.getInput(0);
  expect(bytesToHex(input.txid!)).toBe('ab'.repeat(32));
  expect([input.index, input.sequence]).toEqual([3, 0xfffffffd]);
  expect(input.witnessUtxo).toEqual({ amount: 2_000n, script: getHexBytes(script) });
  expect(input.finalScriptWitness).toBeUndefined();
  expect(psbt.getOutput(0).amount).toBe(1_000n);
  expect(psbt.fee).toBe(1_000n);
});

test('there is none where a signer would need more than is known', () => {
  const p2pkh = `76a914${'44'.repeat(20)}88ac`;
  expect(findWitnessUtxos(txWith([script, p2pkh]), 8)).toBeUndefined();
  expect(findWitnessUtxos(txWith([script, null]), 8)).toBeUndefined();
  expect(findWitnessUtxos(txWith([script], { input_count: 501 }), 8)).toBeUndefined();
  expect(findWitnessUtxos(txWith([script], { coinbase: true }), 8)).toBeUndefined();
});
