import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../scripts/free-ports.ts';
import { keepCompiled } from '../scripts/keep-compiled.ts';
import { awaitListening } from '../scripts/listening.ts';
import { listProcesses } from './list-processes.ts';

/** What the operating system counted for a process: CPU of all its threads, peak resident memory. */
export type ProcessUse = { cpuSeconds: number; peakRssBytes: number };

/** A program of ours under measurement, as its own process. */
export type MeasuredProcess = {
  origin: string;
  pid: number;
  /** When the process was started, on the clock of `performance.now()`. */
  startedAtMs: number;
  /** Its address by its own word; undefined when it ended before it listened. */
  listening: Promise<string | undefined>;
  readUse(): ProcessUse;
  /** Throws with the end of its log when the process is gone. */
  checkAlive(): void;
  /** Asks the process to end and waits; kills it when it does not. */
  stop(): Promise<void>;
};

/** Where the service keeps its index in a run. */
export type ServiceStorage = { dataDir: string; databaseUrl?: string };

const CLOCK_TICKS_PER_SECOND = 100;
const STOP_TIMEOUT_MS = 60_000;
const LOG_TAIL_CHARS = 4_000;

/** Starts the service on a node, with the rate limit and the access log off and its listeners on loopback. */
export async function startService(
  nodeUrl: string,
  storage: ServiceStorage,
  settings: Record<string, string> = {},
): Promise<MeasuredProcess> {
  const apiPort = await findFreePort();
  const metricsPort = await findFreePort();
  return startProcess(new URL('../service/src/main.ts', import.meta.url), apiPort, {
    COINFRONT_NODE_URL: nodeUrl,
    COINFRONT_COIN: 'regtest',
    COINFRONT_DATA_DIR: storage.dataDir,
    ...(storage.databaseUrl === undefined ? {} : { COINFRONT_DATABASE_URL: storage.databaseUrl }),
    COINFRONT_LISTEN: `127.0.0.1:${apiPort}`,
    COINFRONT_METRICS_LISTEN: `127.0.0.1:${metricsPort}`,
    COINFRONT_RATE_LIMIT: 'off',
    COINFRONT_LOG_LEVEL: 'warn',
    ...settings,
  });
}

/** Starts the empty Fastify server that reads are compared with, and waits until it listens. */
export async function startEmptyServer(): Promise<MeasuredProcess> {
  const port = await findFreePort();
  const server = startProcess(new URL('./empty-server.ts', import.meta.url), port, {}, [String(port)]);
  if ((await server.listening) === undefined) server.checkAlive();
  return server;
}

/**
 * Waits until the service serves the block `tipHash` as its tip, asking every `pollMs`; returns the moment on the
 * clock of `performance.now()`. Throws when the process ends or the time is over.
 */
export async function waitForTip(
  service: MeasuredProcess,
  tipHash: string,
  options: { pollMs: number; timeoutMs: number },
): Promise<number> {
  const deadline = performance.now() + options.timeoutMs;
  // Before its own word, somebody else may answer on its port.
  await service.listening;
  while (performance.now() < deadline) {
    service.checkAlive();
    if ((await findServedTip(service)) === tipHash) return performance.now();
    await delay(options.pollMs);
  }
  throw new Error(`The service did not reach ${tipHash} within ${options.timeoutMs / 1_000} s.`);
}

/** The tip that the service's answers name, if it answers. */
export async function findServedTip(service: MeasuredProcess): Promise<string | undefined> {
  return (await findServedBlock(service))?.hash;
}

/** The same with its height. */
export async function findServedBlock(
  service: MeasuredProcess,
): Promise<{ hash: string; height: number } | undefined> {
  try {
    const response = await fetch(`${service.origin}/api/v1/status`);
    await response.arrayBuffer();
    const hash = response.headers.get('x-chain-tip');
    return hash === null ? undefined : { hash, height: Number(response.headers.get('x-chain-height')) };
  } catch {
    return undefined;
  }
}

function startProcess(
  script: URL,
  port: number,
  settings: Record<string, string>,
  scriptArguments: string[] = [],
): MeasuredProcess {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [...keepCompiled, fileURLToPath(script), ...scriptArguments], {
    // Nothing of our own environment: a setting of the operator's shell must not change what is measured.
    // As `npm run serve` has it.
    env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576', ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  const keepTail = (chunk: Buffer): void => {
    log = (log + chunk.toString()).slice(-LOG_TAIL_CHARS);
  };
  child.stdout?.on('data', keepTail);
  child.stderr?.on('data', keepTail);
  const listening = awaitListening(child);
  const killWithUs = (): void => {
    child.kill();
  };
  process.once('exit', killWithUs);
  child.once('exit', () => process.removeListener('exit', killWithUs));
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    startedAtMs,
    listening,
    readUse: () => sumUse(child.pid!),
    checkAlive() {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${script} ended (${child.exitCode ?? child.signalCode}):\n${log}`);
      }
    },
    stop: () => stopProcess(child),
  };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const lastResort = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(lastResort);
}

/** What a process and those that it has started use together; of memory, the sum of what each had at most. */
function sumUse(pid: number): ProcessUse {
  const children = listProcesses().filter(({ parent }) => parent === pid);
  return [{ pid }, ...children]
    .map((each) => readProcessUse(each.pid))
    .reduce((sum, use) => ({
      cpuSeconds: sum.cpuSeconds + use.cpuSeconds,
      peakRssBytes: sum.peakRssBytes + use.peakRssBytes,
    }));
}

/** Reads Linux' own accounts of a running process: /proc/<pid>/stat and /proc/<pid>/status. */
export function readProcessUse(pid: number): ProcessUse {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(afterName[11]) + Number(afterName[12]);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (!peak) throw new Error(`/proc/${pid}/status has no VmHWM: peak memory is measured on Linux only.`);
  return { cpuSeconds: ticks / CLOCK_TICKS_PER_SECOND, peakRssBytes: Number(peak[1]) * 1_024 };
}

/**
 * Resident memory of a process, in bytes. `mapped` is what of it are pages of files, which the kernel takes back when somebody
 * needs room: of the program itself, and of the index where SQLite maps it.
 */
export function readMemory(pid: number): { resident: number; mapped: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  return { resident: read('VmRSS'), mapped: read('RssFile') };
}

/** Bytes that a process had written to disks, files removed since included; 0 when it is gone or not ours to ask. */
export function readWrittenBytes(pid: number): number {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
