import { getRegistryStatus } from '@coinfront/sdk/nodes/get-registry-status.ts';
import { setNodeAlerts } from '@coinfront/sdk/nodes/set-node-alerts.ts';
import { signNodeAlerts } from '@coinfront/sdk/wallet/sign-node-alerts.ts';
import { loadWallet, unlockWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { nodeOption, readNodeIndex } from '../wallet/node-index.ts';

export const nodeAlertsCommand = defineCommand({
  name: 'node alerts',
  summary: 'be told by webhook when your node fails, comes back or is not eligible',
  details: `The node's key, which holds no coins, signs where alerts go. "off" ends them. The secret that alerts are signed with is
printed once; each call makes another.`,
  args: [{ name: 'url', summary: 'where alerts go (https), or "off"' }],
  options: {
    node: nodeOption,
    domain: {
      value: '<host>',
      summary: "the registry's public host (default: that of the service's URL)",
    },
  },
  async run(context, { args, options }) {
    const file = await loadWallet(context);
    const session = await connectWallet(context, file);
    const { registry_key: registryKey } = await getRegistryStatus(session.client);
    if (registryKey === null)
      throw new CliError('registry_not_ready', 'The registry has no key yet: try again when it has begun.');
    const keys = await unlockWallet(context, file);
    try {
      const set = await setNodeAlerts(
        session.client,
        signNodeAlerts(keys, {
          domain: options.domain ?? new URL(session.service).host,
          registryKey,
          nodeIndex: readNodeIndex(options.node),
          url: args.url === 'off' ? null : args.url,
          nowMs: Date.now(),
        }),
      );
      const lines =
        set.url === null
          ? [`No alerts of node ${set.node_key} any more.`]
          : [`Alerts of node ${set.node_key} go to ${set.url}`, `  secret  ${set.secret}`];
      return { json: set, lines };
    } finally {
      keys.wipe();
    }
  },
});
