import { listConsistencyRanges } from '@coinfront/protocol/signed-log/merkle-ranges.ts';
import { hashLeaf, rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { describe, expect, test } from 'vitest';
import { judgeHead } from './witness-rules.ts';

const leaves = Array.from({ length: 5 }, (_, i) => hashLeaf(Uint8Array.of(i)));
const headOf = (size: number) => ({ size, root: rootOfLeaves(leaves.slice(0, size)) });
const pathOf = (from: number, to: number) =>
  listConsistencyRanges(from, to).map((range) => rootOfLeaves(leaves.slice(range.from, range.to)));
const other = new Uint8Array(32).fill(7);

describe('a witness, by C2SP tlog-witness,', () => {
  test('cosigns what goes on from what it cosigned, and the same again', () => {
    expect(judgeHead(headOf(3), headOf(5), { oldSize: 3, path: pathOf(3, 5) })).toEqual({ kind: 'cosign' });
    expect(judgeHead(headOf(3), headOf(3), { oldSize: 3, path: [] })).toEqual({ kind: 'cosign' });
    expect(judgeHead(headOf(0), headOf(3), { oldSize: 0, path: [] })).toEqual({ kind: 'cosign' });
  });

  test('answers 409 to another root of the size that it cosigned, and has a proof', () => {
    const verdict = judgeHead(headOf(3), { size: 3, root: other }, { oldSize: 3, path: [] });
    expect(verdict).toEqual({ kind: 'refuse', status: 409, isProof: true });
  });

  test('refuses an empty log with a root, of which no log could go on', () => {
    const empty = { size: 0, root: other };
    const verdict = judgeHead(headOf(0), empty, { oldSize: 0, path: [] });
    expect(verdict).toEqual({ kind: 'refuse', status: 422, isProof: false });
    expect(judgeHead(headOf(0), headOf(0), { oldSize: 0, path: [] })).toEqual({ kind: 'cosign' });
  });

  test('has no proof by a path that does not fit, nor by a head that is smaller', () => {
    expect(judgeHead(headOf(3), headOf(5), { oldSize: 3, path: [other] })).toEqual({
      ...{ kind: 'refuse', status: 422, isProof: false },
    });
    expect(judgeHead(headOf(3), headOf(2), { oldSize: 2, path: [] })).toEqual({
      ...{ kind: 'refuse', status: 409, isProof: false },
    });
  });
});
