import { join } from 'node:path';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import type { ReadChain } from '../service/src/chain/chain-view.ts';
import { createReadChain } from '../service/src/chain/read-chain.ts';
import type { DatabaseLocation } from '../service/src/db/database.ts';
import { openDatabase } from '../service/src/db/open.ts';
import type { FetchedBlock } from '../service/src/indexer/feed/fetched-block.ts';
import { createPrevoutFinder } from '../service/src/indexer/feed/find-prevouts.ts';
import { createBatchPreparer, PREPARER_LIMITS } from '../service/src/indexer/feed/prepare-batch.ts';
import { openIndex } from '../service/src/indexer/open-index.ts';
import { listIndexerParts } from '../service/src/indexer-parts.ts';
import { listHolders } from '../service/src/parts/tokens/token-store.ts';
import { balanceTable } from '../service/src/parts/tokens/token-tables.ts';
import { digestOf, makeOperationBlocks, makeProofBlocks } from './protocols/operation-blocks.ts';
import type { StorageMaker } from './storage.ts';
import { brief, quantile, type Row } from './table.ts';

/** As the service batches a first sync. */
const BATCH_TXS = 24_000;
const HORIZON_BLOCKS = 1_000;
const CACHE_MB = 32;
const PAGE = 26;
const LOOK_UPS = 2_000;
const HOLDERS = 100_000;
const FEW_HOLDERS = 10;
const FEW_PROOFS = 1_000;

type Made = { block: FetchedBlock; operations: number };
type Opened = Awaited<ReturnType<typeof openStorage>>;

/** What is measured, and how much of it. */
export type ProtocolScale = { operations: number; proofs: number; rounds: number };

/** Operations a second against the plain pace, a page of holders, and the look-up of a proof. */
export async function measureProtocols(storages: StorageMaker, scale: ProtocolScale): Promise<Row[]> {
  const profile = getShippedProfile('regtest');
  console.error(`protocols: making ${scale.operations} transfers`);
  const blocks = [...makeOperationBlocks(profile, scale.operations)];
  let plain = Number.POSITIVE_INFINITY;
  let tokens = Number.POSITIVE_INFINITY;
  const rows: Row[] = [];
  for (let round = 0; round < scale.rounds; round++) {
    plain = Math.min(plain, await timeIndexing(storages, { ...profile, tokens: undefined }, blocks));
    const last = round === scale.rounds - 1;
    tokens = Math.min(
      tokens,
      await timeIndexing(storages, profile, blocks, async (index) => {
        if (last) rows.push(await measureHolders(index));
      }),
    );
  }
  const operations = blocks.reduce((sum, each) => sum + each.operations, 0);
  return [
    {
      measure: 'tokens: pace with an operation in every transaction / without tokens',
      ratio: brief(plain / tokens),
      bound: '>= 0.5',
      figures: `${brief(operations / tokens)} / ${brief(operations / plain)} transactions a second`,
      how: `${operations} transactions in memory, given to the indexer in batches of ${BATCH_TXS} as in a first sync of ${blocks.length} blocks, the last ${HORIZON_BLOCKS} of which can be undone; the same blocks with and without the part`,
    },
    ...rows,
    await measureProofs(storages, profile, scale.proofs),
  ];
}

async function timeIndexing(
  storages: StorageMaker,
  profile: CoinProfile,
  blocks: readonly Made[],
  use: (index: Opened) => Promise<void> = async () => {},
): Promise<number> {
  const storage = await storages.open();
  const index = await openStorage(storage, profile);
  try {
    const startedAt = performance.now();
    await index.connect(blocks, blocks.at(-1)!.block.height);
    const seconds = (performance.now() - startedAt) / 1_000;
    await use(index);
    return seconds;
  } finally {
    await index.close();
    await storage.drop();
  }
}

