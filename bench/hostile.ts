import { fork } from 'node:child_process';
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../scripts/free-ports.ts';
import type { HostileOrder, HostileResult } from './hostile/attack-worker.ts';
import type { Attack } from './hostile/attacks.ts';
import { readCoreWaitMs } from './hostile/core-waits.ts';
import { type HostileChain, makeHostileChain } from './hostile/hostile-chain.ts';
import { listAttacks, listTries } from './hostile/list-attacks.ts';
import { type MeasuredProcess, readMemory, startService, waitForTip } from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, quantile, type Row } from './table.ts';

type Memory = ReturnType<typeof readMemory>;

const CLIENTS = 3;
const FIRST_ADDRESS = 11;
const HONEST = '127.0.0.200';
/** Within its own limit of requests, which is a budget for a minute. */
const HONEST_PAUSE_MS = 50;
const SYNC_TIMEOUT_MS = 120_000;

/**
 * Three hostile clients, each at an address of its own, do one thing each time and then all of them at once, under the limits that a
 * service has by default. Somebody else asks for `/status`. Each attack meets a service that has just read chain and mempool.
 *
 * @param only attacks whose names have it, or one of several texts between commas
 */
export async function measureHostile(
  storages: StorageMaker,
  seconds: number,
  only: string | undefined,
): Promise<Row[]> {
  const chain = await makeHostileChain();
  try {
    const rows: Row[] = [];
    for (const [name, each] of listTries(listAttacks(chain))) {
      if (only !== undefined && !only.split(',').some((text) => name.includes(text))) continue;
      const row = await measureAttacks(chain, storages, name, each, seconds);
      console.error(row.measure, row.figures);
      rows.push(row);
    }
    return rows;
  } finally {
    await chain.stop();
  }
}

async function measureAttacks(
  chain: HostileChain,
  storages: StorageMaker,
  name: string,
  attacks: readonly Attack[],
  seconds: number,
): Promise<Row> {
  const storage = await storages.open();
  // Its own default, which this bench does not turn off.
  const electrumPort = await findFreePort();
  const service = await startService(chain.node.url, storage, {
    COINFRONT_RATE_LIMIT: '600',
    COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${electrumPort}`,
  });
  try {
    await waitForTip(service, chain.tipHash, { pollMs: 200, timeoutMs: SYNC_TIMEOUT_MS });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await waitForMempool(service, chain);
    await askStatus(service.origin, agent);
    const before = service.readUse();
    const ports = { http: Number(new URL(service.origin).port), electrum: electrumPort };
    const { begun, ended: attacking } = attack(ports, attacks, seconds);
    await begun;
    const { waitsMs, withCoreMs, peak } = await watch(service, agent, attacking, seconds);
    const { answers, bytes, connections } = await attacking;
    agent.destroy();
    const { cpuSeconds } = service.readUse();
    const p99 = quantile(waitsMs, 0.99);
    return {
      measure: `hostile: ${name}`,
      ratio: brief(p99 / 100),
      bound: 'p99 < 100 ms, < 1 GB',
      figures: `/status p50 ${brief(quantile(waitsMs, 0.5))} ms, p99 ${brief(p99)} ms (${brief(quantile(withCoreMs, 0.99))} with a core), most ${brief(Math.max(...waitsMs))} ms; CPU ${brief(((cpuSeconds - before.cpuSeconds) / seconds) * 100)}%, most ${brief(peak.resident / 2 ** 20)} MiB, ${brief(peak.mapped / 2 ** 20)} of them mapped from files`,
      how: `${waitsMs.length} answers in ${seconds} s; the attackers got ${answers} and ${brief(bytes / 2 ** 20)} MiB on ${connections} connections`,
    };
  } finally {
    await service.stop();
    await storage.drop();
  }
}

/** A service that has said that it is ready may still read the node's mempool; that is its start, and nobody's attack. */
async function waitForMempool(service: MeasuredProcess, chain: HostileChain): Promise<void> {
  const txids = await chain.node.rpc<string[]>('getrawmempool');
  const deadlineMs = performance.now() + SYNC_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${service.origin}/api/v1/status`);
    const { mempool } = (await response.json()) as { mempool: { tx_count: number } | null };
    if (mempool?.tx_count === txids.length) return;
    if (performance.now() > deadlineMs)
      throw new Error(`The mempool was not read: ${JSON.stringify(mempool)}.`);
    await delay(200);
  }
}

/**
 * Asks for `/status`, on one connection, until the attack is over; looks at the memory of the service meanwhile. `withCoreMs` are the same
 * waits without what the service's main thread and the asker waited for a core. Attackers that take longer
 * to end are not waited for: who asks so often for a minute has used up what a client has.
 */
async function watch(
  service: MeasuredProcess,
  agent: Agent,
  attacking: Promise<unknown>,
  seconds: number,
): Promise<{ waitsMs: number[]; withCoreMs: number[]; peak: Memory }> {
  const waitsMs: number[] = [];
  const withCoreMs: number[] = [];
  const pids = [service.pid, process.pid];
  let peak: Memory = { resident: 0, mapped: 0 };
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  attacking.then(over, over);
  const untilMs = performance.now() + seconds * 1_000;
  while (!isOver && performance.now() < untilMs) {
    const beganMs = performance.now();
    const waitedBeforeMs = readCoreWaitMs(pids);
    const status = await askStatus(service.origin, agent);
    if (status !== 200) throw new Error(`/status answered ${status} to somebody else.`);
    const waitMs = performance.now() - beganMs;
    waitsMs.push(waitMs);
    withCoreMs.push(Math.max(0, waitMs - (readCoreWaitMs(pids) - waitedBeforeMs)));
    const memory = readMemory(service.pid);
    if (memory.resident > peak.resident) peak = memory;
    await delay(HONEST_PAUSE_MS);
  }
  return { waitsMs, withCoreMs, peak };
}

function askStatus(origin: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${origin}/api/v1/status`, { localAddress: HONEST, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

/** Starts attackers. That they start takes a core, too, and is no attack: `begun` is when they do their worst. */
function attack(
  ports: HostileOrder['ports'],
  attacks: readonly Attack[],
  seconds: number,
): { begun: Promise<void>; ended: Promise<HostileResult> } {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<HostileResult>();
  const child = fork(new URL('./hostile/attack-worker.ts', import.meta.url), [], { stdio: 'inherit' });
  let result: HostileResult | undefined;
  child.on('message', (message: HostileResult | 'begins') => {
    if (message === 'begins') begun.resolve();
    else result = message;
  });
  const fail = (error: Error): void => {
    begun.reject(error);
    ended.reject(error);
  };
  child.once('error', fail);
  child.once('exit', (code) => {
    if (result) ended.resolve(result);
    else fail(new Error(`The attack ended with ${code} and no result.`));
  });
  const order: HostileOrder = {
    ports,
    firstAddress: FIRST_ADDRESS,
    clients: CLIENTS,
    attacks: attacks.map((each) => ({ ...each, bytes: each.bytes.toString('latin1') })),
    seconds,
  };
  child.send(order);
  // Whoever waits for `begun` hears of it there first.
  ended.promise.catch(() => {});
  return { begun: begun.promise, ended: ended.promise };
}
