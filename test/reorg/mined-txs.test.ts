import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { serializeTransaction, type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../service/src/db/statement.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';
import { type DatabaseLocation, forEachEngine, type TestEngine } from '../harness/engines.ts';
import { nextSnapshot } from '../harness/index-dump.ts';
import { type OpenCoin, openScript, spendCoins } from '../harness/open-transactions.ts';
import { openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';
import { assembleBlock } from './assemble-block.ts';
import { canSpend, listTxs, listUnspent, spendIn } from './block-outpoints.ts';
import { blockPlanArbitrary, buildBlock, type SyntheticBlock } from './synthetic-chain.ts';

const LENGTH = 12;
/** Its last block but for the coinbase is in the mempool before it comes. */
const chain = buildChain();
const last = chain.at(-1)!.fetched;
const waiting = listPossible();
/** Builds upon them, and stays in it. */
const untouched = findUntouched();
const bystander = spendCoins([untouched], [{ value: 1n, script: openScript(777) }]).tx;

const bystanderRows = { txs: 1, spends: 1, scripts: 2 };

forEachEngine('what a block mines out of the mempool', (engine) => {
  test('is out of it for every reader though rows of it are left, and sweeping changes nothing that can be read', async () => {
    const indexer = await openBelowTip(engine);
    await connect(indexer, last);
    expect(indexer.mempool.size).toBe(1);
    expect(await countRows(indexer)).toMatchObject({ txs: 1, spends: expect.toSatisfy((n) => n > 1) });
    const before = await describeMempool(indexer);
    expect(before).toEqual({ txs: 1, funded: 0n, spent: 0n, history: 0, utxos: 0 });
    await indexer.mempool.sweep(() => false);
    expect(await countRows(indexer)).toEqual(bystanderRows);
    expect(await describeMempool(indexer)).toEqual(before);
  });

  test('returns with a reorg that comes before its rows are swept', async () => {
    const indexer = await openBelowTip(engine);
    const [before, rows] = [await describeMempool(indexer), await countRows(indexer)];
    await connect(indexer, last);
    const { height } = last;
    await indexer.index.apply({ disconnectFrom: height, batch: undefined, nodeHeight: height - 1 });
    expect(indexer.mempool.size).toBe(waiting.length + 1);
    expect(await describeMempool(indexer)).toEqual(before);
    expect(await countRows(indexer)).toEqual(rows);
  });

  test('has no rows left when the next start has swept, nor when a transaction failed meanwhile', async () => {
    const location = await engine.openUrl();
    const indexer = await openBelowTip(engine, location);
    await connect(indexer, last);
    await indexer.mempool.reload();
    await indexer.close();
    const next = await openIndexer(location);
    const { spends } = await countRows(next);
    expect(spends).toBeGreaterThan(1);
    let slices = 0;
    await next.mempool.sweep(() => slices++ > 0);
    expect(await countRows(next)).toEqual(bystanderRows);
    await next.close();
  });

  test('leaves nothing of what it makes impossible: another may spend the rest of that', async () => {
    const indexer = await openBelowTip(engine);
    await connect(indexer, last);
    await indexer.mempool.sweep(() => false);
    const [one, other] = chain.at(-1)!.coins.slice(-2) as [OpenCoin, OpenCoin];
    const both = spendCoins([one, other], [{ value: one.value, script: openScript(1) }]).tx;
    const rival = spendCoins([one], [{ value: one.value, script: openScript(2) }]).tx;
    const rest = spendCoins([other], [{ value: other.value, script: openScript(3) }]).tx;
    expect(await indexer.mempool.update([rawOf(both)], [], Date.now())).toBe(0);
    const [coinbase] = listTxs(
      buildBlock(chain.at(-1), { coinbase: [{ script: 0, share: 10 }], txs: [] }, 77).fetched,
    );
    const place = { height: LENGTH, time: 1_800_000_000, nonce: 77 };
    await connect(indexer, assembleBlock(last, { ...place, txs: [coinbase!, rival] }));
    expect(await countRows(indexer)).toEqual(bystanderRows);
    expect(await indexer.mempool.update([rawOf(rest)], [], Date.now())).toBe(0);
    expect(indexer.mempool.size).toBe(2);
  });
});

function buildChain(): SyntheticBlock[] {
  const plans = fc.sample(blockPlanArbitrary({ minLength: 20, maxLength: 25 }), { numRuns: LENGTH, seed: 5 });
  const blocks: SyntheticBlock[] = [];
  for (const [i, plan] of plans.entries()) blocks.push(buildBlock(blocks.at(-1), plan, i));
  return blocks;
}

/** An output that one of them makes and none of the last block spends. */
function findUntouched(): OpenCoin {
  const made = new Set(waiting.map((tx) => bytesToHex(txidOf(tx))));
  return chain.at(-1)!.coins.find(({ txid }) => made.has(bytesToHex(txid)))!;
}

/** What of the last block can be in the mempool: nothing that builds upon its coinbase. */
function listPossible(): Transaction[] {
  const unspent = listUnspent(chain.slice(0, -1).map(({ fetched }) => fetched));
  return listTxs(last).filter((tx, position) => {
    const isPossible = position > 0 && canSpend(unspent, tx);
    if (isPossible) spendIn(unspent, tx);
    return isPossible;
  });
}

const rawOf = (tx: Transaction): Uint8Array => serializeTransaction(tx, { witness: true });

async function openIndexer(location: DatabaseLocation): Promise<TestIndexer> {
  return openTestIndexer(location, { parts: [], horizonBlocks: 100 });
}

/** With all but the last block, and with what that will mine in the mempool. */
async function openBelowTip(engine: TestEngine, location?: DatabaseLocation): Promise<TestIndexer> {
  const indexer = await openIndexer(location ?? (await engine.openUrl()));
  if (location === undefined) onTestFinished(() => indexer.close());
  for (const { fetched } of chain.slice(0, -1)) await connect(indexer, fetched);
  expect(await indexer.mempool.update([...waiting, bystander].map(rawOf), [], Date.now())).toBe(0);
  expect(indexer.mempool.size).toBe(waiting.length + 1);
  return indexer;
}

async function connect(indexer: TestIndexer, block: FetchedBlock): Promise<void> {
  const batch = await indexer.prepare([block]);
  await indexer.index.apply({ disconnectFrom: undefined, batch, nodeHeight: block.height });
}

const COUNT_ROWS = sql<{ txs: number; spends: number; scripts: number }>(
  `select (select count(*) from mempool_tx) as txs, (select count(*) from mempool_spend) as spends,
   (select count(*) from mempool_script) as scripts`,
);

async function countRows({ database }: TestIndexer) {
  await nextSnapshot();
  return await database.snapshot(async (reader) => {
    const { txs, spends, scripts } = (await reader.get(COUNT_ROWS))!;
    return { txs: Number(txs), spends: Number(spends), scripts: Number(scripts) };
  });
}

/** What readers see of the mempool by the scripts that these transactions pay, but for the one that the other spends from. */
async function describeMempool({ readChain }: TestIndexer) {
  await nextSnapshot();
  const scripts = new Map(
    waiting.flatMap(({ outputs }) => outputs.map(({ script }) => [String(script), script])),
  );
  const parent = waiting.find((tx) => equalBytes(txidOf(tx), untouched.txid))!;
  scripts.delete(String(parent.outputs[untouched.vout]!.script));
  return await readChain(async (view) => {
    const seen = { txs: view.mempool.txs, funded: 0n, spent: 0n, history: 0, utxos: 0 };
    for (const script of scripts.values()) {
      const { fundedSum, spentSum } = await view.getMempoolStats(script);
      seen.funded += fundedSum;
      seen.spent += spentSum;
      seen.history += (await view.listMempoolHistory(script, undefined, 100)).length;
      seen.utxos += (await view.listMempoolUtxos(script, undefined, 100)).length;
    }
    return seen;
  });
}
