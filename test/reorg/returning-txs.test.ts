import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, serializeTransaction } from '@coinfront/protocol/transaction.ts';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type SqlValue, sql } from '../../service/src/db/statement.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';
import { forEachEngine, type TestEngine } from '../harness/engines.ts';
import { nextSnapshot } from '../harness/index-dump.ts';
import { openScript, spendCoins } from '../harness/open-transactions.ts';
import { openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';
import { assembleBlock } from './assemble-block.ts';
import { canSpend, listTxs, listUnspent, spendIn } from './block-outpoints.ts';
import { blockPlanArbitrary, buildBlock, type SyntheticBlock } from './synthetic-chain.ts';

const FORK = 12;
const chain = buildChain(20);
const txsOfChain = chain.map(({ fetched }) => listTxs(fetched));

forEachEngine('transactions of blocks that go', (engine) => {
  test('return with all that builds on them, but for what builds on a coinbase that went', async () => {
    const indexer = await openAtTip(engine);
    await indexer.index.apply({ disconnectFrom: FORK, batch: undefined, nodeHeight: FORK - 1 });
    const expected = await expectMempoolAfter(engine, indexer, chain.slice(0, FORK));
    const went = txsOfChain.slice(FORK).flat().length;
    expect(expected).toBeGreaterThan(10);
    expect(expected).toBeLessThan(went - (chain.length - FORK));
  });

  test('return but for what the other branch has, what spends the same, and what builds on that', async () => {
    const indexer = await openAtTip(engine);
    const branch = buildBranch();
    const nodeHeight = branch.at(-1)!.height;
    for (const block of branch) {
      await indexer.index.apply({
        disconnectFrom: block.height === FORK ? FORK : undefined,
        batch: await indexer.prepare([block]),
        nodeHeight,
        goesOn: block.height < nodeHeight,
      });
    }
    const blocks = [...chain.slice(0, FORK).map(({ fetched }) => fetched), ...branch];
    expect(await expectMempoolAfter(engine, indexer, blocks)).toBeGreaterThan(5);
  });

  test('take with them what the mempool had upon those that are lost', async () => {
    const indexer = await openAtTip(engine);
    const coins = chain.at(-1)!.coins.slice(-40);
    const children = coins.map((coin) =>
      serializeTransaction(spendCoins([coin], [{ value: coin.value, script: openScript(1) }]).tx, {
        witness: true,
      }),
    );
    await indexer.mempool.update(children, [], Date.now());
    expect(indexer.mempool.size).toBe(children.length);
    await indexer.index.apply({ disconnectFrom: FORK, batch: undefined, nodeHeight: FORK - 1 });
    await expectMempoolAfter(engine, indexer, chain.slice(0, FORK), children);
  });
});

function buildChain(length: number): SyntheticBlock[] {
  const plans = fc.sample(blockPlanArbitrary({ minLength: 20, maxLength: 25 }), { numRuns: length, seed: 3 });
  const blocks: SyntheticBlock[] = [];
  for (const [i, plan] of plans.entries()) blocks.push(buildBlock(blocks.at(-1), plan, i));
  return blocks;
}

/**
 * Has two thirds of what went, as far as it can, in the blocks where it was, and spends otherwise what the rest spent in part.
 */
function buildBranch(): FetchedBlock[] {
  const unspent = listUnspent(chain.slice(0, FORK).map(({ fetched }) => fetched));
  const blocks: FetchedBlock[] = [];
  for (let height = FORK; height < chain.length; height++) {
    const [coinbase] = listTxs(
      buildBlock(chain[height - 1], { coinbase: [{ script: 0, share: 10 }], txs: [] }, 77).fetched,
    );
    const txs = [coinbase!];
    for (const [i, tx] of txsOfChain[height]!.entries()) {
      if (i === 0 || !canSpend(unspent, tx)) continue;
      if (i % 3 > 0) {
        spendIn(unspent, tx);
        txs.push(tx);
      } else if (i % 6 === 0) {
        const { prevTxid: txid, prevVout: vout } = tx.inputs[0]!;
        const other = spendCoins([{ txid, vout, value: 0n }], [{ value: 0n, script: openScript(2) }], 99).tx;
        spendIn(unspent, other);
        txs.push(other);
      }
    }
    const time = 1_700_000_000 + height;
    blocks.push(assembleBlock(blocks.at(-1) ?? chain[FORK - 1]!.fetched, { height, time, nonce: 77, txs }));
  }
  return blocks;
}

async function openAtTip(engine: TestEngine): Promise<TestIndexer> {
  const indexer = await openWith(engine, chain);
  expect(indexer.index.state.height).toBe(chain.length - 1);
  return indexer;
}

async function openWith(
  engine: TestEngine,
  blocks: readonly (SyntheticBlock | FetchedBlock)[],
): Promise<TestIndexer> {
  const indexer = await openTestIndexer(await engine.openUrl(), { parts: [], horizonBlocks: 100 });
  onTestFinished(() => indexer.close());
  for (const block of blocks) {
    const batch = await indexer.prepare(['fetched' in block ? block.fetched : block]);
    await indexer.index.apply({ disconnectFrom: undefined, batch, nodeHeight: blocks.length - 1 });
  }
  return indexer;
}

/**
 * Expects the mempool that a fresh index of these blocks has when it is told of all that went and can be mined on them, and of what was in
 * the mempool.
 *
 * @returns how many transactions that is
 */
async function expectMempoolAfter(
  engine: TestEngine,
  { mempool, database }: TestIndexer,
  blocks: readonly (SyntheticBlock | FetchedBlock)[],
  inMempool: readonly Uint8Array[] = [],
): Promise<number> {
  const unspent = listUnspent(blocks.map((block) => ('fetched' in block ? block.fetched : block)));
  const raws: Uint8Array[] = [];
  const children = inMempool.map((raw) => getValue(parseTransaction(raw)));
  for (const tx of [...txsOfChain.slice(FORK).flat(), ...children]) {
    if (!canSpend(unspent, tx)) continue;
    spendIn(unspent, tx);
    raws.push(serializeTransaction(tx, { witness: true }));
  }
  const fresh = await openWith(engine, blocks);
  expect(await fresh.mempool.update(raws, [], Date.now())).toBe(0);
  expect([...mempool.txids()].sort()).toEqual([...fresh.mempool.txids()].sort());
  expect(await listMempoolRows(database)).toEqual(await listMempoolRows(fresh.database));
  return raws.length;
}

const LIST_TXS = sql<Record<string, SqlValue>>(
  'select txid, weight, fee, output_value, raw, minus_rate from mempool_tx',
);
const LIST_SPENDS = sql<Record<string, SqlValue>>(
  `select s.txid as spent, s.vout, s.vin, m.txid from mempool_spend s join mempool_tx m on m.id = s.tx_id`,
);
const LIST_SCRIPTS = sql<Record<string, SqlValue>>(
  `select m.txid, s.script_hash, s.funded_count, s.funded_sum, s.spent_count, s.spent_sum
   from mempool_script s join mempool_tx m on m.id = s.tx_id`,
);

/** All rows but for numbers and times, which hang on the way there. */
async function listMempoolRows(database: TestIndexer['database']): Promise<string[]> {
  await nextSnapshot();
  return await database.snapshot(async (reader) => {
    const rows: string[] = [];
    for (const statement of [LIST_TXS, LIST_SPENDS, LIST_SCRIPTS]) {
      for (const row of await reader.all(statement))
        rows.push(
          Object.values(row)
            .map((value) => (value instanceof Uint8Array ? bytesToHex(value) : String(value)))
            .join(' '),
        );
    }
    return rows.sort();
  });
}
