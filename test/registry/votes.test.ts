import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Verdict } from '@coinfront/protocol/registry/receipt.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { listReceiptsUp, readReceipt } from '../../service/src/parts/registry/log/receipt-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { openServiceKey } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';
import { lookOf, stateLooks } from './lying-vantage.ts';
import { openRegistryLog, type RegistryLog } from './registry-log.ts';

const PLACE = '203.0.113.7:1';
const folder = mkdtempSync(join(tmpdir(), 'coinfront-votes-'));
const signers = ['a', 'b', 'c'].map((name) => openServiceKey(join(folder, `${name}.key`)));
afterAll(() => rmSync(folder, { recursive: true }));

forEachEngine('receipts that vantage points vote on', (engine) => {
  let log: RegistryLog;

  beforeEach(async () => {
    log = await openRegistryLog(engine, signers.map(({ publicKey }) => publicKey).sort());
    await log.register('ann', PLACE);
  });
  afterEach(() => log.close());

  const say = (slot: number, i: number, result: Verdict, endpoint = PLACE) =>
    stateLooks(signers[i]!, log.slotAt(slot), [lookOf(endpoint, result)]);
  const last = async () =>
    readReceipt((await listReceiptsUp(log.precious.query<RegistryTables>(), 0, 100)).at(-1)!);

  test('pass where most saw the node, though this registry did not', async () => {
    await log.record(
      0,
      10,
      { ann: 'gone' },
      {},
      [0, 1, 2].map((i) => say(0, i, 'pass')),
    );
    expect(await last()).toMatchObject({
      ...{ version: 2, verdict: 'pass', reason: null, observed: { endpoint_proven: false, lag: null } },
      attempts: [{ result: 'fail' }, { result: 'fail' }],
    });
    expect(await log.listFaults()).toEqual([]);
  });

  test('fail where most did not see it, though this registry did', async () => {
    await log.record(
      0,
      10,
      { ann: 'pass' },
      {},
      [0, 1, 2].map((i) => say(0, i, 'fail')),
    );
    expect(await last()).toMatchObject({ verdict: 'fail', reason: 'unreachable' });
    const node = await log.precious
      .query<RegistryTables>()
      .selectFrom('registry_node')
      .select(['failed', 'fails_in_row'])
      .executeTakeFirstOrThrow();
    expect([Number(node.failed), Number(node.fails_in_row)]).toEqual([1, 1]);
  });

  test('are void where as many saw it as did not', async () => {
    await log.record(0, 10, { ann: 'gone' }, {}, [
      ...[say(0, 0, 'pass'), say(0, 1, 'pass'), say(0, 2, 'fail')],
    ]);
    expect(await last()).toMatchObject({ verdict: 'void', reason: 'vantages_tied', observed: null });
    expect(await log.listFaults()).toEqual([]);
  });

  test('are this registry’s own word where fewer than three have one, whatever they say', async () => {
    await log.record(0, 10, { ann: 'gone' }, {}, [say(0, 0, 'pass'), say(0, 1, 'pass', '198.51.100.9:1')]);
    const receipt = await last();
    expect(receipt).toMatchObject({ version: 2, verdict: 'fail', reason: 'unreachable' });
    expect(receipt.votes!.map(({ reason }) => reason).sort()).toEqual([
      ...['unreachable', 'vantage_missing', 'vantage_silent', null].sort(),
    ]);
    expect(await log.listFaults()).toEqual([]);
  });

  test('do not count who said two things', async () => {
    await log.record(0, 10, { ann: 'gone' }, {}, [
      ...[say(0, 0, 'pass'), say(0, 1, 'pass'), say(0, 2, 'pass'), say(0, 2, 'fail')],
    ]);
    expect(await last()).toMatchObject({ verdict: 'pass' });
    expect((await last()).votes!.filter(({ reason }) => reason === 'vantage_equivocal')).toHaveLength(1);
    expect(await log.listFaults()).toEqual([]);
  });

  test('are judged while this registry has no chain that it may judge by', async () => {
    await log.record(
      0,
      10,
      { ann: 'heavier' },
      {},
      [0, 1, 2].map((i) => say(0, i, 'pass')),
    );
    expect(await last()).toMatchObject({ verdict: 'pass' });
    await log.record(1, 10, { ann: 'heavier' }, {}, []);
    expect(await last()).toMatchObject({ verdict: 'void', reason: 'registry_outworked' });
    expect(await log.listFaults()).toEqual([]);
  });

  test('have the vantage points that their epoch began with, and its summary names them', async () => {
    const [first] = signers as [(typeof signers)[0]];
    await log.record(0, 10, { ann: 'pass' }, {}, []);
    log.rules.vantages = [first.publicKey];
    await log.record(1, 20, { ann: 'pass' }, {}, []);
    expect((await last()).votes).toHaveLength(4);
    await log.record(2, 60, { ann: 'pass' }, {}, []);
    expect((await last()).votes).toHaveLength(2);
    log.rules.vantages = [];
    await log.record(3, 110, { ann: 'pass' });
    expect(await last()).toMatchObject({ version: 1 });
    expect(await last()).not.toHaveProperty('votes');
    await log.record(4, 160, { ann: 'pass' });
    const db = log.precious.query<RegistryTables>();
    const epochs = await db.selectFrom('registry_epoch').select('document').orderBy('epoch').execute();
    const summaries = epochs.map(({ document }) => JSON.parse(document));
    expect(summaries.map(({ version }) => version)).toEqual([4, 4, 3]);
    expect(summaries[0].vantages).toHaveLength(3);
    expect(summaries[1].vantages).toEqual([first.publicKey]);
    expect(summaries[2]).not.toHaveProperty('vantages');
    expect(await log.listFaults()).toEqual([]);
  });

  test('are found out by whoever verifies the log where a statement is gone or says something else', async () => {
    await log.record(
      0,
      10,
      { ann: 'gone' },
      {},
      [0, 1, 2].map((i) => say(0, i, 'pass')),
    );
    const db = log.precious.query<RegistryTables>();
    await sql`update registry_statement set document = replace(document, '"pass"', '"fail"')`.execute(db);
    expect(await log.listFaults()).toEqual([expect.stringContaining('its statement is none')]);
    await db.deleteFrom('registry_statement').execute();
    expect(await log.listFaults()).toEqual([expect.stringContaining('its statement is not there')]);
  });
});
