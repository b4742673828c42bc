import type { EpochProofJson } from '@coinfront/api/registry.ts';
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
import { logOrigin, signCheckpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { hashLeaf, rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { ed25519 } from '@noble/curves/ed25519.js';
import { expect, test } from 'vitest';
import { verifyEpoch, verifyEpochReceipts } from './verify-epoch.ts';

const genesisHash = 'aa'.repeat(32);
const [before, since] = [5, 6].map((byte) => new Uint8Array(32).fill(byte));
const keyOf = (secret: Uint8Array) => bytesToHex(ed25519.getPublicKey(secret));
const hashOf = (document: Receipt | EpochSummary) => hashRegistryText(writeRegistryText(document));

function makeReceipt(more: Partial<Receipt>): Receipt {
  return {
    ...{ type: 'node-receipt', version: 1, network: genesisHash, registry_key: keyOf(before!), sequence: 0 },
    ...{ previous_hash: FIRST_PREVIOUS_HASH, epoch: 3, height: 300, block_hash: 'bb'.repeat(32) },
    ...{ issued_at: '2026-11-20T18:00:00.000Z', kind: 'probe', node_key: 'cc'.repeat(32) },
    ...{ endpoint: '203.0.113.7:29666', payout_address: 'someone', verdict: 'pass', reason: null },
    slots: { from: '2026-11-20T17:50:00.000Z', to: '2026-11-20T18:00:00.000Z', count: 1 },
    ...{ attempts: [], observed: null },
    ...more,
  };
}

/** The summary of an epoch with these receipts, as an operator signs it who does not look at them. */
function sumUp(receipts: readonly Receipt[]): EpochSummary {
  return {
    ...{ type: 'node-epoch', version: 1, network: genesisHash, registry_key: keyOf(before!), epoch: 3 },
    ...{ first_sequence: 0, last_sequence: receipts.length - 1, receipts: receipts.length },
    merkle_root: bytesToHex(rootOfLeaves(receipts.map((each) => leafOfReceipt(hashOf(each))))),
    ...{ last_hash: hashOf(receipts.at(-1)!), closed_at: '2026-11-20T19:00:00.000Z' },
  };
}

const first = makeReceipt({});
const second = makeReceipt({ sequence: 1, previous_hash: hashOf(first) });

test('receipts of an epoch follow one another, and are of this epoch', () => {
  const isGood = (...receipts: Receipt[]) => verifyEpochReceipts(sumUp(receipts), receipts);
  expect(isGood(first, second)).toBe(true);
  expect(isGood(first, { ...second, previous_hash: FIRST_PREVIOUS_HASH })).toBe(false);
  expect(isGood({ ...first, epoch: 2 })).toBe(false);
  expect(isGood({ ...first, network: '00'.repeat(32) })).toBe(false);
  const summary = sumUp([first, second]);
  expect(verifyEpochReceipts({ ...summary, last_hash: hashOf(first) }, [first, second])).toBe(false);
  expect(verifyEpochReceipts(summary, [second, first])).toBe(false);
});

test('an epoch that was signed before the registry took another key is proved by both keys, each in its place', () => {
  const summary = sumUp([first, second]);
  const sign = (text: string, secret: Uint8Array) => ed25519.sign(new TextEncoder().encode(text), secret);
  const signature = bytesToHex(sign(writeSignedText('node-epoch', hashOf(summary)), before!));
  const head = {
    origin: logOrigin('node-registry', keyOf(since!)),
    size: 1,
    root: rootOfLeaves([hashLeaf(new TextEncoder().encode(writeRegistryText(summary)))]),
  };
  const checkpoint = signCheckpoint(head, keyOf(since!), (text) => sign(text, since!)).note;
  const proof = { epoch: { summary, signature }, index: 0, path: [], checkpoint, anchor: null };
  const verify = (registryKey: string, logKey?: string) =>
    verifyEpoch(proof as unknown as EpochProofJson, { registryKey, genesisHash, logKey });
  expect(verify(keyOf(before!), keyOf(since!))).toMatchObject({ ok: true, entries: 1 });
  expect(verify(keyOf(before!))).toEqual({ ok: false, code: 'other_registry' });
  expect(verify(keyOf(since!))).toEqual({ ok: false, code: 'other_registry' });
  expect(verify(keyOf(since!), keyOf(before!))).toEqual({ ok: false, code: 'other_registry' });
});