async function openStorage(storage: { dataDir: string; databaseUrl?: string }, profile: CoinProfile) {
  const location: DatabaseLocation = storage.databaseUrl
    ? { kind: 'postgres', url: storage.databaseUrl }
    : { kind: 'sqlite', file: join(storage.dataDir, 'chain.db') };
  const parts = listIndexerParts(profile);
  const database = await openDatabase(location);
  const writer = await database.openWriter({ cacheMb: CACHE_MB });
  const { engine } = database;
  const { index } = await openIndex({
    writer,
    engine,
    parts,
    identity: 'bench',
    horizonBlocks: HORIZON_BLOCKS,
  });
  const readChain: ReadChain = createReadChain(database);
  const preparer = createBatchPreparer(PREPARER_LIMITS);
  const findPrevouts = createPrevoutFinder(database);
  return {
    writer,
    readChain,
    /** @param nodeHeight height of the node's tip; undefined: that of each batch, so that all of it can be undone */
    async connect(blocks: Iterable<Made>, nodeHeight?: number): Promise<void> {
      const apply = async () => {
        await preparer.resolve(findPrevouts);
        const batch = preparer.take();
        const height = nodeHeight ?? batch?.blocks.at(-1)?.height ?? 0;
        if (batch) await index.apply({ disconnectFrom: undefined, batch, nodeHeight: height, goesOn: true });
      };
      for (const { block } of blocks) {
        preparer.add(block, await index.findFirstOutput(block.height));
        if (preparer.size.txs >= BATCH_TXS) await apply();
      }
      await apply();
      await index.commit();
    },
    async close(): Promise<void> {
      await writer.close();
      await database.close();
    },
  };
}

/** Rows of two more tokens, with many holders and with few; their first page and one from the middle. */
async function measureHolders({ writer, readChain }: Opened): Promise<Row> {
  // Numbers that no token of the chain has.
  const many = 1_000_000;
  const few = 1_000_001;
  await writer.begin();
  for (const [token, count] of [
    [many, HOLDERS],
    [few, FEW_HOLDERS],
  ] as const) {
    // Any output's number leads to a script.
    const ids = Array.from({ length: count }, (_, i) => i);
    await writer.insert(balanceTable.table, count, [
      ids,
      ids.map(() => token),
      ids.map((_, i) => BigInt((i * 7_919) % count) + 1n),
    ]);
  }
  await writer.commit();
  const middle = { amount: BigInt(HOLDERS / 2), scriptId: 0 };
  const page = (token: number, after: typeof middle | undefined) =>
    time(() =>
      readChain(async (view) => {
        const rows = await listHolders(view.reader, token, after, PAGE);
        await view.getScripts(rows.map(({ scriptId }) => scriptId));
      }),
    );
  await page(many, middle);
  const [small, first, deep] = [
    await page(few, undefined),
    await page(many, undefined),
    await page(many, middle),
  ];
  return {
    measure: `tokens: page of holders, of ${HOLDERS} / of ${FEW_HOLDERS}`,
    ratio: brief(Math.max(first, deep) / small),
    bound: 'near 1 a row',
    figures: `first ${brief(first)} ms, from the middle ${brief(deep)} ms (${PAGE - 1} rows) / ${brief(small)} ms (${FEW_HOLDERS} rows)`,
    how: `median of ${LOOK_UPS} reads, each in a snapshot of its own, without HTTP`,
  };
}

async function measureProofs(storages: StorageMaker, profile: CoinProfile, proofs: number): Promise<Row> {
  const lookUp = async (count: number): Promise<number> => {
    const storage = await storages.open();
    const index = await openStorage(storage, profile);
    try {
      console.error(`protocols: indexing ${count} proofs`);
      await index.connect(makeProofBlocks(profile, count));
      let at = 0;
      return await time(() => {
        at = (at + 104_729) % count;
        const script = anchorScript(digestOf(at), profile.proofs.marker);
        return index.readChain(async (view) => {
          if ((await view.findFirstOutput(script)) === undefined) throw new Error(`proof ${at} is lost`);
        });
      });
    } finally {
      await index.close();
      await storage.drop();
    }
  };
  const few = await lookUp(Math.min(FEW_PROOFS, proofs));
  const many = await lookUp(proofs);
  return {
    measure: `proofs: look-up of one among ${proofs} / among ${Math.min(FEW_PROOFS, proofs)}`,
    ratio: brief(many / few),
    bound: 'small',
    figures: `${brief(many)} ms / ${brief(few)} ms`,
    how: `median of ${LOOK_UPS} look-ups of the primary anchor, without HTTP`,
  };
}

/** Milliseconds of one call: the median. */
async function time(call: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < LOOK_UPS; i++) {
    const startedAt = performance.now();
    await call();
    taken.push(performance.now() - startedAt);
    // Reads of one turn would share a snapshot.
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return quantile(taken, 0.5);
}
