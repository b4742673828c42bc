import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLedgerCommand } from '../../service/src/admin/treasury-commands.ts';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { moveGift, unlockHistory } from './forger.ts';
import {
  type Contributor,
  contribute,
  openTreasuryDesk,
  type TreasuryDesk,
  treasury,
  units,
} from './treasury-desk.ts';

let node: TestNode;
let nextCoin: () => RawCoin;
beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 12, value: 20_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('books that somebody has forged', (engine) => {
  let desk: TreasuryDesk;
  let ada: Contributor;
  let bob: Contributor;
  let gift: { txid: string; intentId: string };
  let reconcile: () => Promise<{ sound: boolean; difference: string; faults: string[] }>;

  beforeAll(async () => {
    const database = await engine.openUrl();
    desk = await openTreasuryDesk(node, database);
    await desk.settle();
    [ada, bob] = [await desk.register('Ada'), await desk.register('Bob')];
    const intent = await desk.intent(ada);
    const tx = contribute(nextCoin(), [units(intent.exact_amount)]);
    await desk.mine(tx);
    await desk.deepen(treasury.confirmations);
    gift = { txid: tx.txid, intentId: intent.id };
    const index =
      database.kind === 'sqlite'
        ? ({ kind: 'sqlite', file: join(database.dataDir, 'chain.db') } as const)
        : database;
    reconcile = async () => {
      let text = '';
      const ran = await runLedgerCommand(
        { precious: desk.precious, index, coin: 'regtest' },
        { kind: 'treasury-reconcile', json: true },
        async (more) => {
          text += more;
        },
      );
      expect(ran.ok && ran.value.isSound).toBe(JSON.parse(text).sound);
      return JSON.parse(text);
    };
  });
  afterAll(() => desk?.stop());

  test('are sound while nobody has', async () => {
    expect(await reconcile()).toMatchObject({ sound: true, faults: [] });
  });

  test('are found when a gift was moved to another contributor', async () => {
    const db = await unlockHistory(desk.precious, 'treasury_entry');
    await moveGift(db, { txid: gift.txid, to: bob.id });
    const found = await reconcile();
    expect(found).toMatchObject({ sound: false, difference: '0.00000000' });
    expect(found.faults.join()).toContain(`its intent ${gift.intentId} is of ${ada.id}`);
    await moveGift(db, { txid: gift.txid, to: ada.id });
    expect(await reconcile()).toMatchObject({ sound: true, faults: [] });
  });

  test('are found when a standing is more than what was given, and when it is gone', async () => {
    const db = desk.precious.query<TreasuryTables>();
    const standing = await db.selectFrom('treasury_standing').selectAll().executeTakeFirstOrThrow();
    await db
      .updateTable('treasury_standing')
      .set({ total: '0'.repeat(30) + '9'.repeat(10) })
      .execute();
    expect((await reconcile()).faults).toEqual([
      `The standing of ${ada.id} is not the sum of its verified contributions.`,
    ]);
    await db.deleteFrom('treasury_standing').execute();
    expect((await reconcile()).faults).toEqual([`${ada.id} has verified contributions, and no standing.`]);
    await db
      .insertInto('treasury_standing')
      .values([standing, { ...standing, contributor_id: bob.id }])
      .execute();
    expect((await reconcile()).faults).toHaveLength(1);
    await db.deleteFrom('treasury_standing').where('contributor_id', '=', bob.id).execute();
    expect(await reconcile()).toMatchObject({ sound: true });
  });
});
