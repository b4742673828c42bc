import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresTables, type PostgresTables } from '../../../../test/harness/postgres-tables.ts';
import { DatabaseDamagedError } from '../../db/damage.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { viewOf } from '../encoding/copy-entry.ts';
import { chainTables, runPageTables } from '../layout.ts';
import { createFreshEntries } from './fresh-entries.ts';
import { findManyTxIds } from './read-txs.ts';
import { openRunStore, type RunStore } from './run-store.ts';

const RUNS = 3;
const TXS_A_RUN = 4_000;
/** Many keys begin alike, and some are the same: pages begin, end and go on within them. */
const BEGINNINGS = 90;

type Tx = { id: number; txid: Uint8Array };

let opened: PostgresTables;
let writer: Writer;
let store: RunStore;
const txs: Tx[] = [];

function makeTxid(n: number): Uint8Array {
  const txid = new Uint8Array(createHash('sha256').update(`txid ${n}`).digest());
  // Every fourth has the first half of an earlier one.
  if (n % 4 === 3 && n > 40) txid.set(txs[n - 37]!.txid.subarray(0, 16));
  else if (n % 2 === 0)
    txid.set(
      createHash('sha256')
        .update(`beginning ${n % BEGINNINGS}`)
        .digest()
        .subarray(0, 4),
    );
  return txid;
}

beforeAll(async () => {
  opened = await openPostgresTables([...chainTables, ...runPageTables]);
  ({ writer } = opened);
  const options = {
    horizonBlocks: 1,
    fileGraceMs: 0,
    threadEntries: Number.POSITIVE_INFINITY,
    segmentBytes: 0,
  };
  store = await openRunStore(writer, options);
  for (let run = 0; run < RUNS; run++) {
    const fresh = createFreshEntries();
    const firstOutput = run * TXS_A_RUN;
    for (let id = firstOutput; id < firstOutput + TXS_A_RUN; id++) {
      txs.push({ id, txid: makeTxid(id) });
      fresh.addTx(viewOf(txs[id]!.txid), 0, id);
    }
    const blocks = { firstHeight: run, lastHeight: run, firstOutput, endOutput: firstOutput + TXS_A_RUN };
    await writer.begin();
    await store.write(fresh, { ...blocks, txs: TXS_A_RUN });
    await writer.commit();
  }
});
afterAll(() => opened.close());

/** Counts reads of whole pages. */
function countPages(): { reader: Reader; readonly pages: number } {
  let pages = 0;
  const reader: Reader = {
    ...writer,
    get: (...args) => {
      pages++;
      return writer.get(...args);
    },
  };
  return {
    reader,
    get pages() {
      return pages;
    },
  };
}

test('all candidates of many txids are found, also where keys begin alike or are the same', async () => {
  const unknown = Array.from({ length: 500 }, (_, i) => {
    const txid = new Uint8Array(createHash('sha256').update(`unknown ${i}`).digest());
    if (i % 2 === 0) txid.set(txs[i * 3]!.txid.subarray(0, 4));
    return txid;
  });
  const known = txs.map(({ txid }) => txid);
  // Some are asked for twice.
  const asked = [...known, ...unknown, ...known.slice(0, 100)];
  const byKey = Map.groupBy(txs, ({ txid }) => Buffer.from(txid.subarray(0, 16)).toString('hex'));
  const wanted = asked.map((txid) =>
    (byKey.get(Buffer.from(txid.subarray(0, 16)).toString('hex')) ?? []).map(({ id }) => id).reverse(),
  );

  const { reader } = countPages();
  const found = await findManyTxIds(
    reader,
    store.set,
    asked.map((bytes) => ({ bytes, at: 0 })),
  );
  expect(found).toEqual(wanted);
});

test('hardly any page is read as a whole for txids that are hashes', async () => {
  const counted = countPages();
  const plain = txs.filter(({ id }) => id % 4 === 1).map(({ txid }) => ({ bytes: txid, at: 0 }));
  await findManyTxIds(counted.reader, store.set, plain);
  expect(plain.length).toBe((RUNS * TXS_A_RUN) / 4);
  expect(counted.pages).toBeLessThan(plain.length / 20);
});

test('a page that is missing is told, and no txid of it is said to be unknown', async () => {
  const { pages } = (await writer.get(sql<{ pages: number }>('select count(*) as pages from tx_run')))!;
  const [gone] = await writer.all(
    sql<{ page: number }>('select page from tx_run order by page offset $1 limit 1'),
    [Math.floor(pages / 2)],
  );
  await writer.begin();
  await writer.run(sql('delete from tx_run where page = $1'), [gone!.page]);
  const everything = txs.map(({ txid }) => ({ bytes: txid, at: 0 }));
  await expect(findManyTxIds(writer, store.set, everything)).rejects.toThrow(DatabaseDamagedError);
  await writer.rollback();
});
