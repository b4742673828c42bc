import { getNode } from '@coinfront/sdk/nodes/get-node.ts';
import { nodePublicKey } from '@coinfront/sdk/wallet/node-identity.ts';
import { loadWallet, unlockWallet } from '../keystore/open-wallet-file.ts';
import type { WalletFile } from '../keystore/wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followKnownRegistry } from '../service/follow-registry.ts';
import { defineCommand } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { nodeOption, readNodeIndex } from '../wallet/node-index.ts';

export const nodeShowCommand = defineCommand({
  name: 'node show',
  summary: 'show a registered node: whether it is seen, and how often',
  args: [{ name: 'key', summary: "a node's key (default: the wallet's own)", optional: true }],
  options: { node: nodeOption },
  async run(context, { args, options }) {
    const file = await loadWallet(context);
    const connection = await connectWallet(context, file);
    const { client } = connection;
    await followKnownRegistry(context, connection);
    const node_key = args.key ?? (await readOwnKey(context, file, readNodeIndex(options.node)));
    const node = await getNode(client, { node_key });
    const { state, endpoint, payout_address, last_seen, epoch, user_agent } = node;
    const uptime =
      epoch.uptime_ppm === null
        ? 'not judged yet'
        : `${epoch.uptime_ppm / 10_000}% of ${epoch.passed + epoch.failed} looks`;
    return {
      json: node,
      lines: [
        `${state}  ${node.node_key}`,
        `  endpoint   ${endpoint}${node.endpoint_proven ? ', proven' : ''}`,
        ...(node.reached === null ? [] : [`  leads to   ${node.reached}`]),
        `  rewards    to ${payout_address}`,
        `  last seen  ${last_seen ?? 'never'}`,
        `  epoch      ${uptime}`,
        ...(user_agent === null ? [] : [`  says       ${user_agent}`]),
      ],
    };
  },
});

async function readOwnKey(context: Context, file: WalletFile, index: number): Promise<string> {
  const keys = await unlockWallet(context, file);
  try {
    return nodePublicKey(keys, index);
  } finally {
    keys.wipe();
  }
}
