import { concatBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { encodeNameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import { listIndexerParts } from '../../service/src/indexer-parts.ts';
import { forEachEngine } from '../harness/engines.ts';
import { compareDumps, dumpIndex, type IndexDump } from '../harness/index-dump.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { type OpenNode, prepareOpenNode } from '../harness/open-node.ts';
import { type OpenCoin, openScript, spendCoins } from '../harness/open-transactions.ts';
import { listQuietBlocks, type MinedBlock, type MinedTransaction } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signer, signTransaction } from '../harness/signing-wallet.ts';
import { catchUp, openTestIndexer } from '../harness/test-indexer.ts';
import { commitTo, registerOf } from './name-desk.ts';
import { shortLivedContext, shortLivedProfile } from './name-profile.ts';
import { expectLedger } from './name-truth.ts';

/** Payloads of senders that count, and of those whose script is none of a sender. */
const SIGNED = 4_000;
const OPEN = 6_000;
const BLOCKS = 10;
const PRICE = 10_000_000n;
const { rules } = shortLivedContext;
const parts = listIndexerParts(shortLivedProfile);
const MINER = openScript(0x50000000);

let node: TestNode;
const blocks: MinedBlock[] = [];

/** A payload that was right, with some damage; or bytes that begin like one; or nothing but bytes. */
function makePayload(random: Random, signers: readonly Signer[]): Uint8Array {
  const signer = random.pick(signers);
  const name = random.pick(['abcde.coin', 'fghij.test']);
  const right = encodeNameOperation(
    random.pick([
      commitTo(signer, name),
      registerOf(name, random.integer(0, 4)),
      { kind: 'transfer', toVout: random.integer(0, 4), name } as const,
      { kind: 'renew', periods: random.integer(0, 4), name } as const,
      { kind: 'reverse', name: random.pick([name, '']) } as const,
      { kind: 'records', hash: random.bytes(32), name } as const,
    ]),
    rules.marker,
  );
  const choice = random.integer(1, 10);
  if (choice === 1) return concatBytes(rules.marker, random.bytes(random.integer(0, 76)));
  if (choice === 2) return random.bytes(random.integer(2, 80));
  if (choice <= 4) return right;
  const at = random.integer(Math.min(4, right.length - 1), right.length - 1);
  if (choice <= 6) return right.slice(0, at);
  if (choice <= 8) return concatBytes(right, random.bytes(random.integer(1, 80 - right.length)));
  const damaged = right.slice();
  damaged[at] = random.integer(0, 255);
  return damaged;
}

beforeAll(async () => {
  node = await startNode();
  // Of the node's wallet; they mature while the open coins are mined.
  await node.mine(30);
  const open: OpenNode = await prepareOpenNode(node);
  const random = createRandom(8);
  const signers = ['una', 'vic', 'wim'].map((name) => createSigner(`hostile ${name}`, shortLivedProfile));
  await fundSigners(node, signers, 300);
  const coins: OpenCoin[] = await open.makeCoins(BLOCKS);
  blocks.push(...(await listQuietBlocks(node)));
  for (let i = 0; i < BLOCKS; i++) {
    const transactions: (MinedTransaction & { hex: string })[] = [];
    const carrier = () => ({ value: 0n, script: buildCarrier(makePayload(random, signers)) });
    for (let n = 0; n < SIGNED / BLOCKS; n++) {
      const signer = random.pick(signers);
      const paid = random.pick([0n, PRICE, PRICE * 3n]);
      const to = { value: 10_000n, script: random.pick(signers).script };
      transactions.push(signTransaction(signer, [carrier(), to, { value: paid, script: rules.feeScript }]));
    }
    let coin = coins.pop()!;
    let prevoutScript = openScript(0);
    for (let n = 0; n < OPEN / BLOCKS; n++) {
      const script = openScript(0x10000000 + n);
      const spent = spendCoins([coin], [carrier(), { value: coin.value - 1n, script }]);
      transactions.push({ ...spent, prevoutScript });
      coin = spent.coin(1);
      prevoutScript = script;
    }
    const hash = getValue(parseDisplayHash(await open.mineBlock(transactions, MINER)));
    blocks.push({ height: blocks.length, hash, transactions });
  }
});
afterAll(() => node.stop());

const dumps: IndexDump[] = [];

forEachEngine('ten thousand payloads, right, damaged and random', (engine) => {
  test('are indexed as the rules alone judge them', async () => {
    const indexer = await openTestIndexer(await engine.openUrl(), { parts });
    await catchUp(node.client, indexer);
    const seen = await expectLedger(indexer, blocks);
    for (const each of [
      'commit',
      'register',
      'transfer',
      'reverse',
      'records',
      'payload_truncated',
      'payload_trailing',
      'unknown_opcode',
      'sender_unsupported',
      'label_characters',
    ]) {
      expect(seen).toContain(each);
    }
    dumps.push(await dumpIndex(indexer.database));
    await indexer.close();
  });
});

test('both engines hold the same rows and hashes', () => {
  expect(dumps).toHaveLength(2);
  const names = dumps.map((dump) =>
    Object.fromEntries(Object.entries(dump).filter(([table]) => table.startsWith('name_'))),
  );
  expect(Object.keys(names[0]!)).toHaveLength(10);
  expect(compareDumps(names[0]!, names[1]!)).toEqual([]);
});
