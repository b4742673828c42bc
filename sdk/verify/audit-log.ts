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

export type AuditOptions = {
  /** Ed25519, hex, from a source other than the service. */
  registryKey: string;
  genesisHash: string;
  /** Blocks of an epoch: `rules.epoch_blocks` of the status. Epochs that these cannot be are `impossible`. */
  epochBlocks: number;
  chain: ChainSource;
  /** So many of the newest epochs are looked up in the chain; all unless given. */
  newest?: number | undefined;
  /** First four bytes of payloads that anchor. */
  marker?: Uint8Array | undefined;
};

/**
 * Checks the log of a registry for whoever has kept nothing: its entries against its signed root, and the checkpoint after each epoch
 * against the chain. Whoever changes an epoch changes all checkpoints from there on, and cannot anchor the new ones in blocks of the past.
 *
 * @returns the epochs that were looked up, oldest first; `behind`, how many epochs could have been closed since: none of them is in the log
 *   while no node is registered, and otherwise they were dropped; and the checkpoint: keep it for {@link followLog}
 * @throws LogError where the log is not what it has signed
 * @example
 * const { epochs } = await auditLog(client, { registryKey, genesisHash, epochBlocks, chain: chainSource(another) });
 */
export async function auditLog(
  client: Client,
  options: AuditOptions,
): Promise<{ note: string; entries: number; epochs: AuditedEpoch[]; behind: number }> {
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
  return { note: shown, entries: read.length, epochs, behind };
}

type ReadEpoch = { summary: EpochSummary; digest: string };

/** Epochs in their order, of this chain; undefined for anything else. */
function readSummaries(
  entries: readonly LogEntry[],
  { genesisHash }: Pick<AuditOptions, 'genesisHash'>,
): ReadEpoch[] | undefined {
  const read: ReadEpoch[] = [];
  for (const { text, digest } of entries) {
    const summary = parseSummary(text);
    const isNext =
      summary?.type === 'node-epoch' &&
      summary.network === genesisHash &&
      Number.isSafeInteger(summary.epoch) &&
      summary.epoch > (read.at(-1)?.summary.epoch ?? -1);
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
