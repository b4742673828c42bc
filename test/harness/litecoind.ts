import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../scripts/free-ports.ts';
import { ensureWallet, type NodeProcess, startNodeProcess } from '../../scripts/node-process.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';

/** A real regtest node in a folder of its own, with a wallet. */
export type TestNode = {
  /** `http://user:password@127.0.0.1:port`, as `COINFRONT_NODE_URL` wants it. */
  readonly url: string;
  readonly dataDir: string;
  /** The service's own client; closed by `stop`. */
  readonly client: NodeClient;
  /** 127.0.0.1:port of its peer-to-peer listener; only nodes of a pair have one. */
  readonly p2pAddress: string | undefined;
  /** Undefined while it does not run. */
  pid(): number | undefined;
  rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T>;
  /** Mines `count` blocks to `address` (default: a new one of the wallet); gives their hashes. */
  mine(count: number, address?: string): Promise<string[]>;
  newAddress(kind?: 'legacy' | 'p2sh-segwit' | 'bech32'): Promise<string>;
  /** Stops it cleanly and starts it again on the same ports. */
  restart(): Promise<void>;
  /** Writes all blocks to disk; what comes later is lost when the node is killed. */
  flush(): Promise<void>;
  /** SIGKILL; `start` brings it back. */
  kill(): Promise<void>;
  /** Stops the process and keeps its files; `start` brings it back. */
  pause(): Promise<void>;
  start(): Promise<void>;
  /** Stops the process and removes its files. */
  stop(): Promise<void>;
};

export type TestNodeOptions = { readonly extraArgs?: readonly string[] };

/** Starts a regtest node; the caller stops it. A free port that was taken meanwhile is retried. */
export async function startNode(options: TestNodeOptions = {}): Promise<TestNode> {
  for (let attempt = 1; ; attempt += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-node-'));
    try {
      const node = await startNodeProcess({ dataDir, extraArgs: options.extraArgs });
      await ensureWallet(node.client);
      return asTestNode(node, undefined);
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true });
      if (attempt === 3) throw error;
    }
  }
}

/** Two nodes; `join` connects them, `part` lets each mine a branch of its own. */
export type TestPair = {
  readonly a: TestNode;
  readonly b: TestNode;
  /** Connects the two and waits until they agree on the best block. */
  join(): Promise<void>;
  /** Cuts the connection and waits until both have noticed. */
  part(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts two regtest nodes, joined: mine apart and join again for a real reorg. */
export async function startPair(options: TestNodeOptions = {}): Promise<TestPair> {
  const extraArgs = options.extraArgs ?? [];
  const p2pPort = await findFreePort();
  const p2pAddress = `127.0.0.1:${p2pPort}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-node-'));
  const listener = await startNodeProcess({
    dataDir,
    extraArgs: ['-listen=1', `-bind=${p2pAddress}`, '-listenonion=0', ...extraArgs],
  });
  await ensureWallet(listener.client);
  const a = asTestNode(listener, p2pAddress);
  const b = await startNode({ extraArgs });

  const pair: TestPair = {
    a,
    b,
    async join() {
      if ((await b.rpc<number>('getconnectioncount')) === 0) await b.rpc('addnode', p2pAddress, 'onetry');
      await waitUntil('the two nodes agree on the best block', async () => {
        const [ofA, ofB] = await Promise.all([a.rpc('getbestblockhash'), b.rpc('getbestblockhash')]);
        return ofA === ofB;
      });
    },
    async part() {
      for (const peer of await b.rpc<Array<{ id: number }>>('getpeerinfo')) {
        await b.rpc('disconnectnode', '', peer.id);
      }
      await waitUntil('the two nodes are apart', async () => {
        const counts = await Promise.all([a.rpc('getconnectioncount'), b.rpc('getconnectioncount')]);
        return counts.every((count) => count === 0);
      });
    },
    async stop() {
      await Promise.all([a.stop(), b.stop()]);
    },
  };
  await pair.join();
  return pair;
}

/** Pauses between looks of {@link waitUntil}. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/**
 * Asks again until `holds`; for state of another process that sends no event. It looks often at first and less often the longer it
 * lasts (a tenth of the time so far), so that long waits leave the processor to what is waited for.
 */
export async function waitUntil(
  what: string,
  holds: () => Promise<boolean> | boolean,
  timeoutMs = 90_000,
): Promise<void> {
  const started = Date.now();
  while (!(await holds())) {
    const waited = Date.now() - started;
    if (waited > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`);
    await delay(Math.min(Math.max(waited / 10, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

function asTestNode(node: NodeProcess, p2pAddress: string | undefined): TestNode {
  const rpc = <T>(method: string, ...params: unknown[]) => node.client.call<T>(method, params);
  const newAddress: TestNode['newAddress'] = (kind = 'bech32') => rpc<string>('getnewaddress', '', kind);

  async function start(): Promise<void> {
    await node.start();
    await ensureWallet(node.client);
  }

  return {
    url: node.url,
    dataDir: node.dataDir,
    client: node.client,
    p2pAddress,
    pid: node.pid,
    rpc,
    newAddress,
    mine: async (count, address) =>
      rpc<string[]>('generatetoaddress', count, address ?? (await newAddress())),
    start,
    async flush() {
      // Core writes everything before it counts.
      await rpc('gettxoutsetinfo');
    },
    kill: () => node.kill(),
    pause: () => node.stop(),
    async restart() {
      await node.stop();
      await start();
    },
    async stop() {
      // Its files go with it: a clean stop would take seconds for nothing.
      await node.kill();
      await node.client.close();
      await rm(node.dataDir, { recursive: true, force: true });
    },
  };
}
