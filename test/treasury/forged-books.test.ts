import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLedgerCommand } from '../../service/src/admin/treasury-commands.ts';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { type DatabaseLocation, forEachEngine, keyFileOf } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { moveGift, reseal, unlockHistory } from './forger.ts';
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
  let database: DatabaseLocation;
  let reconcile: (head?: string) => Promise<{ sound: boolean; difference: string; faults: string[] }>;

  beforeAll(async () => {
    database = await engine.openUrl();
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
    reconcile = async (head) => {
      let text = '';
      const ran = await runLedgerCommand(
        { precious: desk.precious, index, coin: 'regtest', keyFile: keyFileOf(database) },
        { kind: 'treasury-reconcile', json: true, head },
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

  test('are found when the intent was moved with the gift: that is not what was sealed', async () => {
    const db = await unlockHistory(desk.precious, 'treasury_entry');
    for (const [to, isSound] of [
      [bob.id, false],
      [ada.id, true],
    ] as const) {
      await moveGift(db, { txid: gift.txid, to });
      await desk.change(gift.intentId, { contributor_id: to });
      const { sound, faults } = await reconcile();
      expect([sound, faults.every((fault) => /it is not what was sealed/.test(fault))]).toEqual([
        isSound,
        true,
      ]);
    }
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

  test('are found when all was sealed anew, by who kept a hash, and when another key sealed it', async () => {
    const { hash } = (await desk.get('/status')).json.head;
    expect(await reconcile(hash)).toMatchObject({ sound: true });
    await reseal(desk.precious, keyFileOf(database));
    expect(await reconcile()).toMatchObject({ sound: true });
    expect((await reconcile(hash)).faults).toEqual([
      `No entry has the hash ${hash}, which was seen earlier.`,
    ]);
    await reseal(desk.precious, join(dirname(keyFileOf(database)), 'other.key'));
    expect((await reconcile()).faults).toEqual([
      expect.stringMatching(/^The key .* is not that of this service\.$/),
    ]);
  });
});
