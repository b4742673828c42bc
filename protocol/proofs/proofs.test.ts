import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockHashOf } from '../block.ts';
import { bytesToHex, concatBytes, getHexBytes } from '../bytes.ts';
import { merkleBranch, merkleRoot } from '../merkle.ts';
import { p2wpkhOwner, shapedTransaction } from '../testing/spends.ts';
import { serializeTransaction, txidOf } from '../transaction.ts';
import { anchorScript, compareAnchorPlaces, findAnchoredDigest, listAnchors, proofState } from './anchor.ts';
import { type AnchorProof, verifyProof } from './verify-proof.ts';

const MARKER = getHexBytes('56504631');
const DIGEST = getHexBytes('da'.repeat(32));
const SCRIPT = `6a2456504631${'da'.repeat(32)}`;

describe('anchors', () => {
  test('a digest has exactly one script', () => {
    expect(bytesToHex(anchorScript(DIGEST, MARKER))).toBe(SCRIPT);
    expect(findAnchoredDigest(getHexBytes(SCRIPT), MARKER)).toEqual(DIGEST);
    expect(() => anchorScript(DIGEST.subarray(1), MARKER)).toThrow(RangeError);
  });

  test.each([
    ['another marker', SCRIPT.replace('56504631', '56504632')],
    ['a byte more', `6a2556504631${'da'.repeat(33)}`],
    ['a byte less', `6a2356504631${'da'.repeat(31)}`],
    ['a byte after it', `${SCRIPT}00`],
    ['PUSHDATA1', `6a4c2456504631${'da'.repeat(32)}`],
    ['no OP_RETURN', `6b${SCRIPT.slice(2)}`],
  ])('%s: no anchor', (_name, hex) => {
    expect(findAnchoredDigest(getHexBytes(hex), MARKER)).toBeUndefined();
  });

  test('no bytes make it throw, and what it finds has one form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (script) => {
        const digest = findAnchoredDigest(script, MARKER);
        if (digest) expect(anchorScript(digest, MARKER)).toEqual(script);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
        expect(findAnchoredDigest(anchorScript(digest, MARKER), MARKER)).toEqual(digest);
      }),
    );
  });

  test('every anchor of a transaction counts, in the order of outputs', () => {
    const other = { value: 1n, script: getHexBytes('51') };
    const anchor = { value: 0n, script: getHexBytes(SCRIPT) };
    expect(listAnchors([anchor, other, anchor], MARKER).map(({ vout }) => vout)).toEqual([0, 2]);
  });

  test('the primary one is the lowest by height, position, output', () => {
    const places = [
      { height: 7, position: 0, vout: 0 },
      { height: 5, position: 9, vout: 9 },
      { height: 5, position: 2, vout: 3 },
      { height: 5, position: 2, vout: 1 },
    ];
    expect(places.sort(compareAnchorPlaces)[0]).toEqual({ height: 5, position: 2, vout: 1 });
  });

  test('mempool, confirmed, final', () => {
    const states = [undefined, 100, 96, 95, 94].map((height) =>
      proofState(height, 100, { finalConfirmations: 6 }),
    );
    expect(states).toEqual(['mempool', 'confirmed', 'confirmed', 'final', 'final']);
  });
});

describe('verifyProof', () => {
  const owner = p2wpkhOwner(1);
  const outputs = [
    { value: 1n, script: owner.script },
    { value: 0n, script: getHexBytes(SCRIPT) },
  ];
  const txs = [1, 2, 3].map((nonce) => shapedTransaction(owner.spend(), outputs, nonce));
  const txids = txs.map(txidOf);
  const header = concatBytes(
    new Uint8Array(36),
    merkleRoot(txids),
    getHexBytes('00010203'),
    new Uint8Array(8),
  );
  const good: AnchorProof = {
    rawTx: serializeTransaction(txs[2]!, { witness: true }),
    vout: 1,
    position: 2,
    branch: merkleBranch(txids, 2),
    header,
  };

  test('a good proof shows txid, block and its time; with or without witness', () => {
    const value = { txid: txids[2], blockHash: blockHashOf(header), time: 0x03020100 };
    expect(verifyProof(DIGEST, good, MARKER)).toEqual({ ok: true, value });
    const stripped = serializeTransaction(txs[2]!, { witness: false });
    expect(verifyProof(DIGEST, { ...good, rawTx: stripped }, MARKER)).toEqual({ ok: true, value });
  });

  test.each<[string, Partial<AnchorProof>, string]>([
    ['no transaction', { rawTx: new Uint8Array(10) }, 'transaction_malformed'],
    [
      'a transaction of 64 bytes',
      {
        rawTx: getHexBytes(
          `0200000001${'ab'.repeat(32)}0000000000ffffffff01${'00'.repeat(8)}046a02000000000000`,
        ),
      },
      'transaction_ambiguous',
    ],
    ['another output', { vout: 0 }, 'anchor_missing'],
    ['no such output', { vout: 2 }, 'anchor_missing'],
    ['a short header', { header: header.subarray(1) }, 'header_malformed'],
    ['another position', { position: 1 }, 'branch_invalid'],
    ['a shorter branch', { branch: good.branch.slice(1) }, 'branch_invalid'],
    ['another header', { header: new Uint8Array(80) }, 'branch_invalid'],
  ])('%s proves nothing', (_name, wrong, reason) => {
    expect(verifyProof(DIGEST, { ...good, ...wrong }, MARKER)).toEqual({ ok: false, reason });
  });

  test('another digest is not proved', () => {
    expect(verifyProof(new Uint8Array(32), good, MARKER)).toEqual({ ok: false, reason: 'anchor_missing' });
  });

  test('no bytes make it throw', () => {
    const bytes = fc.uint8Array({ maxLength: 100 });
    fc.assert(
      fc.property(bytes, bytes, fc.array(bytes, { maxLength: 3 }), (rawTx, badHeader, branch) => {
        expect(verifyProof(DIGEST, { ...good, rawTx }, MARKER).ok).toBe(false);
        expect(verifyProof(DIGEST, { ...good, header: badHeader }, MARKER).ok).toBe(false);
        expect(verifyProof(DIGEST, { ...good, branch }, MARKER).ok).toBe(false);
      }),
    );
  });
});
