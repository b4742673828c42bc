import type { ContributionReceiptJson } from '@coinfront/api/treasury.ts';
import type { LoggedHead } from '@coinfront/protocol/treasury/ledger-head.ts';
import type { Client } from '../client/client.ts';
import { listLedger } from '../treasury/list-ledger.ts';
import { followLedgerLog } from './follow-log.ts';
import { LogError } from './log-error.ts';
import { ledgerLog, openLog } from './log-source.ts';
import { compareWithHeads, type HeadOfLog, readLoggedHeads } from './logged-heads.ts';
import { readLog } from './read-log.ts';
import { type ContributionReceiptFault, verifyContributionReceipt } from './verify-contribution-receipt.ts';
import {
  type LedgerHead,
  type LedgerVerdict,
  type ReadLedgerPage,
  verifyLedger,
  verifyLedgerSince,
} from './verify-ledger.ts';

/** A ledger, and its log. */
export type FollowedLedger = {
  ledger: LedgerVerdict;
  /** The newest checkpoint of the log: keep it. Undefined where there is no log yet, and none was known. */
  note: string | undefined;
  /** Whether the log went on from a checkpoint that was kept. */
  wasKnown: boolean;
  /** The oldest head in the log that holds the entry of `since`, or else the first entry; undefined while none does. */
  heldBy: LoggedHead | undefined;
};

/** Whose ledger it has to be, from a source other than the service. */
export type LedgerOwner = {
  /** Ed25519, hex: the key that the log is signed by. */
  serviceKey: string;
  /** Keys that earlier entries may be sealed by, where the service has had others. */
  earlierKeys?: readonly string[];
  genesisHash: string;
};

export type FollowLedgerOptions = {
  /** The checkpoint of the log that was kept: it has to go on from there. */
  remembered?: string | undefined;
  /** An entry that was seen earlier: the ledger has to hold it, and is read no further back. All of it is read unless given. */
  since?: LedgerHead | undefined;
};

const ENTRIES_OF_A_PAGE = 100;

/**
 * Checks a treasury's ledger together with its log: the log goes on from the checkpoint that was kept, the entries are sound, and they are
 * those that the heads in the log stand for. So an operator who changes what is older than the newest head, in the ledger or in both, is found
 * by whoever asks twice.
 *
 * @throws LogError where the log does not go on, or has other heads than the ledger
 * @example
 * const { ledger, note } = await followLedger(client, { serviceKey, genesisHash }, { remembered: localStorage.getItem('ledger-log') ?? undefined });
 */
export async function followLedger(
  client: Client,
  owner: LedgerOwner,
  { remembered, since }: FollowLedgerOptions = {},
): Promise<FollowedLedger> {
  const { serviceKey, earlierKeys = [], genesisHash } = owner;
  const followed = await followLedgerLog(client, { serviceKey }, remembered);
  const heads = followed === undefined ? [] : await readHeadsOf(client, owner, followed.note);
  const comparison = compareWithHeads(heads);
  let heldBy: LoggedHead | undefined;
  const onEntry = (entry: Parameters<typeof comparison.look>[0]): void => {
    heldBy = comparison.look(entry)?.head;
  };
  const readPage: ReadLedgerPage = (cursor) =>
    listLedger(client, { limit: ENTRIES_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) });
  const trusted = { serviceKeys: [serviceKey, ...earlierKeys], genesisHash };
  const ledger =
    since === undefined
      ? await verifyLedger(readPage, trusted, { onEntry })
      : await verifyLedgerSince(readPage, trusted, since, { onEntry });
  // What is unsound by itself says why; heads of a part of it say nothing.
  if (ledger.ok && comparison.isForked(ledger.head?.sequence ?? 0))
    throw new LogError('log_forked', { remembered, shown: followed?.note });
  return { ledger, note: followed?.note, wasKnown: followed?.wasKnown ?? false, heldBy };
}

/** What was found of a receipt. */
export type HeldReceipt =
  | ({ ok: true; sequence: number; hash: string; contributorId: string } & Omit<FollowedLedger, 'ledger'>)
  | { ok: false; by: 'receipt'; code: ContributionReceiptFault; note: undefined }
  | { ok: false; by: 'ledger'; verdict: Extract<LedgerVerdict, { ok: false }>; note: string | undefined };

/**
 * Checks a contributor's receipt against the ledger of now and its log: the service has signed it, the ledger still holds it, and the log,
 * which goes on from the checkpoint that was kept, holds the ledger. `heldBy` is the head that holds the entry: undefined for one that is newer than
 * the end of the last epoch, which nothing binds yet but the signature.
 *
 * @throws LogError where the log does not go on, or has other heads than the ledger
 * @example
 * const held = await verifyHeldReceipt(client, receipt, { serviceKey, genesisHash }, kept);
 */
export async function verifyHeldReceipt(
  client: Client,
  receipt: ContributionReceiptJson,
  owner: LedgerOwner,
  remembered?: string,
): Promise<HeldReceipt> {
  const { serviceKey, earlierKeys = [], genesisHash } = owner;
  const serviceKeys = [serviceKey, ...earlierKeys];
  const checked = verifyContributionReceipt(receipt, { serviceKeys, genesisHash });
  if (!checked.ok) return { ok: false, by: 'receipt', code: checked.code, note: undefined };
  const { sequence, hash, contributorId } = checked;
  const { ledger, ...log } = await followLedger(client, owner, { remembered, since: { sequence, hash } });
  if (!ledger.ok) return { ok: false, by: 'ledger', verdict: ledger, note: log.note };
  return { ok: true, sequence, hash, contributorId, ...log };
}

/** @throws LogError where the entries are not what the checkpoint is signed for, or no heads */
async function readHeadsOf(client: Client, owner: LedgerOwner, note: string): Promise<HeadOfLog[]> {
  const log = ledgerLog(owner.serviceKey);
  const entries = await readLog(client, log, openLog(note, log, { shown: note }));
  const heads = entries && readLoggedHeads(entries, owner);
  if (heads === undefined) throw new LogError('log_forked', { shown: note });
  return heads;
}
