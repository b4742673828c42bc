import { expect } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { createTraffic } from '../../scripts/traffic/traffic.ts';
import { connectElectrum, type ElectrumClient } from '../harness/electrum-client.ts';
import type { TestEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import {
  addressOf,
  type NodeBlock,
  type NodeChain,
  readNodeChain,
  type TruthNode,
} from '../truth/node-chain.ts';
import { expectScript, indexScripts, listScripts, scriptHashOf } from './expected-script.ts';

/** Scripts that are watched through the reorganisations, and transactions that one of them has at least. */
const WATCHED = 250;
const LONG_HISTORY = 100;

/** By script hash; scripts without history have none. */
type Statuses = ReadonlyMap<string, string | null>;

/** A service on one engine, and a client that watches. */
type Watcher = { service: TestService; client: ElectrumClient; known: Map<string, string | null> };

/**
 * Leads a node through reorganisations while a client of a service on each engine watches scripts, and holds what they are told to what the node
 * has been: nothing is missed in the end, and nothing was told that never was.
 */
export async function watchReorgs(engines: readonly TestEngine[], reorgs: number): Promise<void> {
  const node = await startNode();
  const watchers: Watcher[] = [];
  try {
    const traffic = await createTraffic(node.client, { seed: 24 });
    await traffic.prepare();
    for (let block = 0; block < 3; block++) {
      await traffic.sendSome(20);
      await traffic.mineBlock();
    }
    await traffic.sendSome(15);
    const read = createCachedReads(node);
    const before = await read();
    const hashes = [...new Set([...listScripts(before).slice(-WATCHED), findLongest(before)])].map(
      scriptHashOf,
    );
    const addresses = listAddresses(before);
    for (const engine of engines) watchers.push(await watch(node, engine, hashes));
    /** What the node has been since all were known to know all. */
    let states: Statuses[] = [statusesOf(before)];
    for (const { known } of watchers) {
      for (const hash of hashes)
        expect([hash, known.get(hash)]).toEqual([hash, states[0]!.get(hash) ?? null]);
    }

    const record = async (): Promise<void> => void states.push(statusesOf(await read()));
    const settle = async ({ isRecorded = true } = {}): Promise<void> => {
      await record();
      const present = states.at(-1)!;
      const isSettled = ({ client, known }: Watcher): boolean => {
        for (const { method, params } of client.told.splice(0)) {
          if (method !== 'blockchain.scripthash.subscribe') continue;
          const [hash, status] = params;
          if (isRecorded) expect(states.map((state) => state.get(hash) ?? null)).toContain(status);
          expect(status).not.toBe(known.get(hash));
          known.set(hash, status);
        }
        return hashes.every((hash) => known.get(hash) === (present.get(hash) ?? null));
      };
      await waitUntil('watchers know the state', async () => watchers.map(isSettled).every(Boolean), 20_000);
      states = [present];
    };

    for (let round = 0; round < reorgs; round++) {
      await traffic.sendSome(4);
      await settle({ isRecorded: false });
      for (let sent = 0; sent < 2; sent++) {
        await node.rpc('sendtoaddress', addresses[(2 * round + sent) % addresses.length], 0.1);
        await record();
      }
      await settle();
      // What nodes do not relay is only mined before the first one: afterwards its coins may be others.
      if (round === 0) await traffic.mineBlock();
      else await node.mine(1);
      // Some of the traffic's own blocks come in twos.
      await settle({ isRecorded: round > 0 });
      const depth = round % 4;
      const height = await node.rpc<number>('getblockcount');
      await node.rpc('invalidateblock', await node.rpc('getblockhash', height - depth));
      for (let block = 0; block <= depth + 1; block++) {
        await record();
        await node.mine(1);
      }
      await traffic.settle();
      await settle();
    }
  } finally {
    for (const { client, service } of watchers) {
      await client.close();
      await service.stop();
    }
    await node.stop();
  }
}

async function watch(node: TestNode, engine: TestEngine, hashes: readonly string[]): Promise<Watcher> {
  const port = await findFreePort();
  const service = await startService({
    nodeUrl: node.url,
    database: await engine.openUrl(),
    settings: { COINFRONT_ELECTRUM_LISTEN: `127.0.0.1:${port}` },
  });
  await service.waitForMempool();
  const client = await connectElectrum(port);
  await client.call('server.version', 'watcher', '1.4');
  await client.call('blockchain.headers.subscribe');
  const known = new Map<string, string | null>();
  for (const hash of hashes) known.set(hash, await client.call('blockchain.scripthash.subscribe', hash));
  return { service, client, known };
}

/** Blocks never change: each is read once. */
function createCachedReads(node: TestNode): () => Promise<NodeChain> {
  const blocks = new Map<string, NodeBlock>();
  const client = {
    ...node.client,
    async callText<T>(method: string, params: unknown[]): Promise<T> {
      if (method !== 'getblock') return await node.client.callText<T>(method, params);
      const hash = String(params[0]);
      const block = blocks.get(hash) ?? (await node.client.callText<NodeBlock>(method, params));
      blocks.set(hash, block);
      return block as T;
    },
  } as TruthNode['client'];
  return () => readNodeChain({ rpc: node.rpc, client });
}

function statusesOf(chain: NodeChain): Statuses {
  const touching = indexScripts(chain);
  return new Map(
    [...touching].map(([script, its]) => [scriptHashOf(script), expectScript(chain, script, its).status]),
  );
}

/** The script that most transactions touch. */
function findLongest(chain: NodeChain): string {
  const all = [...indexScripts(chain)].map(([script, its]) => ({ script, txs: its.length }));
  const longest = all.reduce((most, each) => (each.txs > most.txs ? each : most));
  expect(longest.txs).toBeGreaterThan(LONG_HISTORY);
  return longest.script;
}

function listAddresses(chain: NodeChain): string[] {
  const paid = [...chain.txs.values()].flatMap(({ tx }) =>
    tx.vout.map(({ scriptPubKey }) => addressOf(scriptPubKey)),
  );
  return [...new Set(paid)].filter((address) => address !== null).slice(-50);
}
