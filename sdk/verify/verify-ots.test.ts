import { readFileSync } from 'node:fs';
import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { describe, expect, test } from 'vitest';
import { readOts, verifyOts } from './verify-ots.ts';

const vectors = new URL('../../docs/protocols/vectors/proofs.json', import.meta.url);
const { tree } = JSON.parse(readFileSync(vectors, 'utf8'));
const digest: string = tree.leaves[2].digest;
const blockHash = toDisplayHash(getHexBytes(tree.block_hash));

describe.each<{ genesis_hash: string; height: number; file: string }>(tree.ots)(
  'a file for the chain of $genesis_hash',
  ({ genesis_hash: genesisHash, height, file: hex }) => {
    const file = getHexBytes(hex);
    const options = { genesisHash, height, headers: [tree.anchor.header] };

    test('tells its digest and its block, and holds with the header of that', () => {
      expect(readOts(file, genesisHash)).toMatchObject({
        ok: true,
        value: { hash: 'sha256', digest, blocks: [{ height }], pending: [], others: 0 },
      });
      const verdict = verifyOts(digest, file, { ...options, trustedBlock: blockHash });
      expect(verdict).toMatchObject({ ok: true, height, blockHash, headers: 1, unchecked: [] });
    });

    test('proves nothing of another digest, height, header, block or chain', () => {
      const other = `${tree.anchor.header.slice(0, 72)}${'00'.repeat(32)}${tree.anchor.header.slice(136)}`;
      const codes = [
        verifyOts('ab'.repeat(32), file, options),
        verifyOts(digest, file, { ...options, height: height + 1 }),
        verifyOts(digest, file, { ...options, genesisHash: '00'.repeat(32) }),
        verifyOts(digest, file, { ...options, headers: [other] }),
        verifyOts(digest, file, { ...options, headers: [] }),
        verifyOts(digest, file, { ...options, headers: ['zz'] }),
        verifyOts(digest, file, { ...options, headers: [tree.anchor.header, other] }),
        verifyOts(digest, file, { ...options, trustedBlock: '00'.repeat(32) }),
        verifyOts(digest, file.subarray(1), options),
      ].map((verdict) => (verdict.ok ? undefined : verdict.code));
      expect(codes).toEqual([
        'digest_differs',
        'block_missing',
        'block_missing',
        'root_differs',
        'header_malformed',
        'header_malformed',
        'headers_unlinked',
        'trusted_block_missing',
        'ots_malformed',
      ]);
    });
  },
);
