import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Damage, damageHeader, damagePagesOf } from '../harness/damage.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, runAdmin } from '../harness/merchant.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Nothing can make the precious data again: who runs the service is told which file it is, and what can still be done. */

const SAID =
  /^\S+front\.db is damaged \(.+\)\. .*keep a copy.*put back the last backup.*\.recover.*operations\.md\.$/;

let node: TestNode;
let dataDir: string;
let service: TestService;
let apiKey: string;
let paymentId: string;

beforeAll(async () => {
  node = await startNode();
  await node.mine(20);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-damage-'));
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  ({ apiKey } = await createTestMerchant(service, { kind: 'sqlite', dataDir }));
  paymentId = (await makePayment()).json.id;
  await service.stop();
  await copyFile(join(dataDir, 'front.db'), join(dataDir, 'whole-copy'));
});
afterAll(async () => {
  await service.stop();
  await node.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const makePayment = async () =>
  await service.post(
    '/api/v1/payments',
    { recipient: await node.newAddress(), amount: '1.00000000' },
    { 'x-coin-pay-api-key': apiKey },
  );

async function putDamaged(damage: Damage): Promise<void> {
  for (const suffix of ['-wal', '-shm']) await rm(join(dataDir, `front.db${suffix}`), { force: true });
  await copyFile(join(dataDir, 'whole-copy'), join(dataDir, 'front.db'));
  damage(join(dataDir, 'front.db'));
}

test('a start on a file that is none is refused with one line, and so is a command', async () => {
  await putDamaged(damageHeader);
  service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir },
    waitFor: 'nothing',
    settings: { COINFRONT_ROLES: 'api' },
  });
  await waitUntil('it has ended', () => !service.isRunning());
  expect(await service.stop()).toBe(1);
  expect(service.printed().trim().split('\n')).toEqual([expect.stringMatching(SAID)]);
  const { code, stderr } = await runAdmin({ kind: 'sqlite', dataDir }, ['merchant', 'list']);
  expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(SAID)]);
});

test('what needs a damaged page is refused without a word of the file, the log names it, and the chain goes on', async () => {
  await putDamaged(damagePagesOf('payment'));
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  for (const answer of [await service.get(`/api/v1/payments/${paymentId}`), await makePayment()]) {
    expect([answer.status, answer.json.code]).toEqual([503, 'index_unavailable']);
    expect(answer.text).not.toMatch(/front\.db|malformed|sqlite|\/tmp\//i);
  }
  const said = service
    .printed()
    .split('\n')
    .filter((line) => line.includes('request failed'));
  expect(said.length).toBeGreaterThan(0);
  for (const line of said) expect(line).toMatch(/front\.db is damaged .*put back the last backup/);
  const [hash] = await node.mine(1);
  await service.waitForTip(hash);
  expect(service.printed()).not.toMatch(/uncaught|unhandled/i);
});
