import { readFile } from 'node:fs/promises';
import type { ContributionReceiptJson, TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { type FollowedLedger, followLedger, type LedgerOwner } from '@coinfront/sdk/verify/follow-ledger.ts';
import { followLedgerLog } from '@coinfront/sdk/verify/follow-log.ts';
import {
  CONTRIBUTION_RECEIPT_FAULTS,
  verifyContributionReceipt,
} from '@coinfront/sdk/verify/verify-contribution-receipt.ts';
import { LEDGER_FAULTS, type LedgerHead, type LedgerVerdict } from '@coinfront/sdk/verify/verify-ledger.ts';
import { auditTreasury } from '../service/audit-treasury.ts';
import { describeKnown, type SeenLog } from '../service/follow-remembered.ts';
import { describeHolder, followTreasury } from '../service/follow-treasury.ts';
import { type Connection, openConnection } from '../service/open-connection.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand, type Outcome } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { treasuryKeyOption } from '../wallet/treasury-keys.ts';

export const treasuryLedgerCommand = defineCommand({
  name: 'treasury ledger',
  summary: 'reads the ledger of a treasury and checks it, and its log, from its first entry',
  details: `Nothing of a wallet is needed. The log of the ledger has to go on from the checkpoint that was seen of it, and the ledger has to be the one
that the log has; the new checkpoint is kept beside the wallet, or where it would be. What it prints as "head" stands for the whole ledger: with --since, another
day, it is checked that the ledger goes on from there, and nothing before it is read. --receipt: the same from what "treasury receipt --save" kept.
--chain: the log is looked up in the chain that this service tells: best another one. Exit code 6: the ledger does not hold what it should, is not
sound, its log was changed, or the chain does not hold an entry in time.`,
  args: [],
  options: {
    since: { value: '<entry>:<hash>', summary: 'a head that was printed earlier; nothing before it is read' },
    receipt: { value: '<file>', summary: 'a receipt that was kept', file: true },
    chain: { value: '<url>', summary: 'a service to read the chain from' },
    key: treasuryKeyOption,
  },
  async run(context, { options }) {
    const { since, receipt, chain } = options;
    if ([since, receipt, chain].filter((each) => each !== undefined).length > 1)
      throw misuse('Give one of --since, --receipt and --chain.');
    const remembered = since === undefined ? undefined : parseHead(since);
    const connection = await openConnection(context);
    const { client } = connection;
    const status = await getTreasuryStatus(client);
    if (chain !== undefined) return await audit(context, connection, status, { key: options.key, chain });
    const kept = receipt === undefined ? undefined : await readReceipt(receipt);
    const seen = await followTreasury(context, connection, status, options.key, async (owner, note) => {
      const isKept =
        kept === undefined
          ? undefined
          : verifyContributionReceipt(kept, { serviceKeys: keysOf(owner), ...owner });
      if (isKept?.ok === false)
        throw new CliError('receipt_invalid', CONTRIBUTION_RECEIPT_FAULTS[isKept.code], exitCodes.invalid);
      const options = { remembered: note, since: isKept ?? remembered };
      return { ...(await followLedger(client, owner, options)), keys: keysOf(owner) };
    });
    if (seen === undefined && (kept ?? remembered) !== undefined)
      return describeFault({ ok: false, code: 'not_extended', sequence: undefined });
    return seen === undefined ? describeNothing() : describe(seen, (kept ?? remembered) !== undefined);
  },
});

/** The keys that entries may be sealed by, once each. */
function keysOf({ serviceKey, earlierKeys = [] }: LedgerOwner): string[] {
  return [...new Set([serviceKey, ...earlierKeys])];
}

async function audit(
  context: Context,
  connection: Connection,
  status: TreasuryStatusJson,
  { key, chain }: { key: string | undefined; chain: string },
): Promise<Outcome> {
  const { client } = connection;
  const source = await openConnection({ ...context, options: { ...context.options, service: chain } });
  const audited = await followTreasury(context, connection, status, key, async (owner, remembered) => {
    // What was seen counts first: the chain does not hold yet what is new.
    const log = await followLedgerLog(client, owner, remembered);
    return { note: log?.note, outcome: await auditTreasury(client, source.client, owner, status) };
  });
  if (audited === undefined)
    throw new CliError('other_service', 'The ledger has no entry yet.', exitCodes.invalid);
  return audited.outcome;
}

type Seen = SeenLog<FollowedLedger & { keys: string[] }>;

function describe(seen: Seen, isSince: boolean): Outcome {
  const { ledger, note, keys, knownSince, heldBy } = seen;
  if (!ledger.ok) return describeFault(ledger);
  const { head, entries } = ledger;
  const text = head === undefined ? null : `${head.sequence}:${head.hash}`;
  const log = note === undefined ? null : { checkpoint: note, known_since: knownSince ?? null };
  const held = heldBy === undefined ? null : { epoch: heldBy.epoch, sequence: heldBy.sequence };
  return {
    json: { sound: true, entries, head: text, keys, log, ...(isSince ? { held_by: held } : {}) },
    lines: [
      `The ledger is sound: ${entries} entries were checked.`,
      `head  ${text ?? 'nothing'}`,
      ...keys.map((key) => `key   ${key}`),
      ...(note === undefined ? [] : [`log   ${note.split('\n')[1]} heads${describeKnown(knownSince)}`]),
      ...(isSince ? [`held  ${describeHolder(heldBy)}`] : []),
    ],
  };
}

function describeFault({ code, sequence }: Extract<LedgerVerdict, { ok: false }>): Outcome {
  const detail = LEDGER_FAULTS[code];
  const where = sequence === undefined ? '' : ` (entry ${sequence})`;
  return {
    json: { sound: false, code, entry: sequence ?? null, detail },
    lines: [`Not sound${where}: ${detail}`],
    exitCode: exitCodes.invalid,
  };
}

function describeNothing(): Outcome {
  return {
    json: { sound: true, entries: 0, head: null, keys: [], log: null },
    lines: ['The ledger has no entry yet.'],
  };
}

function parseHead(text: string): LedgerHead {
  const [, sequence, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  if (sequence === undefined || hash === undefined)
    throw misuse('--since is an entry and its hash, as "treasury ledger" prints them: 41:5891b5…');
  return { sequence: Number(sequence), hash };
}

async function readReceipt(path: string): Promise<ContributionReceiptJson> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ContributionReceiptJson;
  } catch (cause) {
    throw new CliError('receipt_unreadable', `${path} cannot be read: ${(cause as Error).message}`);
  }
}
