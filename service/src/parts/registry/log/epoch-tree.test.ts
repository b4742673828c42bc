import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { hashRegistryText, leafOfReceipt } from '@coinfront/protocol/registry/receipt.ts';
import { rootOfLeaves, verifyInclusion } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrecious, type Precious } from '../../../db/precious.ts';
import { preciousMigrations } from '../../../migrations.ts';
import type { RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import { completeParts, endsPart, PART_RECEIPTS, proveInclusion } from './epoch-tree.ts';

const EPOCH = 7;
/** Epochs before have receipts, too. */
const FIRST = 100;
const RECEIPTS = 5 * PART_RECEIPTS + 33;
const span = { epoch: EPOCH, firstSequence: FIRST, lastSequence: FIRST + RECEIPTS - 1 };
const hashes = Array.from({ length: RECEIPTS }, (_, i) => hashRegistryText(`receipt ${i}`));
const leaves = hashes.map(leafOfReceipt);

let folder: string;
let precious: Precious;
let counting: RegistryQuery;
let rows = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-epoch-tree-'));
  precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
  for (let first = 0; first < RECEIPTS; first += PART_RECEIPTS) {
    const some = hashes.slice(first, first + PART_RECEIPTS).map((hash, i) => ({
      ...{ sequence: FIRST + first + i, epoch: EPOCH, node_key: null, hash, document: '', signature: '' },
    }));
    await precious.query<RegistryTables>().insertInto('registry_receipt').values(some).execute();
  }
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rows += result.rows.length;
      return result;
    },
  };
  counting = precious.query<RegistryTables>().withPlugin(count);
});
afterAll(async () => {
  await precious.close();
  await rm(folder, { recursive: true });
});

test('the roots of its parts make the root of the epoch', async () => {
  const roots = await completeParts(counting, span);
  expect(bytesToHex(rootOfLeaves(roots))).toBe(bytesToHex(rootOfLeaves(leaves)));
  expect(await completeParts(counting, span)).toEqual(roots);
});

test('every receipt is proved, in whatever part it is', async () => {
  const root = rootOfLeaves(leaves);
  const edges = [0, 1, PART_RECEIPTS - 1, PART_RECEIPTS, 3 * PART_RECEIPTS + 5, RECEIPTS - 33, RECEIPTS - 1];
  for (const index of edges) {
    const path = await proveInclusion(counting, span, FIRST + index);
    const proof = { leafHash: leaves[index]!, index, size: RECEIPTS, path, root };
    expect([index, verifyInclusion(proof)]).toEqual([index, true]);
  }
});

test('a proof reads its own part, and one root of each other: not the receipts of the epoch', async () => {
  await completeParts(counting, span);
  rows = 0;
  await proveInclusion(counting, span, FIRST + 3);
  // Its part, the short one at the end, and the roots of five.
  expect(rows).toBe(PART_RECEIPTS + 33 + 5);
});

test('a part ends with its last receipt', () => {
  const upTo = (lastSequence: number) => ({ epoch: EPOCH, firstSequence: FIRST, lastSequence });
  const end = FIRST + PART_RECEIPTS - 1;
  expect(endsPart(upTo(end - 1), FIRST)).toBe(false);
  expect(endsPart(upTo(end), end)).toBe(true);
  expect(endsPart(upTo(end + 50), end - 50)).toBe(true);
  expect(endsPart(upTo(end + 50), end + 1)).toBe(false);
});
