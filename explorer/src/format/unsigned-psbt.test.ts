import type { TxDetailJson } from '@coinfront/api/chain-transactions.ts';
import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { readPsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { expect, test } from 'vitest';
import { findSpentOutputs, listPrevious, writeUnsignedPsbt } from './unsigned-psbt.ts';

const script = `0014${'44'.repeat(20)}`;
const raw =
  `02000000000101${'ab'.repeat(32)}0300000000fdffffff01e803000000000000160014${'55'.repeat(20)}` +
  `02${`47${'30'.repeat(71)}`}${`21${'02'.repeat(33)}`}00000000`;

const p2pkh = `76a914${'44'.repeat(20)}88ac`;
/** Pays both kinds; it is spent twice. */
const previous =
  `0200000001${'cd'.repeat(32)}00000000015100000000` +
  `02d00700000000000019${p2pkh}d00700000000000016${script}00000000`;
const previousId = toDisplayHash(txidOf(getValue(parseTransaction(getHexBytes(previous)))));
const previousIds = [previousId, previousId];

const txWith = (scripts: (string | null)[], more: Partial<TxDetailJson> = {}): TxDetailJson =>
  ({
    coinbase: false,
    input_count: scripts.length,
    inputs: scripts.map((each, i) => ({
      txid: previousIds[i] ?? String(i).padStart(64, '0'),
      prevout: each === null ? null : { value: '0.00002000', script: each },
    })),
    ...more,
  }) as unknown as TxDetailJson;

test('a PSBT has the transaction without signatures, and the outputs that it spends', () => {
  const spent = findSpentOutputs(txWith([script]), 8)!;
  expect(listPrevious(spent)).toEqual([]);
  const psbt = Transaction.fromPSBT(readPsbt(writeUnsignedPsbt(raw, spent)));
  const input = psbt.getInput(0);
  expect(bytesToHex(input.txid!)).toBe('ab'.repeat(32));
  expect([input.index, input.sequence]).toEqual([3, 0xfffffffd]);
  expect(input.witnessUtxo).toEqual({ amount: 2_000n, script: getHexBytes(script) });
  expect(input.finalScriptWitness).toBeUndefined();
  expect(psbt.getOutput(0).amount).toBe(1_000n);
  expect(psbt.fee).toBe(1_000n);
});

test('of an input that is no segwit output by itself it has the transaction that made it', () => {
  const internal = getHexBytes(previousId).reverse();
  const spending =
    `0200000002${bytesToHex(internal)}0000000000fdffffff${bytesToHex(internal)}0100000000fdffffff` +
    `01e803000000000000160014${'55'.repeat(20)}00000000`;
  const spent = findSpentOutputs(txWith([p2pkh, script]), 8)!;
  expect(listPrevious(spent)).toEqual([previousId]);
  const written = writeUnsignedPsbt(spending, spent, new Map([[previousId, previous]]));
  const psbt = Transaction.fromPSBT(readPsbt(written));
  expect(psbt.getInput(0).nonWitnessUtxo?.outputs[0]?.amount).toBe(2_000n);
  expect(psbt.getInput(1).witnessUtxo).toEqual({ amount: 2_000n, script: getHexBytes(script) });
  expect(psbt.fee).toBe(3_000n);
});

test('there is none where a signer would need more than can be had', () => {
  expect(findSpentOutputs(txWith([script, null]), 8)).toBeUndefined();
  expect(findSpentOutputs(txWith([script], { input_count: 501 }), 8)).toBeUndefined();
  expect(findSpentOutputs(txWith([script], { coinbase: true }), 8)).toBeUndefined();
  expect(findSpentOutputs(txWith(Array(21).fill(p2pkh)), 8)).toHaveLength(21);
  expect(findSpentOutputs(txWith(Array(23).fill(p2pkh)), 8)).toBeUndefined();
});
