import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { MixName } from '../chain/mixes.ts';

/** Which files the stand-in serves, what they were made from, and up to which height at first. */
export type NodeStart = {
  dir: string;
  mix: MixName;
  seed: number;
  tip: number;
  branch?: { dir: string; firstHeight: number } | undefined;
  /** Serves what blocks spend, too; the chain must have been made with it. */
  spentOutputs?: boolean;
};

/** What is shown: the chain up to a height, and in the mempool the transactions of so many blocks above it. */
export type Shown = { height: number; onBranch?: boolean; waitingBlocks?: number };

/** What the process tells: where it listens, or that all is shown and how many transactions wait in its mempool. */
export type NodeMessage = { url: string } | { waitingTxs: number };

/** A stand-in of a node that serves a made chain from its own process. */
export type ChainNode = {
  /** With user and password, as a node's URL has them. */
  url: string;
  /** Moves the tip and wakes who waits for a block; gives the number of transactions in the mempool. */
  show(what: Shown): Promise<number>;
  stop(): Promise<void>;
};

/** Starts the process and waits until it listens. Throws when it ends instead. */
export async function startChainNode(start: NodeStart): Promise<ChainNode> {
  const child = fork(new URL('./serve-chain.ts', import.meta.url), [JSON.stringify(start)], {
    stdio: 'inherit',
  });
  const nextMessage = async (): Promise<NodeMessage> => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const message = once(child, 'message', { signal }).then(([value]) => value as NodeMessage);
    const ended = once(child, 'exit', { signal }).then(([code]): never => {
      throw new Error(`The stand-in of the node ended with ${code}.`);
    });
    try {
      return await Promise.race([message, ended]);
    } finally {
      stopping.abort();
      for (const lost of [message, ended]) lost.catch(() => {});
    }
  };
  const first = await nextMessage();
  if (!('url' in first)) throw new Error('The stand-in of the node did not say where it listens.');
  return {
    url: first.url,
    async show(what) {
      const shown = nextMessage();
      child.send(what);
      const told = await shown;
      return 'waitingTxs' in told ? told.waitingTxs : 0;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
