import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import {
  type EpochSummary,
  FIRST_PREVIOUS_HASH,
  hashRegistryText,
  leafOfReceipt,
  type Receipt,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import { inclusionPath, rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { type ReceiptProof, verifyReceipt } from './verify-receipt.ts';

const KEY = new Uint8Array(32).fill(5);
const registryKey = bytesToHex(ed25519.getPublicKey(KEY));
const genesisHash = 'aa'.repeat(32);
const trusted = { registryKey, genesisHash };

function signed(document: Receipt | EpochSummary, key = KEY): { hash: string; signature: string } {
  const hash = hashRegistryText(writeRegistryText(document));
  const text = new TextEncoder().encode(writeSignedText(document.type, hash));
  return { hash, signature: bytesToHex(ed25519.sign(text, key)) };
}

function makeReceipts(count: number): Receipt[] {
  const receipts: Receipt[] = [];
  for (let sequence = 10; sequence < 10 + count; sequence += 1) {
    const before = receipts.at(-1);
    receipts.push({
      type: 'node-receipt',
      version: 1,
      network: genesisHash,
      registry_key: registryKey,
      sequence,
      previous_hash: before === undefined ? FIRST_PREVIOUS_HASH : signed(before).hash,
      epoch: 3,
      height: 300 + sequence,
      block_hash: 'bb'.repeat(32),
      issued_at: '2026-11-20T18:00:00.000Z',
      kind: 'probe',
      node_key: 'cc'.repeat(32),
      endpoint: '203.0.113.7:29666',
      payout_address: 'someone',
      slots: { from: '2026-11-20T17:50:00.000Z', to: '2026-11-20T18:00:00.000Z', count: 1 },
      verdict: 'pass',
      reason: null,
      attempts: [{ at: '2026-11-20T17:55:00.000Z', result: 'pass', reason: null }],
      observed: null,
    });
  }
  return receipts;
}

const receipts = makeReceipts(5);
const leaves = receipts.map((receipt) => leafOfReceipt(signed(receipt).hash));
const summary: EpochSummary = {
  type: 'node-epoch',
  version: 1,
  network: genesisHash,
  registry_key: registryKey,
  epoch: 3,
  first_sequence: 10,
  last_sequence: 14,
  receipts: 5,
  merkle_root: bytesToHex(rootOfLeaves(leaves)),
  last_hash: signed(receipts[4]!).hash,
  closed_at: '2026-11-20T19:00:00.000Z',
};

const proofOf = (index: number, change: object = {}, ofEpoch: object = {}): ReceiptProof =>
  ({
    receipt: receipts[index]!,
    ...signed(receipts[index]!),
    index,
    size: 5,
    path: inclusionPath(leaves, index).map(bytesToHex),
    epoch: { epoch: 3, state: 'closed', summary, ...signed(summary), ...ofEpoch },
    ...change,
  }) as ReceiptProof;

describe("a node registry's receipt", () => {
  test('is good at every place of a closed epoch, and not final in an open one', () => {
    for (const index of receipts.keys()) {
      expect(verifyReceipt(proofOf(index), trusted)).toMatchObject({ ok: true, isFinal: true });
    }
    const open = proofOf(1, { path: [] }, { state: 'open', summary: null, hash: null, signature: null });
    expect(verifyReceipt(open, trusted)).toMatchObject({ ok: true, isFinal: false });
  });

  const forged = { ...receipts[2]!, verdict: 'fail' } as Receipt;
  const foreign = new Uint8Array(32).fill(6);
  test.each([
    ['with another verdict', { receipt: forged }, {}, 'signature_invalid'],
    ['that another key signed', signed(receipts[2]!, foreign), {}, 'signature_invalid'],
    ['that was never in the epoch', { receipt: forged, ...signed(forged) }, {}, 'not_included'],
    [
      'with a number that no text can hold',
      { receipt: { ...forged, height: Number.POSITIVE_INFINITY } },
      {},
      'signature_invalid',
    ],
    ['with half a character', { receipt: { ...forged, endpoint: '\ud800' } }, {}, 'signature_invalid'],
    ['at another place', { index: 3 }, {}, 'not_included'],
    ['in an epoch of another size', { size: 6 }, {}, 'not_included'],
    [
      'with an epoch that was changed',
      {},
      { summary: { ...summary, merkle_root: '00'.repeat(32) } },
      'signature_invalid',
    ],
    ['without a path', { path: undefined }, {}, 'receipt_malformed'],
    ['with hashes that are none', { path: ['zz', 'zz', 'zz'] }, {}, 'not_included'],
  ])('%s is refused', (_, change, ofEpoch, code) => {
    expect(verifyReceipt(proofOf(2, change, ofEpoch), trusted)).toEqual({ ok: false, code });
  });

  test('of another registry or another chain is refused', () => {
    expect(verifyReceipt(proofOf(0), { ...trusted, registryKey: '00'.repeat(32) })).toMatchObject({
      code: 'other_registry',
    });
    expect(verifyReceipt(proofOf(0), { ...trusted, genesisHash: '00'.repeat(32) })).toMatchObject({
      code: 'other_chain',
    });
  });
});

test('an epoch that says the rules of its rewards is verified as one that does not, and its rules cannot be changed', () => {
  const second: EpochSummary = { ...summary, version: 2, rules: 2, slots: 5 };
  const prove = (shown: EpochSummary) =>
    verifyReceipt(proofOf(0, {}, { summary: shown, ...signed(second) }), trusted);
  expect(prove(second)).toMatchObject({ ok: true, isFinal: true });
  expect(prove({ ...second, rules: 1 })).toEqual({ ok: false, code: 'signature_invalid' });
  expect(prove({ ...second, slots: 4 })).toEqual({ ok: false, code: 'signature_invalid' });
});
