import { getRegistryStatus } from '@coinfront/sdk/nodes/get-registry-status.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';

export const nodeStatusCommand = defineCommand({
  name: 'node status',
  summary: 'show the registry of nodes: its key, rules and counts',
  args: [],
  options: {},
  async run(context) {
    const { client } = await connectWallet(context, await loadWallet(context));
    const status = await getRegistryStatus(client);
    const { registry_key, is_open, nodes, receipts, rules } = status;
    return {
      json: status,
      lines: [
        `registry  ${registry_key ?? 'has no key yet'}${is_open ? '' : ' (closed)'}`,
        `nodes     ${nodes.active} active, ${nodes.lapsed} lapsed, ${nodes.displaced} displaced`,
        `receipts  ${receipts}`,
        `rules     each node is judged once in ${rules.slot_seconds} s; ${rules.minimum_uptime_ppm / 10_000}% uptime is asked for`,
      ],
    };
  },
});
