import type { StatePageJson } from '@coinfront/api/protocol-state.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { hashState } from '@coinfront/protocol/hash-chain.ts';
import { expect, test } from 'vitest';
import { verifyState } from './verify-state.ts';

const script = Uint8Array.of(0x51);
const row = (kind: number, key: string, value = 'aa'): StatePageJson['items'][number] => ({
  kind,
  key,
  value,
  script: null,
});
const page = (items: StatePageJson['items'], next: string | null, height = 7): StatePageJson => ({
  as_of: { height, hash: '11'.repeat(32) },
  rules_id: '22'.repeat(32),
  chain_hash: '33'.repeat(32),
  items,
  next_cursor: next,
});

/** Pages whose cursors are their numbers. */
function serve(...pages: StatePageJson[]) {
  return async (cursor: string | undefined) => pages[Number(cursor ?? 0)]!;
}

test('the hash of the rows of all pages is state(h), whatever pages are empty', async () => {
  const owned = { ...row(1, '02', bytesToHex(sha256(script))), script: bytesToHex(script) };
  const pages = [page([row(1, '01'), owned], '1'), page([], '2'), page([row(2, '00')], null)];
  const state = await verifyState(serve(...pages));
  const rows = pages.flatMap(({ items }) =>
    items.map(({ kind, key, value }) => ({
      kind,
      key: new Uint8Array(Buffer.from(key, 'hex')),
      value: new Uint8Array(Buffer.from(value, 'hex')),
    })),
  );
  expect(state).toMatchObject({ height: 7, rows: 3, stateHash: bytesToHex(hashState(rows)) });
});

test.each([
  ['of two states', [page([row(1, '01')], '1'), page([row(1, '02')], null, 8)], 'several states'],
  ['out of order', [page([row(1, '02'), row(1, '01')], null)], 'out of order'],
  ['with another script', [page([{ ...row(1, '01'), script: '51' }], null)], 'script'],
])('pages %s are refused', async (_, pages, message) => {
  await expect(verifyState(serve(...pages))).rejects.toMatchObject({
    code: 'invalid_answer',
    message: expect.stringContaining(message),
  });
});
