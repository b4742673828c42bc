import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getProofStatus } from '@coinfront/sdk/proofs/get-proof-status.ts';
import { type AuditedEpoch, auditLog } from '@coinfront/sdk/verify/audit-log.ts';
import { chainSource } from '@coinfront/sdk/verify/chain-source.ts';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followRegistry } from '../service/follow-registry.ts';
import { type Connection, openConnection } from '../service/open-connection.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { exitCodes } from '../shell/exit-codes.ts';

const DEFAULT_EPOCHS = 30;
const MAX_EPOCHS = 100_000;

const meanings = {
  in_time: 'the chain holds them: they were not changed since',
  waiting: 'too new to be in the chain',
  late: 'anchored too late: they could have been changed until then',
  missing: 'not in the chain: only checkpoints that were kept speak for them',
  impossible: 'they cannot be: they end above the tip, or were anchored before they began',
} as const;

export const nodeLogCommand = defineCommand({
  name: 'node log',
  summary: "checks the registry's log against what was seen of it, and against the chain",
  details: `The log has to go on from the checkpoint that this wallet has seen; the new one is kept beside the wallet. Then all entries are read, and
the newest epochs looked up in the chain. --chain names another service to read the chain from: without it the service is asked about itself.
Exit code 6: the log was changed, or the chain does not hold an epoch in time, as of a registry that anchors nothing.`,
  args: [],
  options: {
    chain: { value: '<url>', summary: 'a service to read the chain from' },
    epochs: { value: '<number>', summary: `epochs to look up in the chain; ${DEFAULT_EPOCHS} unless given` },
  },
  async run(context, { options }) {
    const newest = Number(options.epochs ?? DEFAULT_EPOCHS);
    if (!Number.isInteger(newest) || newest < 1 || newest > MAX_EPOCHS)
      throw misuse(`--epochs is a number from 1 to ${MAX_EPOCHS}.`);
    const connection = await connectWallet(context, await loadWallet(context));
    const { status, log } = await followRegistry(context, connection);
    if (log === undefined)
      return {
        json: { entries: 0, epochs: [] },
        lines: ['The registry has no log yet: no epoch was closed.'],
      };
    const source =
      options.chain === undefined
        ? connection
        : await openConnection({ ...context, options: { ...context.options, service: options.chain } });
    const { epochs, behind } = await audit(connection, source, status, newest);
    const count = (stand: AuditedEpoch['stand']) => epochs.filter((epoch) => epoch.stand === stand).length;
    const isBad = count('late') + count('missing') + count('impossible') > 0;
    return {
      json: {
        ...{ entries: log.entries, known_since: log.knownSince ?? null, checkpoint: log.note, behind },
        epochs: epochs.map(({ summary, digest, stand, anchoredAt }) => ({
          ...{ epoch: summary.epoch, digest, stand, anchored_at: anchoredAt ?? null },
        })),
      },
      lines: [
        `log       ${log.entries} epochs, ${log.knownSince === undefined ? 'seen for the first time' : `goes on from what was seen on ${log.knownSince}`}`,
        ...(Object.keys(meanings) as (keyof typeof meanings)[])
          .filter((stand) => count(stand) > 0)
          .map((stand) => `epochs    ${count(stand)} ${meanings[stand]}`),
        ...(behind > 1
          ? [
              `behind    ${behind} epochs could have been closed since: no node was registered, or they were dropped`,
            ]
          : []),
      ],
      exitCode: isBad ? exitCodes.invalid : exitCodes.done,
    };
  },
});

async function audit(
  { client, config }: Connection,
  source: Connection,
  { registry_key, rules }: { registry_key: string | null; rules: { epoch_blocks: number } },
  newest: number,
) {
  try {
    return await auditLog(client, {
      registryKey: registry_key!,
      genesisHash: config.genesis_hash,
      epochBlocks: rules.epoch_blocks,
      chain: chainSource(source.client),
      newest,
      marker: getHexBytes((await getProofStatus(source.client)).marker),
    });
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    const message = `WARNING: the log of this registry is not what it has signed. ${error.message}`;
    throw new CliError(error.code, message, exitCodes.invalid, { facts: { shown: error.shown ?? null } });
  }
}
