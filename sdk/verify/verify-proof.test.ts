import { readFileSync } from 'node:fs';
import type { ProofJson } from '@coinfront/api/proofs.ts';
import { blockHashOf, serializeHeader } from '@coinfront/protocol/block.ts';
import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { merkleBranch, merkleRoot } from '@coinfront/protocol/merkle.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { bitcoin, litecoin } from '@coinfront/protocol/testing/profiles.ts';
import { serializeTransaction, type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { describe, expect, test } from 'vitest';
import { findEasiestTarget, findWorkKind, hasProofOfWork } from './proof-of-work.ts';
import { verifyProof } from './verify-proof.ts';
import { verifyTransactionProof } from './verify-transaction-proof.ts';

const DIGEST = 'ab'.repeat(32);
/** Regtest's target: every other nonce meets it. */
const EASY_BITS = 0x207fffff;

const makeTransaction = (seed: number, script: Uint8Array): Transaction => ({
  version: 2,
  inputs: [
    {
      prevTxid: new Uint8Array(32).fill(seed),
      prevVout: 0,
      scriptSig: new Uint8Array(4),
      sequence: 0,
      witness: [],
    },
  ],
  outputs: [
    { value: 9n, script: Uint8Array.of(0x51) },
    { value: 0n, script },
  ],
  locktime: 0,
  hasWitness: false,
  mweb: undefined,
});

function mineHeader(prevHash: Uint8Array, root: Uint8Array, kind: 'sha256d' | 'scrypt'): Uint8Array {
  for (let nonce = 0; ; nonce += 1) {
    const header = serializeHeader({
      version: 2,
      prevHash,
      merkleRoot: root,
      time: 1_700_000_000,
      bits: EASY_BITS,
      nonce,
    });
    if (hasProofOfWork(header, kind)) return header;
  }
}

function makeProof(kind: 'sha256d' | 'scrypt') {
  const script = anchorScript(getHexBytes(DIGEST), getHexBytes('56504631'));
  const transactions = [1, 2, 3].map((seed) => makeTransaction(seed, script));
  const txids = transactions.map(txidOf);
  const header = mineHeader(new Uint8Array(32), merkleRoot(txids), kind);
  const headers = [header];
  while (headers.length < 4) headers.push(mineHeader(blockHashOf(headers.at(-1)!), new Uint8Array(32), kind));
  const primary = {
    tx: bytesToHex(serializeTransaction(transactions[1]!, { witness: false })),
    vout: 1,
    position: 1,
    branch: merkleBranch(txids, 1).map(toDisplayHash),
    header: bytesToHex(header),
  } as NonNullable<ProofJson['primary']>;
  return {
    primary,
    headers: headers.slice(1).map(bytesToHex),
    tip: toDisplayHash(blockHashOf(headers.at(-1)!)),
  };
}

const made = { sha256d: makeProof('sha256d'), scrypt: makeProof('scrypt') };

/** Genesis headers as every node of the coin has them. */
const GENESIS = {
  bitcoin: `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c`,
  litecoin: `01000000${'00'.repeat(32)}d9ced4ed1130f7b7faad9be25323ffafa33232a17c3edf6cfd97bee6bafbdd97b9aa8e4ef0ff0f1ecd513f7c`,
};

describe('proof of work', () => {
  test("of the first blocks of Bitcoin and Litecoin holds by each coin's rule, and not by the other's", () => {
    for (const [profile, header] of [
      [bitcoin, GENESIS.bitcoin],
      [litecoin, GENESIS.litecoin],
    ] as const) {
      const bytes = getHexBytes(header);
      const kind = findWorkKind(profile.genesisHash) as 'sha256d' | 'scrypt';
      expect(toDisplayHash(blockHashOf(bytes))).toBe(profile.genesisHash);
      expect(hasProofOfWork(bytes, kind)).toBe(true);
      expect(hasProofOfWork(bytes, kind === 'scrypt' ? 'sha256d' : 'scrypt')).toBe(false);
    }
  });

  test('is no easier than the chain allows, whatever a header says of itself', () => {
    for (const [profile, header] of [
      [bitcoin, GENESIS.bitcoin],
      [litecoin, GENESIS.litecoin],
    ] as const) {
      const kind = findWorkKind(profile.genesisHash) as 'sha256d' | 'scrypt';
      const easiestTarget = findEasiestTarget(profile.genesisHash);
      expect(hasProofOfWork(getHexBytes(header), kind, easiestTarget)).toBe(true);
      const { primary, headers } = made[kind];
      expect(verifyProof(DIGEST, { primary }, { work: kind, headers })).toMatchObject({ ok: true });
      expect(verifyProof(DIGEST, { primary }, { work: kind, headers, easiestTarget })).toMatchObject({
        ok: false,
        code: 'work_missing',
      });
    }
    expect(findEasiestTarget('00'.repeat(32))).toBeUndefined();
  });

  test('of a chain that is not known is not guessed', () => {
    expect(findWorkKind('00'.repeat(32))).toBeUndefined();
  });
});

describe.each(['sha256d', 'scrypt'] as const)('a proof of a chain with %s', (work) => {
  const { primary, headers, tip } = made[work];

  test('is good, and says what was not checked', () => {
    expect(verifyProof(DIGEST, { primary })).toMatchObject({
      ok: true,
      headers: 1,
      workChecked: false,
      unchecked: ['work', 'difficulty', 'best_chain'],
    });
    expect(verifyProof(DIGEST, { primary }, { work, headers })).toMatchObject({
      ok: true,
      headers: 4,
      work: 8n,
      workChecked: true,
      unchecked: ['difficulty', 'best_chain'],
    });
    expect(verifyProof(DIGEST, { primary }, { headers, trustedBlock: tip })).toMatchObject({
      ok: true,
      unchecked: [],
    });
    expect(verifyProof(DIGEST, { primary }, { work: 'auxpow' })).toMatchObject({
      ok: true,
      workChecked: false,
    });
  });

  test.each([
    ['for another file', 'cd'.repeat(32), {}, 'anchor_missing'],
    ['of another output', DIGEST, { vout: 0 }, 'anchor_missing'],
    ['with another branch', DIGEST, { branch: [...primary.branch].reverse() }, 'branch_invalid'],
    ['at another place in the block', DIGEST, { position: 0 }, 'branch_invalid'],
    ['with a header of another block', DIGEST, { header: headers[0]! }, 'branch_invalid'],
    ['without its transaction', DIGEST, { tx: null }, 'proof_malformed'],
    ['with a header that is too short', DIGEST, { header: primary.header.slice(2) }, 'header_malformed'],
    ['with hashes that are none', DIGEST, { branch: ['zz'] }, 'proof_malformed'],
    ['with a negative index', DIGEST, { position: -1 }, 'proof_malformed'],
  ])('%s is refused', (_, digest, change, code) => {
    expect(verifyProof(digest, { primary: { ...primary, ...change } }, { work })).toMatchObject({
      ok: false,
      code,
    });
  });

  test('shows of any transaction that a block holds it', () => {
    const { tx, branch, header, position } = primary;
    const proof = { branch, header, position };
    expect(verifyTransactionProof(tx!, proof, { work })).toMatchObject({
      workChecked: true,
      time: 1_700_000_000,
    });
    expect(verifyTransactionProof(tx!, proof)).toMatchObject({ workChecked: false });
    expect(verifyTransactionProof(tx!, { ...proof, position: 2 })).toBeUndefined();
    expect(verifyTransactionProof(tx!, { ...proof, branch: ['zz'] })).toBeUndefined();
    expect(verifyTransactionProof(tx!, { ...proof, header: headers[0]! })).toBeUndefined();
    expect(verifyTransactionProof(tx!.replace('09', '0a'), proof)).toBeUndefined();
  });

  test('is refused when nobody worked for a header', () => {
    let nonce = 0;
    let idle = '';
    do {
      nonce += 1;
      idle = `${primary.header.slice(0, -8)}${nonce.toString(16).padStart(2, '0')}000000`;
    } while (hasProofOfWork(getHexBytes(idle), work));
    expect(verifyProof(DIGEST, { primary: { ...primary, header: idle } }, { work })).toMatchObject({
      ok: false,
      code: 'work_missing',
    });
  });

  test('is refused with headers that do not follow, or without the block that is trusted', () => {
    const unlinked = verifyProof(DIGEST, { primary }, { work, headers: headers.slice(1) });
    expect(unlinked).toMatchObject({ ok: false, code: 'headers_unlinked' });
    const elsewhere = verifyProof(DIGEST, { primary }, { work, headers, trustedBlock: '11'.repeat(32) });
    expect(elsewhere).toMatchObject({ ok: false, code: 'trusted_block_missing' });
    expect(verifyProof(DIGEST, { primary: null })).toMatchObject({ ok: false, code: 'proof_missing' });
  });
});

describe('a proof of the calendar', () => {
  type Vectors = {
    tree: {
      anchor: { raw_tx: string; vout: number; position: number; branch: string[]; header: string };
      block_hash: string;
      leaves: {
        digest: string;
        index: number;
        size: number;
        path: string[];
        root: string;
        reason: string | null;
      }[];
    };
  };
  const file = new URL('../../docs/protocols/vectors/proofs.json', import.meta.url);
  const { anchor, leaves, block_hash } = (JSON.parse(readFileSync(file, 'utf8')) as Vectors).tree;
  const primary = {
    ...anchor,
    tx: anchor.raw_tx,
    branch: anchor.branch.map((hash) => toDisplayHash(getHexBytes(hash))),
  } as unknown as NonNullable<ProofJson['primary']>;
  const toLeaf = ({ index, size, path, root }: Vectors['tree']['leaves'][0]) => ({
    batch: 1,
    sealed_at: '',
    index,
    size,
    path,
    root,
  });

  test('holds for each leaf of a tree, and for nothing else', () => {
    for (const each of leaves) {
      const verdict = verifyProof(each.digest, { primary, leaf: toLeaf(each) });
      if (each.reason === null)
        expect(verdict).toMatchObject({ ok: true, blockHash: toDisplayHash(getHexBytes(block_hash)) });
      else expect(verdict).toMatchObject({ ok: false, code: each.reason });
    }
  });

  test('without its path, or with one of another form, proves nothing', () => {
    const [first] = leaves;
    expect(verifyProof(first!.digest, { primary })).toMatchObject({ ok: false, code: 'anchor_missing' });
    for (const change of [
      { path: 'ab' },
      { path: ['zz'] },
      { path: Array(65).fill('ab'.repeat(32)) },
      { root: 7 },
      { root: 'abc' },
    ])
      expect(
        verifyProof(first!.digest, { primary, leaf: { ...toLeaf(first!), ...change } as never }),
      ).toMatchObject({ ok: false, code: 'proof_malformed' });
    for (const change of [{ index: '0' }, { size: null }, { index: -1 }, { path: [] }])
      expect(
        verifyProof(first!.digest, { primary, leaf: { ...toLeaf(first!), ...change } as never }),
      ).toMatchObject({ ok: false, code: 'path_invalid' });
  });
});
