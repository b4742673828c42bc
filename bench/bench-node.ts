import { startNodeProcess } from '../scripts/node-process.ts';

/** A node of the bench's own on loopback. `url` carries the credentials, `restUrl` does not need them. */
export type RunningNode = {
  url: string;
  restUrl: string;
  /** Calls one RPC; a refusal of the node is thrown with its message. */
  rpc<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Stops the node and waits until it has written everything and is gone. */
  stop(): Promise<void>;
};

const TEN_YEARS_S = 10 * 365 * 86_400;

/**
 * Starts a regtest node in the given folder and waits until it answers. The tip of a bench chain is years old by its
 * own clock, so the node is told not to take that for an initial download. Throws when it does not come up.
 */
export async function startBenchNode(options: { dataDir: string }): Promise<RunningNode> {
  const node = await startNodeProcess({
    dataDir: options.dataDir,
    extraArgs: [
      '-txindex=0',
      '-disablewallet',
      '-persistmempool=0',
      '-dbcache=300',
      '-checkblocks=1',
      '-checklevel=0',
      '-rpcservertimeout=300',
      `-maxtipage=${TEN_YEARS_S}`,
    ],
  });
  return {
    url: node.url,
    restUrl: `${new URL(node.url).origin}/rest`,
    rpc: (method, ...params) => node.client.call(method, params),
    async stop() {
      await node.stop();
      await node.client.close();
    },
  };
}
