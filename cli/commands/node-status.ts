import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followRegistry } from '../service/follow-registry.ts';
import { describeKnown } from '../service/follow-remembered.ts';
import { defineCommand } from '../shell/command.ts';

export const nodeStatusCommand = defineCommand({
  name: 'node status',
  summary: 'show the registry of nodes: its key, rules and counts',
  args: [],
  options: {},
  async run(context) {
    const connection = await connectWallet(context, await loadWallet(context));
    const { status, log } = await followRegistry(context, connection);
    const { registry_key, is_open, nodes, receipts, rules } = status;
    return {
      json: status,
      lines: [
        `registry  ${registry_key ?? 'has no key yet'}${is_open ? '' : ' (closed)'}`,
        `nodes     ${nodes.active} active, ${nodes.lapsed} lapsed, ${nodes.displaced} displaced`,
        `receipts  ${receipts}`,
        ...(log === undefined ? [] : [`log       ${log.entries} epochs${describeKnown(log.knownSince)}`]),
        `rules     each node is judged once in ${rules.slot_seconds} s; ${rules.minimum_uptime_ppm / 10_000}% uptime is asked for`,
      ],
    };
  },
});
