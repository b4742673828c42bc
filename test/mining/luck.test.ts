import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { ChainView, ReadChain } from '../../service/src/chain/chain-view.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import type { MiningHistoryTables } from '../../service/src/parts/mining/history/mining-tables.ts';
import {
  findEfforts,
  keepEfforts,
  maxKeptEfforts,
} from '../../service/src/parts/mining/luck/effort-store.ts';
import { createEffortRecorder } from '../../service/src/parts/mining/luck/record-efforts.ts';
import { insertSeenBlocks, type MiningTables } from '../../service/src/parts/mining/seen-block-store.ts';
import type { KeptReading } from '../../service/src/parts/mining/watch-pool.ts';
import { forEachEngine } from '../harness/engines.ts';
import { openBeside } from '../harness/precious-rows.ts';

const start = Date.UTC(2026, 2, 1, 12);
const MINUTE_MS = 60_000;
const hashOf = (height: number) => height.toString(16).padStart(64, '0');

/** Of difficulty 1. */
const header = new Uint8Array(80);
header.set(getHexBytes('ffff001d'), 72);
const readChain: ReadChain = async (read) =>
  read({ findBlockAt: async (height) => ({ height, header }) } as Partial<ChainView> as ChainView);

const readingAt = (atMs: number, shareDifficulty: number): KeptReading => ({
  writtenAtMs: atMs,
  readAtMs: atMs,
  hashrates: [{ windowSeconds: 300, milliHashesPerSecond: 1n }],
  miners: undefined,
  workers: undefined,
  shareDifficulty,
  rejectedShares: undefined,
  effort: undefined,
  bestShare: undefined,
  minerList: undefined,
  isListComplete: false,
  blocks: undefined,
  payments: undefined,
});

forEachEngine('the effort of blocks of a pool', (engine) => {
  async function open(): Promise<Precious> {
    const precious = await openBeside(await engine.openUrl());
    onTestFinished(() => precious.close());
    return precious;
  }
  const see = (
    precious: Precious,
    height: number,
    atMs: number,
    grade: 'verified' | 'tag_only' = 'verified',
  ) =>
    precious.transaction<MiningTables, void>((trx) =>
      insertSeenBlocks(
        trx,
        [
          {
            hash: hashOf(height),
            height,
            time: 1,
            grade,
            total: 1n,
            miner: 1n,
            operator: 0n,
            minerScript: undefined,
          },
        ],
        atMs,
      ),
    );
  const find = (precious: Precious, ...heights: number[]) =>
    findEfforts(precious.query<MiningHistoryTables>(), heights.map(hashOf));

  test('is observed where the share count begins anew with one block, and unknown where two came', async () => {
    const precious = await open();
    const state = { reading: readingAt(start, 0.5) as KeptReading | undefined, nowMs: start };
    const record = createEffortRecorder({
      precious,
      readChain,
      watch: { current: () => ({ readings: state.reading ? [state.reading] : [], failed: false }) },
      now: () => state.nowMs,
    });
    const sayAt = async (minutes: number, shares: number) => {
      state.nowMs = start + minutes * MINUTE_MS;
      state.reading = readingAt(state.nowMs, shares);
      await record();
    };
    await sayAt(0, 0.5);
    await sayAt(1, 1.25);
    await see(precious, 10, start + 1.5 * MINUTE_MS);
    // A tag alone is not the pool's.
    await see(precious, 11, start + 1.6 * MINUTE_MS, 'tag_only');
    await sayAt(2, 0.01);
    await sayAt(3, 2);
    await see(precious, 12, start + 3.2 * MINUTE_MS);
    await see(precious, 13, start + 3.4 * MINUTE_MS);
    await sayAt(4, 0.02);
    const efforts = await find(precious, 10, 11, 12, 13);
    expect([...efforts.keys()]).toEqual([hashOf(10)]);
    expect(efforts.get(hashOf(10))).toMatchObject({ kind: 'observed' });
    expect(efforts.get(hashOf(10))!.effort).toBeCloseTo(1.25, 6);
  });

  test('is kept as it was observed, until the pool reports it, and of so many blocks at most', async () => {
    const precious = await open();
    const db = precious.query<MiningHistoryTables>();
    const row = (height: number, effort: number, kind: 'observed' | 'reported') => ({
      hash: hashOf(height),
      height,
      effort,
      kind,
    });
    await keepEfforts(db, [row(1, 0.5, 'observed'), row(1, 0.75, 'observed')]);
    expect((await find(precious, 1)).get(hashOf(1))).toEqual({ effort: 0.5, kind: 'observed' });
    await keepEfforts(db, [row(1, 0.6, 'reported'), row(1, 9, 'observed')]);
    expect((await find(precious, 1)).get(hashOf(1))).toEqual({ effort: 0.6, kind: 'reported' });
    const many = Array.from({ length: maxKeptEfforts }, (_, i) => row(i + 2, 1, 'reported'));
    for (let at = 0; at < many.length; at += 1_000)
      await db
        .insertInto('pool_effort')
        .values(many.slice(at, at + 1_000))
        .execute();
    await keepEfforts(db, [row(2, 1, 'reported')]);
    expect([...(await find(precious, 1, 2)).keys()]).toEqual([hashOf(2)]);
  });
});
