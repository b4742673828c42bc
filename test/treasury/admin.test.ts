import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCommand } from '../../service/src/admin/parse-command.ts';
import {
  type ContributorCommand,
  runContributorCommand,
  runLedgerCommand,
} from '../../service/src/admin/treasury-commands.ts';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { type DatabaseLocation, forEachEngine, keyFileOf } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import { openPurse, type RawCoin } from '../harness/raw-coins.ts';
import {
  contribute,
  openTreasuryDesk,
  spendTreasury,
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

forEachEngine('the operator of a treasury', (engine) => {
  let desk: TreasuryDesk;
  let database: DatabaseLocation;
  beforeAll(async () => {
    database = await engine.openUrl();
    desk = await openTreasuryDesk(node, database);
    await desk.settle();
  });
  afterAll(() => desk?.stop());

  /** Runs a command as the operator's process does, without the time that a process takes to start. */
  const admin = async (...args: string[]): Promise<{ code: number; stdout: string }> => {
    const command = parseCommand(['treasury', ...args]);
    if (!command.ok) return { code: 2, stdout: command.reason };
    const { value } = command;
    if (value.kind === 'treasury-export' || value.kind === 'treasury-reconcile') {
      let stdout = '';
      const write = async (text: string) => {
        stdout += text;
      };
      const index =
        database.kind === 'sqlite'
          ? ({ kind: 'sqlite', file: join(database.dataDir, 'chain.db') } as const)
          : database;
      const place = { precious: desk.precious, index, coin: 'regtest', keyFile: keyFileOf(database) };
      const ran = await runLedgerCommand(place, value, write);
      return { code: ran.ok && ran.value.isSound ? 0 : 1, stdout };
    }
    const ran = await runContributorCommand(
      { precious: desk.precious, now: Date.now },
      value as ContributorCommand,
    );
    return { code: ran.ok ? 0 : 1, stdout: ran.ok ? ran.value.lines.join('\n') : ran.reason };
  };

  test('exports the ledger, hides a contributor, bans a nickname, and reconciles output by output', async () => {
    const [ada, bob] = [await desk.register('Ada'), await desk.register()];
    const intents = [await desk.intent(ada), await desk.intent(bob)];
    const txs = intents.map(({ exact_amount }) => contribute(nextCoin(), [units(exact_amount)]));
    await desk.mine(...txs);
    const value = units(intents[0].exact_amount);
    await desk.mine(spendTreasury([{ txid: txs[0]!.txid, vout: 0, value }], [{ value: value - 1_000n }]));
    await desk.deepen(treasury.confirmations);

    const csv = await admin('export', '--format', 'csv');
    const lines = csv.stdout.trimEnd().split('\r\n');
    const ledger = await desk.ledger();
    expect([csv.code, lines.length]).toEqual([0, ledger.length + 1]);
    expect(lines[0]).toMatch(/^sequence,kind,amount,/);
    const row = lines.find((line) => line.includes(txs[0]!.txid))!;
    expect(row.split(',')).toEqual(
      expect.arrayContaining(['contribution', intents[0].exact_amount, ada.id, 'Ada']),
    );
    expect(csv.stdout).not.toContain(bob.id);
    const jsonl = await admin('export', '--format', 'jsonl');
    expect(
      jsonl.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(ledger);
    const secret = await admin('export', '--format', 'jsonl', '--private');
    expect(secret.stdout).toContain(bob.id);
    expect(secret.stdout).toContain(intents[1].id);
    expect((await admin('export', '--format', 'xls')).code).toBe(2);

    expect((await admin('contributors')).stdout).toContain(`"Ada"`);
    expect((await admin('contributors', 'hide', ada.id)).code).toBe(0);
    const display = async () => (await desk.entriesOf(txs[0]!.txid))[0].contributor;
    expect(await display()).toEqual({ id: null, name: 'Anonymous' });
    expect((await desk.post('/me', { contributor_secret: ada.secret }, 200)).hidden_by_operator).toBe(true);
    expect((await admin('contributors', 'show', ada.id)).code).toBe(0);
    expect(await display()).toEqual({ id: ada.id, name: 'Ada' });
    expect((await admin('contributors', 'ban-nickname', ada.id)).code).toBe(0);
    expect(await display()).toEqual({ id: ada.id, name: ada.id });
    const profile = { contributor_secret: ada.secret, nickname: 'ADA' };
    expect((await desk.post('/profile', profile, 409)).code).toBe('nickname_taken');
    expect((await admin('contributors', 'hide', 'VC-000000000000')).code).toBe(1);

    const settings = { COINFRONT_COIN: 'regtest' };
    const sound = await runAdmin(database, ['treasury', 'reconcile', '--json'], settings);
    expect([sound.code, JSON.parse(sound.stdout)]).toEqual([
      0,
      expect.objectContaining({ sound: true, difference: '0.00000000', unexplained: [] }),
    ]);
    // Somebody lost a row: the sums agree still, and the output is told.
    await desk.precious
      .query<TreasuryTables>()
      .deleteFrom('treasury_coin')
      .where('txid', '=', txs[1]!.txid)
      .execute();
    const unsound = await admin('reconcile');
    expect([unsound.code, unsound.stdout]).toEqual([
      1,
      expect.stringContaining(`Only in the chain: ${txs[1]!.txid}:0`),
    ]);
    const { reconciliation } = (await desk.get('/status')).json;
    expect(reconciliation.unexplained).toEqual([
      { txid: txs[1]!.txid, vout: 0, amount: intents[1].exact_amount, side: 'chain' },
    ]);
  });
});
