import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainView, ReadChain } from '../../service/src/chain/chain-view.ts';
import { createReadChain } from '../../service/src/chain/read-chain.ts';
import type { Database, Reader } from '../../service/src/db/database.ts';
import { listUtxoPage } from '../../service/src/parts/chain/list-utxos.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { makeMatureCoins, mineExactly, type RawTx, scriptOf, send, spend } from '../harness/raw-coins.ts';
import { catchUp, openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';

const OUTPUTS = 1_500;
const SPENT = 600;
const VALUE = 10_000n;
const OWNER = 7;
/** Of blocks, pages of runs and the transactions themselves: what is not there for each input or output. */
const FIXED_ROWS = 60;

let node: TestNode;
/** Pays one script by all outputs, from which the two others spend. */
let wide: RawTx;
let mined: RawTx;
let pending: RawTx;

beforeAll(async () => {
  node = await startNode();
  const [coin] = await makeMatureCoins(node, { count: 1, value: VALUE * BigInt(OUTPUTS), owner: 1 });
  wide = spend(
    [coin!],
    Array.from({ length: OUTPUTS }, () => ({ value: VALUE, owner: OWNER })),
  );
  await mineExactly(node, [wide]);
  const fee = 200_000n;
  const total = VALUE * BigInt(SPENT);
  mined = spend(wide.coins.slice(0, SPENT), [{ value: total - fee, owner: 8 }]);
  await mineExactly(node, [mined]);
  pending = spend(wide.coins.slice(SPENT, 2 * SPENT).reverse(), [{ value: total - fee, owner: 9 }]);
  await send(node, pending);
});
afterAll(() => node.stop());

type Reads = { statements: number; rows: number };

/** The same database, with all counted that is read of it. */
function countReads(database: Database, reads: Reads): Database {
  const count = async <T>(rows: Promise<T[]>): Promise<T[]> => {
    reads.statements++;
    reads.rows += (await rows).length;
    return rows;
  };
  const counting = (reader: Reader): Reader => ({
    folder: reader.folder,
    all: (statement, params) => count(reader.all(statement, params)),
    lookup: (statement, keys) => count(reader.lookup(statement, keys)),
    get: (statement, params) => {
      reads.statements++;
      reads.rows++;
      return reader.get(statement, params);
    },
  });
  return { ...database, snapshot: (read) => database.snapshot((reader) => read(counting(reader))) };
}

forEachEngine('of a transaction with many inputs or outputs', (engine) => {
  let indexer: TestIndexer;
  let readChain: ReadChain;
  const reads: Reads = { statements: 0, rows: 0 };

  beforeAll(async () => {
    indexer = await openTestIndexer(await engine.openUrl());
    await catchUp(node.client, indexer);
    readChain = createReadChain(countReads(indexer.database, reads));
  });
  afterAll(() => indexer.close());

  async function read<T>(look: (view: ChainView) => Promise<T>): Promise<T> {
    Object.assign(reads, { statements: 0, rows: 0 });
    return await readChain(look);
  }
  const find = async (view: ChainView, { txid }: RawTx) =>
    (await view.findTx(Uint8Array.from(Buffer.from(txid, 'hex')).reverse()))!;

  test.each([
    ['confirmed', () => mined, (i: number) => i],
    ['pending', () => pending, (i: number) => 2 * SPENT - 1 - i],
  ] as const)('the prevouts are found by reading their transaction once: %s', async (_, get, voutOf) => {
    const prevouts = await read(async (view) => view.listPrevouts(await find(view, get())));
    expect(prevouts).toHaveLength(SPENT);
    for (const [i, prevout] of prevouts.entries()) {
      expect(prevout).toMatchObject({ vout: voutOf(i), value: VALUE, coinbase: false });
      expect(toDisplayHash(prevout!.txid)).toBe(wide.txid);
      expect(Buffer.from(prevout!.script)).toEqual(Buffer.from(scriptOf(OWNER)));
    }
    expect(reads.rows).toBeLessThan(FIXED_ROWS);
  });

  test('what spends the outputs is found by reading each spender once', async () => {
    const spends = await read(async (view) => view.listSpends(await find(view, wide)));
    const told = spends.map((each) => each && { ...each, txid: toDisplayHash(each.txid) });
    expect(told).toEqual(
      Array.from({ length: OUTPUTS }, (_, vout) => {
        if (vout < SPENT) return { txid: mined.txid, vin: vout, height: expect.any(Number) };
        if (vout >= 2 * SPENT) return undefined;
        return { txid: pending.txid, vin: 2 * SPENT - 1 - vout, height: undefined };
      }),
    );
    expect(reads.rows).toBeLessThan(SPENT + FIXED_ROWS);
  });

  test('what the mempool spends is passed over in few steps, however small the page', async () => {
    const page = await read((view) =>
      listUtxoPage(view, scriptOf(OWNER), undefined, 1, (utxo) => !utxo.spentInMempool),
    );
    expect(page.items).toMatchObject([{ vout: 2 * SPENT, spentInMempool: false }]);
    expect(reads.statements).toBeLessThan(FIXED_ROWS);
  });
});
