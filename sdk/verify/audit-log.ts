import type { EpochSummary } from '@coinfront/protocol/registry/receipt.ts';
import type { Client } from '../client/client.ts';
import { type ChainSource, readTipHeight } from './chain-source.ts';
import { type EpochStand, findAnchorHeight, judgeEpoch } from './epoch-stand.ts';
import { LogError } from './log-error.ts';
import { openLog, registryLog } from './log-source.ts';
import { type LogEntry, readLog } from './read-log.ts';

/** An epoch of the log, and how the chain holds it. */
export type AuditedEpoch = {
  summary: EpochSummary;
  /** The digest of the checkpoint that it was the newest entry of. */
  digest: string;
  stand: EpochStand;
  /** The lowest block that holds it. */
  anchoredAt: number | undefined;
};

/** Epochs that follow one another and are not in the log, both included. */
export type EpochGap = { from: number; to: number };

export type AuditOptions = {
  /** Ed25519, hex, from a source other than the service. */
  registryKey: string;
  /** The first epoch of the log, from a source other than the service: without it a log that was begun anew looks like a young one. */
  firstEpoch?: number | undefined;
  genesisHash: string;
  /** Blocks of an epoch: `rules.epoch_blocks` of the status. Epochs that these cannot be are `impossible`. */
  epochBlocks: number;
  chain: ChainSource;
  /** So many of the newest epochs are looked up in the chain; all unless given. */
  newest?: number | undefined;
  /** First four bytes of payloads that anchor. */
  marker?: Uint8Array | undefined;
};

/** What {@link auditLog} found. */
export type AuditedLog = {
  note: string;
  entries: number;
  /** Those that were looked up in the chain. */
  epochs: AuditedEpoch[];
  /** Of all entries, looked up or not. */
  gaps: EpochGap[];
  /** Undefined of an empty log. */
  firstEpoch: number | undefined;
  behind: number;
};

/**
 * Checks the log of a registry for whoever has kept nothing: its entries against its signed root, and the checkpoint after each epoch
 * against the chain. Whoever changes an epoch changes all checkpoints from there on, and cannot anchor the new ones in blocks of the past.
 * Whoever drops epochs and goes on can anchor what comes after them: only `gaps` and `behind` show it. An epoch has no entry while no node is
 * registered, or nobody looks, so a gap alone is no proof.
 *
 * @returns the epochs that were looked up, oldest first; `gaps` between the entries; `behind`, how many epochs could have been closed since
 *   the newest entry; and the checkpoint: keep it for {@link followLog}
 * @throws LogError where the log is not what it has signed
 * @example
 * const { epochs } = await auditLog(client, { registryKey, genesisHash, epochBlocks, chain: chainSource(another) });
 */
export async function auditLog(client: Client, options: AuditOptions): Promise<AuditedLog> {
  const log = registryLog(options.registryKey);
  const shown = await log.getCheckpoint(client);
  const entries = await readLog(client, log, openLog(shown, log, { shown }));
  const read = entries && readSummaries(entries, options);
  if (read === undefined) throw new LogError('log_forked', { shown });
  const tip = await readTipHeight(options.chain);
  const epochs: AuditedEpoch[] = [];
  // Later checkpoints hold it, too: the lowest of their blocks counts.
  let lowest: number | undefined;
  for (const { summary, digest } of read.slice(-(options.newest ?? read.length)).reverse()) {
    const height = await findAnchorHeight(digest, options);
    if (height !== undefined && (lowest === undefined || height < lowest)) lowest = height;
    const stand = judgeEpoch(summary.epoch, { own: height, lowest, tip, epochBlocks: options.epochBlocks });
    epochs.unshift({ summary, digest, stand, anchoredAt: lowest });
  }
  const closed = Math.floor(tip / options.epochBlocks) - 1;
  const behind = Math.max(0, closed - (epochs.at(-1)?.summary.epoch ?? closed));
  const numbers = read.map(({ summary }) => summary.epoch);
  const gaps = listGaps(numbers, options.firstEpoch);
  return { note: shown, entries: read.length, epochs, gaps, firstEpoch: numbers[0], behind };
}

/** What is missing between ascending numbers, and before the first of them. */
function listGaps(epochs: readonly number[], first: number | undefined): EpochGap[] {
  const gaps: EpochGap[] = [];
  let next = first ?? epochs[0] ?? 0;
  for (const epoch of epochs) {
    if (epoch > next) gaps.push({ from: next, to: epoch - 1 });
    next = epoch + 1;
  }
  return gaps;
}

type ReadEpoch = { summary: EpochSummary; digest: string };

/** Epochs in their order, of this chain, with receipts that follow one another; undefined for anything else. */
function readSummaries(
  entries: readonly LogEntry[],
  { genesisHash }: Pick<AuditOptions, 'genesisHash'>,
): ReadEpoch[] | undefined {
  const read: ReadEpoch[] = [];
  for (const { text, digest } of entries) {
    const summary = parseSummary(text);
    const before = read.at(-1)?.summary;
    const isNext =
      summary?.type === 'node-epoch' &&
      summary.network === genesisHash &&
      Number.isSafeInteger(summary.epoch) &&
      summary.epoch > (before?.epoch ?? -1) &&
      summary.first_sequence === (before?.last_sequence ?? -1) + 1;
    if (!isNext) return undefined;
    read.push({ summary, digest });
  }
  return read;
}

function parseSummary(text: string): EpochSummary | undefined {
  try {
    return (JSON.parse(text) as EpochSummary | null) ?? undefined;
  } catch {
    return undefined;
  }
}
