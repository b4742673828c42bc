import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getProofStatus } from '@coinfront/sdk/proofs/get-proof-status.ts';
import { type AuditedEpoch, type AuditedLog, auditLog } from '@coinfront/sdk/verify/audit-log.ts';
import { chainSource } from '@coinfront/sdk/verify/chain-source.ts';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { type AuditedReceipts, auditReceipts, describeReceipts } from '../service/audit-receipts.ts';
import { connectWallet } from '../service/connect.ts';
import { followRegistry } from '../service/follow-registry.ts';
import { type Connection, openConnection } from '../service/open-connection.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';

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
all epochs looked up in the chain, or the newest --epochs. --chain names another service to read the chain from: without it the service is
asked about itself. --receipts reads the receipts of the epochs, too, or of one --epoch, and checks that they are those that it was closed with.
A wallet that has seen nothing cannot tell a log that was begun anew from a young one: --first names its first epoch.
Exit code 6: the log or a receipt was changed, epochs or receipts are missing, or the chain does not hold an epoch in time, as of a registry that
anchors nothing.`,
  args: [],
  options: {
    chain: { value: '<url>', summary: 'a service to read the chain from' },
    epochs: { value: '<number>', summary: 'newest epochs to look up in the chain; all unless given' },
    receipts: { summary: 'checks all receipts of the epochs, which takes a while' },
    epoch: { value: '<epoch>', summary: 'with --receipts: of this epoch only' },
    first: { value: '<epoch>', summary: 'the first epoch of the log, where you know it from elsewhere' },
  },
  async run(context, { options }) {
    const newest = Number(options.epochs ?? MAX_EPOCHS);
    if (!Number.isInteger(newest) || newest < 1 || newest > MAX_EPOCHS)
      throw misuse(`--epochs is a number from 1 to ${MAX_EPOCHS}.`);
    const first = readEpoch('--first', options.first);
    const only = readEpoch('--epoch', options.epoch);
    if (only !== undefined && (options.receipts !== true || options.epochs !== undefined))
      throw misuse('--epoch goes with --receipts, and not with --epochs.');
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
    const audited = await audit(connection, source, status, { newest, first });
    const receipts = options.receipts ? await readReceipts(context, connection, audited, only) : undefined;
    const isBad = isDoubtful(audited) || (receipts?.faults.length ?? 0) > 0;
    return {
      json: { ...describeAudit(audited, log), ...(receipts && { receipts }) },
      lines: [...writeAudit(audited, log), ...(receipts ? describeReceipts(receipts) : [])],
      exitCode: isBad ? exitCodes.invalid : exitCodes.done,
    };
  },
});

function readEpoch(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const epoch = Number(text);
  if (!Number.isSafeInteger(epoch) || epoch < 0) throw misuse(`${option} is the number of an epoch.`);
  return epoch;
}

/** @param only - one epoch; all that were looked up unless given */
function readReceipts(
  { terminal }: Context,
  { client }: Connection,
  { epochs }: AuditedLog,
  only: number | undefined,
): Promise<AuditedReceipts> {
  const summaries = epochs.map(({ summary }) => summary).filter(({ epoch }) => (only ?? epoch) === epoch);
  if (only !== undefined && summaries.length === 0)
    throw new CliError('epoch_unknown', `The log has no epoch ${only}.`, exitCodes.invalid);
  return auditReceipts(terminal, client, summaries);
}

type SeenLog = NonNullable<Awaited<ReturnType<typeof followRegistry>>['log']>;

const countOf = ({ epochs }: AuditedLog, ...stands: AuditedEpoch['stand'][]) =>
  epochs.filter(({ stand }) => stands.includes(stand)).length;

/** One epoch may be closed any moment; of more nobody knows whether they were dropped. */
function isDoubtful(audited: AuditedLog): boolean {
  const { gaps, behind } = audited;
  return countOf(audited, 'late', 'missing', 'impossible') > 0 || gaps.length > 0 || behind > 1;
}

function describeAudit({ epochs, entries, gaps, firstEpoch, behind }: AuditedLog, log: SeenLog) {
  return {
    ...{ entries: log.entries, known_since: log.knownSince ?? null, checkpoint: log.note },
    ...{ first_epoch: firstEpoch ?? null, not_looked_up: entries - epochs.length, gaps, behind },
    epochs: epochs.map(({ summary, digest, stand, anchoredAt }) => ({
      ...{ epoch: summary.epoch, digest, stand, anchored_at: anchoredAt ?? null },
    })),
  };
}

function writeAudit(audited: AuditedLog, log: SeenLog): string[] {
  const { epochs, entries, gaps, firstEpoch, behind } = audited;
  const older = entries - epochs.length;
  const nobody = 'no node was registered, nobody looked, or they were dropped';
  const since =
    log.knownSince === undefined
      ? `seen for the first time; it begins with epoch ${firstEpoch}`
      : `goes on from what was seen on ${log.knownSince}`;
  return [
    `log       ${log.entries} epochs, ${since}`,
    ...(Object.keys(meanings) as (keyof typeof meanings)[])
      .filter((stand) => countOf(audited, stand) > 0)
      .map((stand) => `epochs    ${countOf(audited, stand)} ${meanings[stand]}`),
    ...(older > 0 ? [`older     ${older} epochs were not looked up`] : []),
    ...gaps.map(({ from, to }) => `missing   epochs ${from} to ${to}: ${nobody}`),
    ...(behind > 1 ? [`behind    ${behind} epochs could have been closed since: ${nobody}`] : []),
  ];
}

async function audit(
  { client, config }: Connection,
  source: Connection,
  { registry_key, rules }: { registry_key: string | null; rules: { epoch_blocks: number } },
  { newest, first }: { newest: number; first: number | undefined },
): Promise<AuditedLog> {
  try {
    return await auditLog(client, {
      registryKey: registry_key!,
      genesisHash: config.genesis_hash,
      epochBlocks: rules.epoch_blocks,
      chain: chainSource(source.client),
      newest,
      firstEpoch: first,
      marker: getHexBytes((await getProofStatus(source.client)).marker),
    });
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    const message = `WARNING: the log of this registry is not what it has signed. ${error.message}`;
    throw new CliError(error.code, message, exitCodes.invalid, { facts: { shown: error.shown ?? null } });
  }
}
