import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import type { LoggedHead } from '@coinfront/protocol/treasury/ledger-head.ts';
import type { Client } from '../client/client.ts';
import { listLedger } from '../treasury/list-ledger.ts';
import { type ChainSource, readTipHeight } from './chain-source.ts';
import { type EpochStand, epochStands, findAnchorHeight, judgeBlock, judgeEpoch } from './epoch-stand.ts';
import { LogError } from './log-error.ts';
import { ledgerLog, openLog } from './log-source.ts';
import { compareWithHeads, readLoggedHeads } from './logged-heads.ts';
import { readLog } from './read-log.ts';
import { type LedgerVerdict, type ReadLedgerPage, verifyLedger } from './verify-ledger.ts';

/** A head of the ledger that its log has, and how the chain holds it. */
export type AuditedHead = {
  head: LoggedHead;
  /** The digest of the checkpoint that it was the newest entry of. */
  digest: string;
  stand: EpochStand;
  /** The lowest block that holds it. */
  anchoredAt: number | undefined;
};

/** What was found of a ledger and its log. */
export type AuditedLedger = {
  /** The newest checkpoint of the log: keep it for {@link followLedgerLog}. */
  note: string;
  /** Oldest first. */
  heads: AuditedHead[];
  /** Whether the ledger is sound by itself. */
  ledger: LedgerVerdict;
  /**
   * Movements of coins by what the chain says of them. What was said later of earlier blocks (reversals, notes, gifts that were claimed or
   * assigned) is held by heads as well, and not counted: by its block it would look late.
   */
  movements: Record<EpochStand, number>;
  /**
   * Balance after the newest entry, in coins; undefined without one. Compare it with the unspent outputs of the treasury in a chain that you
   * trust: entries that were dropped from the end are missing there.
   */
  balance: string | undefined;
  /** The first movement that is not held in time, and is not too new to be. */
  firstUnheld: number | undefined;
};

export type AuditLedgerOptions = {
  /** Ed25519, hex, from a source other than the service: the key of the log. */
  serviceKey: string;
  /** Keys that earlier entries may be sealed by, where the service has had others. */
  earlierKeys?: readonly string[];
  genesisHash: string;
  /** Blocks of an epoch: `epoch_blocks` of the status. */
  epochBlocks: number;
  chain: ChainSource;
  /** First four bytes of payloads that anchor. */
  marker?: Uint8Array | undefined;
};

const ENTRIES_OF_A_PAGE = 100;

/**
 * Checks the ledger of a treasury for whoever has kept nothing: the ledger by itself, the heads in its log against the ledger, and the
 * checkpoints of the log against the chain. Whoever changes an old entry changes all heads from there on, and cannot anchor the new ones in
 * blocks of the past.
 *
 * @throws LogError where the log is not what it has signed, or has other heads than the ledger: both are signed, and prove it
 * @example
 * const { ledger, firstUnheld } = await auditLedger(client, { serviceKey, genesisHash, epochBlocks, chain: chainSource(another) });
 */
export async function auditLedger(client: Client, options: AuditLedgerOptions): Promise<AuditedLedger> {
  const { serviceKey, earlierKeys = [], genesisHash, epochBlocks } = options;
  const log = ledgerLog(serviceKey);
  const note = await log.getCheckpoint(client);
  const entries = await readLog(client, log, openLog(note, log, { shown: note }));
  const read = entries && readLoggedHeads(entries, options);
  if (read === undefined) throw new LogError('log_forked', { shown: note });
  const tip = await readTipHeight(options.chain);
  const heads: AuditedHead[] = [];
  // Later checkpoints hold it, too: the lowest of their blocks counts.
  let lowest: number | undefined;
  for (const { head, digest } of read.toReversed()) {
    const own = await findAnchorHeight(digest, options);
    if (own !== undefined && (lowest === undefined || own < lowest)) lowest = own;
    const stand = judgeEpoch(head.epoch, { own, lowest, tip, epochBlocks });
    heads.unshift({ head, digest, stand, anchoredAt: lowest });
  }

  const movements = Object.fromEntries(epochStands.map((stand) => [stand, 0])) as Record<EpochStand, number>;
  let [firstUnheld, balance]: [number?, string?] = [];
  const comparison = compareWithHeads(heads);
  const look = (entry: LedgerEntryJson): void => {
    balance ??= entry.balance;
    const first = comparison.look(entry);
    if (!isMovement(entry)) return;
    const stand = judgeBlock(entry.height, { lowest: first?.anchoredAt, tip, epochBlocks });
    movements[stand] += 1;
    if (stand !== 'in_time' && stand !== 'waiting') firstUnheld = entry.sequence;
  };
  const readPage: ReadLedgerPage = (cursor) =>
    listLedger(client, { limit: ENTRIES_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) });
  const ledger = await verifyLedger(
    readPage,
    { serviceKeys: [serviceKey, ...earlierKeys], genesisHash },
    { onEntry: look },
  );
  const newest = ledger.ok ? (ledger.head?.sequence ?? 0) : Number.POSITIVE_INFINITY;
  if (comparison.isForked(newest)) throw new LogError('log_forked', { shown: note });
  return { note, heads, ledger, movements, balance, firstUnheld };
}

/** Whether an entry says what a block moved, when the block came. */
function isMovement({ kind, assigned_by }: LedgerEntryJson): boolean {
  return kind !== 'reversal' && kind !== 'note' && (assigned_by ?? null) === null;
}
