import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { verifyWebhook } from '../../sdk/webhooks/verify-webhook.ts';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createTestMerchant, listDeliveries } from '../harness/webhook-merchant.ts';
import type { DelivererProcessOptions } from './deliverer-process.ts';

const PROCESS = join(import.meta.dirname, 'deliverer-process.ts');
const EVENTS = 600;
const KILLS = 6;
const seed = Math.floor(Math.random() * 2 ** 32);
const random = createRandom(seed);

forEachEngine(`webhooks after kill -9 (seed ${seed})`, (engine) => {
  test('at many moments all arrive, though their receivers fail half the time', {
    timeout: 240_000,
  }, async () => {
    const place = await engine.openUrl();
    const database =
      place.kind === 'sqlite' ? { kind: place.kind, file: join(place.dataDir, 'front.db') } : place;
    const precious = await openPrecious(database, preciousMigrations);
    onTestFinished(() => precious.close());
    const merchant = await createTestMerchant(precious);
    const accepted = new Set<string>();
    const receivers = await Promise.all(
      Array.from({ length: 4 }, () =>
        startReceiver({
          answer: (response, { headers }) => {
            const isGood = random.next() < 0.5;
            if (isGood) accepted.add(String(headers['webhook-id']));
            response.writeHead(isGood ? 204 : 500).end();
          },
        }),
      ),
    );
    onTestFinished(() => Promise.all(receivers.map((receiver) => receiver.stop())).then(() => {}));
    const options: DelivererProcessOptions = {
      database,
      merchant,
      urls: receivers.map(({ port }) => `http://127.0.0.1:${port}/`),
      events: EVENTS,
    };
    let told = 0;
    const start = () => {
      const child = spawn(process.execPath, [PROCESS, JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      createInterface(child.stdout).on('line', () => {
        told += 1;
      });
      return child;
    };
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const child = start();
      // Somewhere in the middle of its work: requests are under way, and events are being written.
      const until = accepted.size + 1 + Math.floor(random.next() * (EVENTS / KILLS));
      await waitUntil(
        `${until} events were accepted`,
        async () => accepted.size >= Math.min(until, EVENTS - 1),
      );
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    start();
    await waitUntil(
      'all are delivered',
      async () => {
        const all = await listDeliveries(precious);
        return all.length === EVENTS && all.every(({ state }) => state === 'delivered');
      },
      120_000,
    );
    const events = await precious
      .query<PaymentTables>()
      .selectFrom('event')
      .selectAll()
      .orderBy('sequence')
      .execute();
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: EVENTS }, (_, n) => n + 1));
    expect(told).toBeLessThanOrEqual(EVENTS);
    expect(accepted).toEqual(new Set(events.map(({ id }) => id)));
    const bodies = new Map(events.map(({ id, body }) => [id, body]));
    for (const { headers, body } of receivers.flatMap(({ received }) => received)) {
      expect(body.toString()).toBe(bodies.get(String(headers['webhook-id'])));
      await verifyWebhook(body, headers, merchant.secret);
    }
  });
});
