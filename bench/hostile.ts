import { fork } from 'node:child_process';
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import type { HostileOrder } from './hostile/attack-worker.ts';
import { type Attack, requestBytes } from './hostile/attacks.ts';
import { type MeasuredProcess, readPresentRss, startService, waitForTip } from './service-process.ts';
import { type HeavyChain, makeHeavyChain } from './starve/heavy-chain.ts';
import type { StorageMaker } from './storage.ts';
import { brief, quantile, type Row } from './table.ts';

const CLIENTS = 3;
const FIRST_ADDRESS = 11;
const HONEST = '127.0.0.200';
/** Within its own limit of requests, which is a budget for a minute. */
const HONEST_PAUSE_MS = 50;
const SYNC_TIMEOUT_MS = 120_000;

/**
 * Three hostile clients, each at an address of its own, do one thing each time and then all of them at once, under the limits that a
 * service has by default. Somebody else asks for `/status`. Each attack meets a service that was just started.
 *
 * @param only attacks whose names have it, or one of several texts between commas
 */
export async function measureHostile(
  storages: StorageMaker,
  seconds: number,
  only: string | undefined,
): Promise<Row[]> {
  const chain = await makeHeavyChain();
  try {
    const attacks = listAttacks(chain);
    const rows: Row[] = [];
    const tries: [string, Attack[]][] = [
      ['nobody', []],
      ...attacks.map((attack): [string, Attack[]] => [attack.name, [attack]]),
      [
        'all at once',
        attacks.map((attack) => ({ ...attack, connections: Math.ceil(attack.connections / 6) })),
      ],
    ];
    for (const [name, each] of tries) {
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

function listAttacks({ script, txid }: HeavyChain): Attack[] {
  const address = encodeAddress(script, getShippedProfile('regtest'))!;
  const ask = (path: string): Buffer => requestBytes('GET', path);
  const asked = (name: string, path: string, connections = 60): Attack => {
    return { name, bytes: ask(path), connections, pipelined: 1, reads: true };
  };
  const posted = (name: string, path: string, body: string): Attack => {
    return { name, bytes: requestBytes('POST', path, body), connections: 20, pipelined: 1, reads: true };
  };
  const piped = (name: string, path: string): Attack => {
    return { name, bytes: ask(path), connections: 60, pipelined: 1_000, reads: true };
  };
  const manyItems = `01000000000101${'11'.repeat(32)}0000000000ffffffff01e8030000000000000151fe40420f00${'00'.repeat(1_000_000)}00000000`;
  return [
    piped('pipelined /status', '/api/v1/status'),
    piped('pipelined details of 1 MB transactions', `/api/v1/tx/${txid}`),
    asked('details of 1 MB transactions', `/api/v1/tx/${txid}`),
    asked('1 MB transactions, raw', `/api/v1/tx/${txid}/raw`),
    asked('1 MB transactions over Esplora', `/esplora/tx/${txid}`),
    asked('25 transactions of 1 MB', `/esplora/address/${address}/txs`),
    asked('unspent outputs', `/api/v1/address/${address}/utxos?limit=1000`),
    asked('outspends', `/esplora/tx/${txid}/outspends`),
    posted('a million witness items', '/api/v1/broadcast', JSON.stringify({ raw_tx: manyItems })),
    posted('a JSON body of small values', '/api/v1/broadcast', `{"raw_tx":[${'0,'.repeat(900_000)}0]}`),
    posted('a JSON body of many keys', '/api/v1/broadcast', `{${listKeys(180_000)}}`),
    {
      name: 'answers that are never read',
      bytes: ask(`/api/v1/tx/${txid}/raw`),
      connections: 190,
      pipelined: 20,
      reads: false,
    },
    {
      name: 'new connections',
      bytes: Buffer.from('GET /api/v1/status HTTP/1.0\r\nHost: a\r\n\r\n'),
      connections: 190,
      pipelined: 1,
      reads: true,
    },
  ];
}

function listKeys(count: number): string {
  return Array.from({ length: count }, (_, i) => `"${i.toString(36)}":0`).join(',');
}

async function measureAttacks(
  chain: HeavyChain,
  storages: StorageMaker,
  name: string,
  attacks: readonly Attack[],
  seconds: number,
): Promise<Row> {
  const storage = await storages.open();
  // Its own default, which this bench does not turn off.
  const service = await startService(chain.node.url, storage, { COINFRONT_RATE_LIMIT: '600' });
  try {
    await waitForTip(service, chain.tipHash, { pollMs: 200, timeoutMs: SYNC_TIMEOUT_MS });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await askStatus(service.origin, agent);
    const before = service.readUse();
    const attacking = attack(service, attacks, seconds);
    const { waitsMs, peakBytes } = await watch(service, agent, attacking);
    await attacking;
    agent.destroy();
    const { cpuSeconds } = service.readUse();
    const p99 = quantile(waitsMs, 0.99);
    return {
      measure: `hostile: ${name}`,
      ratio: brief(p99 / 100),
      bound: 'p99 < 100 ms, < 1 GB',
      figures: `/status p50 ${brief(quantile(waitsMs, 0.5))} ms, p99 ${brief(p99)} ms, most ${brief(Math.max(...waitsMs))} ms; CPU ${brief(((cpuSeconds - before.cpuSeconds) / seconds) * 100)}%, most ${brief(peakBytes / 2 ** 20)} MiB`,
      how: `${waitsMs.length} answers in ${seconds} s`,
    };
  } finally {
    await service.stop();
    await storage.drop();
  }
}

/** Asks for `/status`, on one connection, until the attack is over; looks at the memory of the service meanwhile. */
async function watch(
  service: MeasuredProcess,
  agent: Agent,
  attacking: Promise<unknown>,
): Promise<{ waitsMs: number[]; peakBytes: number }> {
  const waitsMs: number[] = [];
  let peakBytes = 0;
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  attacking.then(over, over);
  while (!isOver) {
    const beganMs = performance.now();
    const status = await askStatus(service.origin, agent);
    if (status !== 200) throw new Error(`/status answered ${status} to somebody else.`);
    waitsMs.push(performance.now() - beganMs);
    peakBytes = Math.max(peakBytes, readPresentRss(service.pid));
    await delay(HONEST_PAUSE_MS);
  }
  return { waitsMs, peakBytes };
}

function askStatus(origin: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${origin}/api/v1/status`, { localAddress: HONEST, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

function attack({ origin }: MeasuredProcess, attacks: readonly Attack[], seconds: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./hostile/attack-worker.ts', import.meta.url), [], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(code) : reject(new Error(`The attack ended with ${code}.`)),
    );
    const order: HostileOrder = {
      port: Number(new URL(origin).port),
      firstAddress: FIRST_ADDRESS,
      clients: CLIENTS,
      attacks: attacks.map((each) => ({ ...each, bytes: each.bytes.toString('latin1') })),
      seconds,
    };
    child.send(order);
  });
}
