import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { NodeAlertJson } from '../../api/registry.ts';
import { verifyWebhook } from '../../sdk/webhooks/verify-webhook.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { createOutboundClient, type OutboundOptions } from '../../service/src/outbound/outbound-client.ts';
import { addAlert, saveReceiver } from '../../service/src/parts/registry/alerts/alert-store.ts';
import {
  type AlertSenderOptions,
  startAlertSender,
} from '../../service/src/parts/registry/alerts/deliver-alerts.ts';
import { tellEnds } from '../../service/src/parts/registry/alerts/tell-owners.ts';
import type {
  RegistryAlertReceiverTable,
  RegistryTables,
} from '../../service/src/parts/registry/schema/registry-tables.ts';
import { makeWebhookSecret } from '../../service/src/webhooks/webhook-secret.ts';
import { forEachEngine } from '../harness/engines.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { type Answer, type Receiver, startReceiver } from '../harness/receiver.ts';
import { openRegistryLog, type RegistryLog } from './registry-log.ts';

const EPOCH_BLOCKS = 50;

forEachEngine('alerts to owners', (engine) => {
  let log: RegistryLog;
  const toEnd: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of toEnd.splice(0).reverse()) await end();
    await log.close();
  });

  const db = () => log.precious.query<RegistryTables>();
  const listAlerts = () => db().selectFrom('registry_alert').selectAll().orderBy('created_at').execute();

  async function receive(answer?: Answer): Promise<Receiver> {
    const receiver = await startReceiver(answer === undefined ? {} : { answer });
    toEnd.push(() => receiver.stop());
    return receiver;
  }

  async function subscribe(name: string, port: number, issued_at = 1): Promise<RegistryAlertReceiverTable> {
    const row: RegistryAlertReceiverTable = {
      ...{ node_key: name, url: `http://127.0.0.1:${port}/${name}`, secret: makeWebhookSecret() },
      ...{ issued_at, changed_at: issued_at, is_failing: 0, was_eligible: null, alerts: 0 },
    };
    expect(await saveReceiver(db(), row)).toBe(true);
    return row;
  }

  function startSender(
    more: Partial<AlertSenderOptions> = {},
    limits: OutboundOptions['limits'] = {},
    allow = ['loopback'],
  ) {
    const { post, close } = createOutboundClient({ allow: createAllowList(allow), limits });
    const sender = startAlertSender({
      precious: log.precious,
      post,
      userAgent: 'Coinfront',
      now: Date.now,
      onError: (error) => {
        throw error;
      },
      pollMs: 20,
      pausesMs: Array.from({ length: 50 }, () => 20),
      ...more,
    });
    const stop = async () => {
      await sender.stop(5_000);
      close();
    };
    toEnd.push(stop);
    return stop;
  }

  const allEnded = (state = 'delivered') =>
    waitUntil(`all are ${state}`, async () => (await listAlerts()).every((row) => row.state === state));

  test('an owner is told once when the node fails, comes back, and is not eligible; each is signed', async () => {
    log = await openRegistryLog(engine);
    const receiver = await receive();
    await log.register('a', '8.8.8.8:1');
    await log.register('b', '9.9.9.9:1');
    const { secret } = await subscribe('a', receiver.port);
    startSender();
    const height = 2 * EPOCH_BLOCKS;
    await log.record(0, height, { a: 'pass', b: 'pass' });
    for (const slot of [1, 2, 3]) await log.record(slot, height, { a: 'fail', b: 'fail' });
    await log.record(4, height, { a: 'void' });
    await log.record(5, height, { a: 'pass' });
    await log.record(6, height, { a: 'pass' });
    await log.record(7, height + EPOCH_BLOCKS, { a: 'pass' });
    // Not eligible again: that was told.
    await log.record(8, height + EPOCH_BLOCKS, { a: 'fail' });
    await log.record(9, height + 2 * EPOCH_BLOCKS, { a: 'fail' });
    await receiver.waitForRequests(4);
    await allEnded();
    const alerts = await Promise.all(
      receiver.received.map(({ body, headers }) => verifyWebhook<NodeAlertJson>(body, headers, secret!)),
    );
    alerts.sort((a, b) => a.sequence - b.sequence);
    expect(alerts.map(({ type, sequence }) => [sequence, type])).toEqual([
      [1, 'node.failed'],
      [2, 'node.recovered'],
      [3, 'node.ineligible'],
      [4, 'node.failed'],
    ]);
    expect(alerts[0]!.data).toMatchObject({
      node_key: 'a',
      reason: 'timeout',
      endpoint: '8.8.8.8:1',
      epoch: 2,
    });
    expect(alerts[2]!.data).toMatchObject({ epoch: 2, eligibility: 'uptime_below_minimum' });
    expect(receiver.received[0]!.headers['webhook-id']).toMatch(/^evt_/);
    await expect(
      verifyWebhook(receiver.received[0]!.body, receiver.received[0]!.headers, makeWebhookSecret()),
    ).rejects.toThrow();
  });

  test('an owner is told when the node loses its place, and nobody is told of a node without a receiver', async () => {
    log = await openRegistryLog(engine);
    const receiver = await receive();
    for (const name of ['a', 'b']) await log.register(name, `8.8.8.8:${name.charCodeAt(0)}`);
    await subscribe('a', receiver.port);
    await log.register('name', 'name.example:1');
    const moved = { reached: '8.8.8.8:97', tokensOf: ['name'] };
    await log.record(0, 100, { name: 'pass' }, { name: moved });
    await tellEnds(db(), ['b'], 'node.lapsed', 1);
    expect((await listAlerts()).map(({ node_key, type }) => [node_key, type])).toEqual([
      ['a', 'node.displaced'],
    ]);
  });

  test('receivers that hang, or are not there, hold up no others and are tried again; 410 ends one', async () => {
    log = await openRegistryLog(engine);
    let isWell = false;
    const hanging = await receive((response) => void (isWell ? response.writeHead(204).end() : 0));
    const gone = await receive((response) => response.writeHead(410).end());
    const good = await receive();
    const tell = async (row: RegistryAlertReceiverTable, count: number) => {
      for (let i = 0; i < count; i++) await addAlert(db(), row, { type: 'alerts.set', data: {} }, i);
    };
    await tell(await subscribe('hanging', hanging.port), 60);
    await tell(await subscribe('gone', gone.port), 3);
    await tell(await subscribe('good', good.port), 5);
    const stop = startSender({ claimMs: 300 }, { totalTimeoutMs: 60_000 });
    await good.waitForRequests(5);
    expect(hanging.connections()).toBeLessThanOrEqual(4);
    await waitUntil('the gone one is left', async () => {
      const rows = await listAlerts();
      return rows.filter(({ node_key, state }) => node_key === 'gone' && state === 'disabled').length === 3;
    });
    expect(gone.received.length).toBeLessThanOrEqual(2);
    const row = await db()
      .selectFrom('registry_alert_receiver')
      .select(['url', 'secret'])
      .where('node_key', '=', 'gone')
      .executeTakeFirst();
    expect(row).toEqual({ url: null, secret: null });
    isWell = true;
    void stop;
    startSender({ claimMs: 300 });
    await waitUntil('what hung is delivered', async () =>
      (await listAlerts()).every(({ node_key, state }) => node_key === 'gone' || state === 'delivered'),
    );
  });

  test('what is not of the public internet is not connected to, whatever the row says', async () => {
    log = await openRegistryLog(engine);
    const receiver = await receive();
    await addAlert(db(), await subscribe('a', receiver.port), { type: 'alerts.set', data: {} }, 1);
    startSender({ pausesMs: [] }, {}, []);
    await waitUntil('it is given up', async () =>
      (await listAlerts()).every(({ state }) => state === 'dead'),
    );
    expect((await listAlerts())[0]!.last_error).toMatch(/public internet|encrypted/);
    expect(receiver.connections()).toBe(0);
  });

  test('of more alerts than wait at most the oldest give way', async () => {
    log = await openRegistryLog(engine);
    const row = await subscribe('a', 1);
    for (let i = 0; i < 205; i++) await addAlert(db(), row, { type: 'alerts.set', data: {} }, i);
    const rows = await listAlerts();
    expect(rows.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 5 }, () => 'dead'),
      ...Array.from({ length: 200 }, () => 'pending'),
    ]);
  });

  test('several senders share the work: each alert arrives once', async () => {
    log = await openRegistryLog(engine);
    const receiver = await receive();
    const row = await subscribe('a', receiver.port);
    for (let i = 0; i < 60; i++) await addAlert(db(), row, { type: 'alerts.set', data: {} }, i);
    for (let i = 0; i < 3; i++) startSender();
    await receiver.waitForRequests(60);
    await allEnded();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  });

  test('a sender that is killed while it sends loses nothing: what it sent comes again under the same id', async () => {
    log = await openRegistryLog(engine);
    let isHolding = true;
    const receiver = await receive((response) => void (isHolding ? 0 : response.writeHead(204).end()));
    await log.register('a', '8.8.8.8:1');
    await subscribe('a', receiver.port);
    await log.record(0, 100, { a: 'fail' });
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'alert-process.ts'), JSON.stringify(log.location)],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    toEnd.push(() => child.kill('SIGKILL'));
    await receiver.waitForConnections(1);
    await waitUntil('it has sent', () => receiver.received.length > 0);
    child.kill('SIGKILL');
    await once(child, 'close');
    isHolding = false;
    await log.record(1, 100, { a: 'fail' });
    startSender();
    await allEnded();
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([ids.size, (await listAlerts()).length]).toEqual([1, 1]);
    expect(receiver.received.length).toBeGreaterThanOrEqual(2);
  });
});
