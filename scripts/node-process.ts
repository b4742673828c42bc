import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createNodeClient, type NodeClient } from '../service/src/node/rpc-client.ts';
import { findFreePort } from './free-ports.ts';

/** A regtest node of our own: started here, reachable on loopback only, stopped here. */
export type NodeProcess = {
  readonly url: string;
  readonly dataDir: string;
  readonly client: NodeClient;
  /** True while the process runs. */
  isRunning(): boolean;
  /** Undefined while it does not run. */
  pid(): number | undefined;
  /** Asks the node to stop and waits until its files are closed. */
  stop(): Promise<void>;
  /** Ends the process at once, as a power cut would (SIGKILL). */
  kill(): Promise<void>;
  /** Starts it again on the same ports and files. */
  start(): Promise<void>;
};

export type NodeProcessOptions = {
  readonly dataDir: string;
  readonly rpcPort?: number | undefined;
  readonly extraArgs?: readonly string[] | undefined;
};

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;

/** The node to run: `COINFRONT_TEST_NODE`, or `litecoind` on the PATH. */
export function findNodeBinary(): string {
  return process.env.COINFRONT_TEST_NODE ?? 'litecoind';
}

/** True for Litecoin's node, which knows options that Bitcoin's refuses. */
export function isLitecoin(binary: string): boolean {
  return basename(binary).startsWith('litecoin');
}

/** True for Bitcoin Knots, whose own policy relays less than that of other nodes. */
function isKnots(binary: string): boolean {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return typeof stdout === 'string' && stdout.includes('Knots');
}

/**
 * Starts a regtest node and waits until its RPC answers.
 *
 * @throws Error saying what the node printed when it does not come up.
 */
export async function startNodeProcess(options: NodeProcessOptions): Promise<NodeProcess> {
  const binary = findNodeBinary();
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const rpcPort = options.rpcPort ?? (await findFreePort());
  const password = randomBytes(16).toString('hex');
  const url = `http://coinfront:${password}@127.0.0.1:${rpcPort}`;
  const client = createNodeClient({ url, timeoutMs: 120_000 });
  const extraArgs = options.extraArgs ?? [];
  const args = [
    ...nodeArgs(binary, options.dataDir),
    `-rpcport=${rpcPort}`,
    `-rpcpassword=${password}`,
    ...(extraArgs.some((arg) => arg.startsWith('-listen=')) ? [] : ['-listen=0']),
    ...extraArgs,
  ];
  let child: ChildProcess | undefined;

  // A process that ends without `stop` must not leave its node behind.
  const killAtExit = () => child?.kill('SIGKILL');

  function isRunning(): boolean {
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async function start(): Promise<void> {
    if (isRunning()) return;
    const started = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    process.once('exit', killAtExit);
    let printed = '';
    started.stderr?.on('data', (chunk) => {
      printed = (printed + String(chunk)).slice(-2000);
    });
    let spawnError: Error | undefined;
    started.on('error', (error) => {
      spawnError = error;
    });
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      if (spawnError) throw new Error(`${binary} cannot be started: ${spawnError.message}`);
      if (!isRunning()) throw new Error(`${binary} stopped while starting: ${printed}`);
      try {
        await client.call('getblockchaininfo', [], { timeoutMs: 5_000 });
        // What answers may be another node that took the port: ours names its own log.
        const { logpath } = await client.call<{ logpath: string }>('getrpcinfo');
        if (realpathSync(logpath).startsWith(join(realpathSync(options.dataDir), '/'))) return;
        throw new Error(`${url} is answered by another node, which logs to ${logpath}`);
      } catch (error) {
        if (Date.now() > deadline) throw new Error(`${binary} is not ready: ${printed}`, { cause: error });
      }
      await delay(50);
    }
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const running = child;
    if (!running || !isRunning()) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    const timer = setTimeout(() => running.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
    process.off('exit', killAtExit);
  }

  await start();
  return {
    url,
    dataDir: options.dataDir,
    client,
    isRunning,
    pid: () => (isRunning() ? child?.pid : undefined),
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

function nodeArgs(binary: string, dataDir: string): string[] {
  return [
    '-regtest',
    `-datadir=${dataDir}`,
    '-server',
    '-rest',
    '-txindex=1',
    '-fallbackfee=0.0001',
    '-dnsseed=0',
    '-rpcuser=coinfront',
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    '-rpcworkqueue=256',
    '-rpcthreads=8',
    '-printtoconsole=0',
    '-dbcache=100',
    '-keypool=20',
    // Without MWEB on regtest, unless a suite asks for it: its activation needs a peg-in transaction. And Litecoin's
    // minimum of fees, and Core's policy, everywhere.
    ...(isLitecoin(binary) ? ['-vbparams=mweb:-2:0'] : ['-minrelaytxfee=0.00001']),
    ...(isKnots(binary) ? ['-corepolicy=1'] : []),
  ];
}

/** Opens a wallet of the node, making it the first time. With more than one open, the node wants to be told which is meant. */
export async function ensureWallet(client: NodeClient, name = 'main'): Promise<void> {
  if ((await client.call<string[]>('listwallets')).includes(name)) return;
  const { wallets } = await client.call<{ wallets: Array<{ name: string }> }>('listwalletdir');
  const isKnown = wallets.some((known) => known.name === name);
  await client.call(isKnown ? 'loadwallet' : 'createwallet', [name]);
}
