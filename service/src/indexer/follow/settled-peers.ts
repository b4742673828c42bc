import type { Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { isMethodRefused, isNodeError } from '../../node/node-error.ts';
import { readFieldsOfEach } from '../../node/read-answer.ts';
import type { NodeClient } from '../../node/rpc-client.ts';

/** Says whether the node has had the time to hear from its peers what it missed. */
export type PeerWatch = {
  /**
   * False while a node that has had peers has none, and for ten seconds behind its first: blocks of meanwhile may be on their way. A
   * node that never had any is a chain of its own.
   */
  areSettled(nowMs: number): Promise<boolean>;
  /** The node did not answer: it may have been started anew. */
  forget(): void;
};

/** A peer tells its headers within a second or two. */
const SETTLING_MS = 10_000;

const GET = sql<{ value: string }>("select value from meta where key = 'had_peers'");
const PUT = sql("insert into meta (key, value) values ('had_peers', '1') on conflict (key) do nothing");

/** @param writer remembers that the node has had peers */
export function openPeerWatch(node: NodeClient, writer: Writer): PeerWatch {
  let hadPeers: boolean | undefined;
  let sinceMs: number | undefined;
  return {
    async areSettled(nowMs) {
      const count = await countPeers(node);
      if (count === undefined) return true;
      hadPeers ??= (await writer.get(GET)) !== undefined;
      if (count === 0) {
        sinceMs = undefined;
        return !hadPeers;
      }
      if (!hadPeers) await writer.run(PUT);
      hadPeers = true;
      sinceMs ??= nowMs - (await findOldestMs(node, nowMs));
      return nowMs - sinceMs >= SETTLING_MS;
    },
    forget() {
      sinceMs = undefined;
    },
  };
}

/** Undefined where the node may not be asked. */
async function countPeers(node: NodeClient): Promise<number | undefined> {
  const count = await askFor(node.call<unknown>('getconnectioncount'));
  return typeof count === 'number' ? count : undefined;
}

/** How long the oldest connection lasts, in milliseconds; 0 where the node's clock is of no use. */
async function findOldestMs(node: NodeClient, nowMs: number): Promise<number> {
  const peers = await askFor(node.call<unknown>('getpeerinfo'));
  if (!Array.isArray(peers)) return 0;
  let oldestMs = 0;
  for (const { conntime } of readFieldsOfEach(node, 'list of its peers', peers)) {
    if (typeof conntime === 'number') oldestMs = Math.max(oldestMs, nowMs - conntime * 1_000);
  }
  return oldestMs;
}

async function askFor(answer: Promise<unknown>): Promise<unknown> {
  return await answer.catch((error: unknown) => {
    if (isNodeError(error, 'rpc') || isMethodRefused(error)) return undefined;
    throw error;
  });
}
