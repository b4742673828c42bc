import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resumeTraffic } from './chain/mine.ts';
import { type BenchChain, ensureBenchChain } from './chain-maker.ts';
import { fetchBlockHashes, measureDownload } from './download.ts';

const TRANSACTIONS = 1_500;

describe('ensureBenchChain on a real node', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'coinfront-chain-test-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const ensure = (copy = false) =>
    ensureBenchChain({ transactions: TRANSACTIONS, dir, copy, report: () => {} });

  // One test: each start and stop of a node takes seconds, and each step needs the chain of the step before.
  it('makes a chain once, downloads all of it, and lets only copies grow', { timeout: 120_000 }, async () => {
    const made = await ensure();
    const { facts } = made;
    try {
      await expectHonestFacts(made);
      await expectWholeDownload(made);
    } finally {
      await made.stop();
    }
    const { mtimeMs } = await stat(join(dir, 'chain.json'));

    const copy = await ensure(true);
    try {
      expect(copy.facts).toEqual(facts);
      const traffic = await resumeTraffic(copy.node, { seed: facts.seed, transactions: TRANSACTIONS });
      const raws = Array.from({ length: 200 }, () => traffic.next().hex);
      await copy.node.rpc('generateblock', 'raw(51)', raws);
      expect(await copy.node.rpc('getblockcount')).toBe(facts.blocks + 1);
    } finally {
      await copy.stop();
    }

    const original = await ensure();
    try {
      expect(await original.node.rpc('getbestblockhash')).toBe(facts.tipHash);
      expect((await stat(join(dir, 'chain.json'))).mtimeMs).toBe(mtimeMs);
    } finally {
      await original.stop();
    }
  });
});

async function expectHonestFacts({ node, facts }: BenchChain): Promise<void> {
  expect(await node.rpc('getblockcount')).toBe(facts.blocks);
  expect(await node.rpc('getbestblockhash')).toBe(facts.tipHash);
  const tip = await node.rpc<{ tx: string[] }>('getblock', facts.tipHash, 1);
  expect(facts.sampleTxids.some((txid) => tip.tx.includes(txid))).toBe(true);
  const { isvalid } = await node.rpc<{ isvalid: boolean }>('validateaddress', facts.hotAddress);
  expect(isvalid).toBe(true);
}

async function expectWholeDownload({ node, facts }: BenchChain): Promise<void> {
  const hashes = await fetchBlockHashes(node, facts.blocks);
  expect(hashes.at(-1)).toBe(facts.tipHash);
  const blocks = await Promise.all(hashes.map((hash) => node.rpc<{ size: number }>('getblock', hash, 1)));
  const { bytes, tried } = await measureDownload(node, hashes, 1);
  expect(bytes).toBe(blocks.reduce((sum, { size }) => sum + size, 0));
  expect(Object.keys(tried)).toEqual(['1', '2', '4', '8', '16']);
}
