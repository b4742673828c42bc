import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { sha256d } from '@coinfront/protocol/hash.ts';
import { hashLeaf, hashNode } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { describe, expect, test } from 'vitest';
import { checkProof, isGood, type ProofDocument } from './check-proof.ts';

const digest = 'ab'.repeat(32);
const marker = '56504631';
/** One input, one output of value 0 with the anchor. */
const tx = `01000000${'01'}${'11'.repeat(32)}00000000${'00'}ffffffff${'01'}${'00'.repeat(8)}26${`6a24${marker}${digest}`}00000000`;
const txid = sha256d(getHexBytes(tx));
const sibling = new Uint8Array(32).fill(7);
const root = sha256d(Uint8Array.from([...sibling, ...txid]));
const header = `01000000${'00'.repeat(32)}${bytesToHex(root)}${'00'.repeat(12)}`;

const proof: ProofDocument = {
  coin: 'Test coin',
  sha256: digest,
  marker,
  txid: toDisplayHash(txid),
  vout: 0,
  position: 1,
  height: 7,
  block_hash: toDisplayHash(sha256d(getHexBytes(header))),
  median_time: '2026-11-20T12:00:00.000Z',
  tx,
  branch: [toDisplayHash(sibling)],
  header,
};

test('a proof that holds holds in every step but the one for a header chain', () => {
  expect(checkProof(proof).map(({ state }) => state)).toEqual(['good', 'good', 'good', 'good', 'open']);
  expect(isGood(checkProof(proof))).toBe(true);
});

test.each([
  ['another digest', { sha256: 'cd'.repeat(32) }],
  ['another output', { vout: 1 }],
  ['another place in the block', { position: 0 }],
  ['another sibling', { branch: [toDisplayHash(txid)] }],
  ['another header', { header: `02${header.slice(2)}`, block_hash: proof.block_hash }],
  ['another id of the block', { block_hash: '00'.repeat(32) }],
  ['another txid', { txid: '00'.repeat(32) }],
  ['a transaction that is none', { tx: 'zz' }],
  ['a branch that is none', { branch: ['zz'] }],
])('%s is found', (_, change) => {
  const checks = checkProof({ ...proof, ...change });
  expect(checks.some(({ state }) => state === 'bad')).toBe(true);
  expect(isGood(checks)).toBe(false);
});

describe('a leaf of the calendar', () => {
  const first = getHexBytes('01'.repeat(32));
  const second = hashLeaf(getHexBytes('02'.repeat(32)));
  const root = bytesToHex(hashNode(hashLeaf(first), second));
  const carrier = tx.replace(digest, root);
  const id = sha256d(getHexBytes(carrier));
  const blockRoot = sha256d(Uint8Array.from([...sibling, ...id]));
  const block = `01000000${'00'.repeat(32)}${bytesToHex(blockRoot)}${'00'.repeat(12)}`;
  const document: ProofDocument = {
    ...proof,
    sha256: bytesToHex(first),
    tx: carrier,
    txid: toDisplayHash(id),
    header: block,
    block_hash: toDisplayHash(sha256d(getHexBytes(block))),
    leaf: { index: 0, size: 2, path: [bytesToHex(second)], root },
  };

  test('holds in one step more', () => {
    const states = checkProof(document).map(({ state }) => state);
    expect(states).toEqual(['good', 'good', 'good', 'good', 'good', 'open']);
  });

  test.each([
    ['another digest', { sha256: digest }],
    ['another place', { leaf: { ...document.leaf!, index: 1 } }],
    ['no path', { leaf: { ...document.leaf!, path: [] } }],
    ['another root', { leaf: { ...document.leaf!, root: digest } }],
    ['no leaf', { leaf: undefined as never }],
  ])('with %s does not', (_, change) => {
    expect(isGood(checkProof({ ...document, ...change }))).toBe(false);
  });
});
