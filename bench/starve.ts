import { fork } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { startService, waitForTip } from './service-process.ts';
import type { AttackOrder, AttackResult } from './starve/attack-worker.ts';
import { type HeavyChain, makeHeavyChain } from './starve/heavy-chain.ts';
import type { StorageMaker } from './storage.ts';
import { brief, quantile, type Row } from './table.ts';

const ATTACKERS = 3;
const CONNECTIONS_EACH = 8;
const BYSTANDER = '127.0.0.200';
/** Within its own limit of requests, which is a budget for a minute. */
const BYSTANDER_PAUSE_MS = 50;
const WARM_UP_SECONDS = 1;
const SYNC_TIMEOUT_MS = 120_000;

type Attack = { name: string; method: string; path: string; body?: string };

/**
 * Three clients send the dearest requests that there are, as fast as they are answered, under the limits that a service has
 * by default; a fourth asks for `/status`. Each attack meets a service that was just started.
 */
export async function measureStarving(storages: StorageMaker, seconds: number): Promise<Row[]> {
  const chain = await makeHeavyChain();
  try {
    const rows: Row[] = [];
    for (const attack of listAttacks(chain)) rows.push(await measureAttack(chain, storages, attack, seconds));
    return rows;
  } finally {
    await chain.stop();
  }
}

function listAttacks({ script, txid }: HeavyChain): Attack[] {
  const address = encodeAddress(script, getShippedProfile('regtest'))!;
  const post = (name: string, path: string, body: string): Attack => ({ name, method: 'POST', path, body });
  const keys = `K${'zZ1'.repeat(17)} `.repeat(37_000);
  return [
    { name: 'nothing', method: 'GET', path: '/api/v1/health' },
    post('2 MB in the form of keys', '/api/v1/broadcast', JSON.stringify({ raw_tx: keys })),
    post('2 MB in the form of keys, as text', '/esplora/tx', keys),
    post('2 MB of hex', '/api/v1/broadcast', JSON.stringify({ raw_tx: '01f9a2b3c4'.repeat(195_000) })),
    post('64 KB to no route', '/nowhere', JSON.stringify({ raw_tx: keys.slice(0, 64_000) })),
    { name: '25 transactions of 1 MB', method: 'GET', path: `/esplora/address/${address}/txs` },
    { name: 'a transaction of 1 MB', method: 'GET', path: `/esplora/tx/${txid}` },
    { name: 'spends of 26,000 outputs', method: 'GET', path: `/esplora/tx/${txid}/outspends` },
    { name: 'details of a transaction of 1 MB', method: 'GET', path: `/api/v1/tx/${txid}` },
  ];
}

async function measureAttack(
  chain: HeavyChain,
  storages: StorageMaker,
  { name, ...attack }: Attack,
  seconds: number,
): Promise<Row> {
  const storage = await storages.open();
  const service = await startService(chain.node.url, storage, { COINFRONT_RATE_LIMIT: '600' });
  try {
    await waitForTip(service, chain.tipHash, { pollMs: 200, timeoutMs: SYNC_TIMEOUT_MS });
    const order = { origin: service.origin, body: undefined, ...attack };
    // One client, one request at a time, whose budget is not that of the attackers.
    await runAttack({
      ...order,
      firstAddress: 100,
      attackers: 1,
      connectionsEach: 1,
      seconds: WARM_UP_SECONDS,
    });
    const before = service.readUse();
    const attacking = runAttack({
      ...order,
      firstAddress: 11,
      attackers: ATTACKERS,
      connectionsEach: CONNECTIONS_EACH,
      seconds,
    });
    const waitsMs = await watchStatus(service.origin, attacking);
    const result = await attacking;
    const { cpuSeconds, peakRssBytes } = service.readUse();
    const p99 = quantile(waitsMs, 0.99);
    const statuses = Object.entries(result.statuses).map(([status, count]) => `${count} x ${status}`);
    return {
      measure: `starve: ${name}`,
      ratio: brief(p99 / 100),
      bound: 'p99 < 100 ms, < 1 GB',
      figures: `/status p50 ${brief(quantile(waitsMs, 0.5))} ms, p99 ${brief(p99)} ms, most ${brief(Math.max(...waitsMs))} ms; CPU ${brief(((cpuSeconds - before.cpuSeconds) / seconds) * 100)}%, peak ${brief(peakRssBytes / 2 ** 20)} MiB`,
      how: `${statuses.join(', ')}, ${brief(result.bytes / 2 ** 20)} MiB sent, ${seconds} s`,
    };
  } finally {
    await service.stop();
    await storage.drop();
  }
}

/** Asks for `/status` from an address of its own until the attack is over; gives how long each answer took. */
async function watchStatus(origin: string, attack: Promise<unknown>): Promise<number[]> {
  const waitsMs: number[] = [];
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  attack.then(over, over);
  while (!isOver) {
    const begunMs = performance.now();
    const status = await askStatus(origin);
    if (status !== 200) throw new Error(`/status answered ${status} to somebody else.`);
    waitsMs.push(performance.now() - begunMs);
    await delay(BYSTANDER_PAUSE_MS);
  }
  return waitsMs;
}

function askStatus(origin: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${origin}/api/v1/status`, { localAddress: BYSTANDER, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

function runAttack(order: AttackOrder): Promise<AttackResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./starve/attack-worker.ts', import.meta.url), [], { stdio: 'inherit' });
    let result: AttackResult | undefined;
    child.once('message', (message: AttackResult) => {
      result = message;
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      result ? resolve(result) : reject(new Error(`The attack ended with ${code} and no result.`)),
    );
    child.send(order);
  });
}
