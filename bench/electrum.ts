import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import { findFreePort } from '../scripts/free-ports.ts';
import { payoutDescriptor, resumeTraffic } from './chain/mine.ts';
import type { BenchChain } from './chain-maker.ts';
import type { CallOrder, CallResult } from './electrum/call-worker.ts';
import type { WatchAnswer, WatchOrder } from './electrum/watch-worker.ts';
import { loadServer } from './reads.ts';
import { type MeasuredProcess, startService, waitForTip } from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, type Row } from './table.ts';

/** What a server in C++ that exists for nothing else was measured at on a machine like this one, calls a second. */
const FULCRUM = { balances: 52_600, histories: 21_600, unspent: 44_300 };
const SHARE = 2 / 3;
const CONNECTIONS = 8;
const DEPTH = 8;
const LOAD_SECONDS = 5;
const SYNC_TIMEOUT_MS = 30 * 60_000;

const WALLETS = 10_000;
const SCRIPTS_EACH = 200;
const BLOCK_TXS = 2_500;
const TOLD_TIMEOUT_MS = 60_000;

/** Calls a second of the Electrum interface beside the same reads over HTTP, and what many wallets cost and wait. The chain must be a copy. */
export async function measureElectrum(chain: BenchChain, storages: StorageMaker): Promise<Row[]> {
  const { node, facts } = chain;
  const storage = await storages.open();
  try {
    const traffic = await resumeTraffic(node, { seed: facts.seed, transactions: facts.requested });
    const withService = async (measure: (service: MeasuredProcess, port: number) => Promise<Row[]>) => {
      const port = await findFreePort();
      const service = await startService(node.url, storage, {
        COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${port}`,
        COINFRONT_BODY_CACHE_MB: '0',
      });
      try {
        await waitForTip(service, facts.tipHash, { pollMs: 200, timeoutMs: SYNC_TIMEOUT_MS });
        return await measure(service, port);
      } finally {
        await service.stop();
      }
    };
    const raws = Array.from({ length: BLOCK_TXS }, () => traffic.next().hex);
    const mine = () => node.rpc('generateblock', payoutDescriptor(), raws);
    return [
      ...(await withService((service, port) => measureCalls(chain, service, port))),
      // What a load has left behind would be counted as memory of connections.
      ...(await withService((service, port) => measureWallets(service, port, listPaid(raws), mine))),
    ];
  } finally {
    await storage.drop();
  }
}

async function measureCalls({ facts }: BenchChain, service: MeasuredProcess, port: number): Promise<Row[]> {
  const addresses = [...new Set(facts.sampleAddresses)];
  const scripts = [...new Set(facts.sampleScripts)].map(hashOfScript);
  const cases = [
    ['balances', 'get_balance', '/api/v1/address/%'],
    ['histories', 'get_history', '/api/v1/address/%/txs'],
    ['unspent', 'listunspent', '/api/v1/utxos/%'],
  ] as const;
  const rows: Row[] = [];
  for (const [name, method, path] of cases) {
    const order = { port, method: `blockchain.scripthash.${method}`, parameters: scripts, depth: DEPTH };
    await runCalls({ ...order, connections: CONNECTIONS, seconds: 1 });
    const cpuBefore = service.readUse().cpuSeconds;
    const calls = await runCalls({ ...order, connections: CONNECTIONS, seconds: LOAD_SECONDS });
    const cpu = (service.readUse().cpuSeconds - cpuBefore) / LOAD_SECONDS;
    const paths = addresses.map((address) => path.replace('%', address));
    const http = await loadServer(service, paths, LOAD_SECONDS);
    const failed = calls.failed > 0 ? `, ${calls.failed} FAILED: ${calls.error}` : '';
    rows.push({
      measure: `electrum: ${name} / the same over HTTP`,
      ratio: brief(calls.callsPerSecond / http.requestsPerSecond),
      bound: `>= ${brief(SHARE * FULCRUM[name])} a second, aim ${brief(FULCRUM[name])}`,
      figures: `${brief(calls.callsPerSecond)} / ${brief(http.requestsPerSecond)} a second${failed}`,
      how: `random scripts, ${CONNECTIONS} connections, ${DEPTH} deep, ${LOAD_SECONDS} s; CPU of service ${percent(cpu)}, of the load ${percent(calls.loadCpuShare)}`,
    });
  }
  return rows;
}

async function measureWallets(
  service: MeasuredProcess,
  port: number,
  paid: readonly string[],
  mine: () => Promise<unknown>,
): Promise<Row[]> {
  const wallets = fork(new URL('./electrum/watch-worker.ts', import.meta.url), [], { stdio: 'inherit' });
  const ask = async (order: WatchOrder): Promise<WatchAnswer> => {
    const answer = once(wallets, 'message');
    wallets.send(order);
    return (await answer)[0] as WatchAnswer;
  };
  try {
    const before = readResidentBytes(service);
    await ask({ kind: 'connect', port, connections: WALLETS });
    const connected = readResidentBytes(service);
    await ask({ kind: 'watch', scripts: [...paid], each: SCRIPTS_EACH });
    const watching = readResidentBytes(service);
    await mine();
    const minedMs = Date.now();
    const { atMs, told } = await ask({ kind: 'await', scripts: paid.length, timeoutMs: TOLD_TIMEOUT_MS });
    const subscriptions = WALLETS * SCRIPTS_EACH;
    const mib = (bytes: number): string => `${brief(bytes / 2 ** 20)} MiB`;
    const missing = told < paid.length ? `, ${paid.length - told} NOT TOLD` : '';
    return [
      {
        measure: 'electrum: memory of an idle connection, of a subscription',
        ratio: '-',
        bound: '-',
        figures: `${brief((connected - before) / WALLETS / 1024)} KiB, ${brief((watching - connected) / subscriptions)} bytes`,
        how: `resident memory ${mib(before)} before, ${mib(connected)} with ${brief(WALLETS)} connections, ${mib(watching)} with ${SCRIPTS_EACH} different scripts each`,
      },
      {
        measure: `electrum: a block of ${brief(BLOCK_TXS)} told to all who watch its scripts`,
        ratio: '-',
        bound: '1,000 ms',
        figures: `${brief(atMs - minedMs)} ms, ${brief(told)} told${missing}`,
        how: `from the node's answer to the last notification; ${brief(WALLETS)} connections with ${SCRIPTS_EACH} scripts each`,
      },
    ];
  } finally {
    wallets.kill();
  }
}

/** Script hashes that transactions pay, each once. */
function listPaid(raws: readonly string[]): string[] {
  const scripts = raws.flatMap((raw) =>
    getValue(parseTransaction(getHexBytes(raw))).outputs.map(({ script }) =>
      Buffer.from(script).toString('hex'),
    ),
  );
  return [...new Set(scripts)].filter((script) => !script.startsWith('6a')).map(hashOfScript);
}

function hashOfScript(hex: string): string {
  return createHash('sha256').update(Buffer.from(hex, 'hex')).digest().reverse().toString('hex');
}

function runCalls(order: CallOrder): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./electrum/call-worker.ts', import.meta.url), [], { stdio: 'inherit' });
    let result: CallResult | undefined;
    child.once('message', (message: CallResult) => {
      result = message;
    });
    child.once('exit', (code) =>
      result ? resolve(result) : reject(new Error(`The load process ended with ${code} and no result.`)),
    );
    child.send(order);
  });
}

function readResidentBytes({ pid }: MeasuredProcess): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
