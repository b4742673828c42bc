import { readFile } from 'node:fs/promises';
import type { ContributionReceiptJson } from '@coinfront/api/treasury.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { listLedger } from '@coinfront/sdk/treasury/list-ledger.ts';
import type { TrustedLedger } from '@coinfront/sdk/verify/check-ledger-entry.ts';
import {
  CONTRIBUTION_RECEIPT_FAULTS,
  verifyContributionReceipt,
} from '@coinfront/sdk/verify/verify-contribution-receipt.ts';
import {
  LEDGER_FAULTS,
  type LedgerHead,
  type LedgerVerdict,
  type ReadLedgerPage,
  verifyLedger,
  verifyLedgerSince,
} from '@coinfront/sdk/verify/verify-ledger.ts';
import { auditTreasury } from '../service/audit-treasury.ts';
import { openConnection } from '../service/open-connection.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { findTreasuryKeys, treasuryKeyOption } from '../wallet/treasury-keys.ts';

const ENTRIES_OF_A_PAGE = 100;

export const treasuryLedgerCommand = defineCommand({
  name: 'treasury ledger',
  summary: 'reads the ledger of a treasury and checks it from its first entry',
  details: `Nothing of a wallet is needed. What it prints as "head" stands for the whole ledger: with --since, another day, it is checked
that the ledger goes on from there. --receipt: the ledger has to hold what "treasury receipt --save" kept. --chain: the log of the ledger is read,
and looked up in the chain that this service tells: best another one. Exit code 6: the ledger does not hold what it should, is not sound, or the
chain does not hold an entry in time.`,
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
    const { client, config } = await openConnection(context);
    const status = await getTreasuryStatus(client);
    const trusted: TrustedLedger = {
      serviceKeys: findTreasuryKeys(options.key, status),
      genesisHash: config.genesis_hash,
    };
    if (chain !== undefined) {
      const source = await openConnection({ ...context, options: { ...context.options, service: chain } });
      return await auditTreasury(client, source.client, trusted, status);
    }
    const read: ReadLedgerPage = (cursor) =>
      listLedger(client, { limit: ENTRIES_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) });
    const kept = receipt === undefined ? undefined : await readReceipt(receipt, trusted);
    const verdict =
      remembered === undefined
        ? await verifyLedger(read, trusted, kept === undefined ? {} : { remembered: kept })
        : await verifyLedgerSince(read, trusted, remembered);
    return describe(verdict, trusted);
  },
});

function describe(verdict: LedgerVerdict, { serviceKeys }: TrustedLedger) {
  if (!verdict.ok) {
    const { code, sequence } = verdict;
    const detail = LEDGER_FAULTS[code];
    const where = sequence === undefined ? '' : ` (entry ${sequence})`;
    return {
      json: { sound: false, code, entry: sequence ?? null, detail },
      lines: [`Not sound${where}: ${detail}`],
      exitCode: exitCodes.invalid,
    };
  }
  const { head, entries } = verdict;
  const text = head === undefined ? null : `${head.sequence}:${head.hash}`;
  return {
    json: { sound: true, entries, head: text, keys: serviceKeys },
    lines: [
      `The ledger is sound: ${entries} entries were checked.`,
      `head  ${text ?? 'nothing'}`,
      ...serviceKeys.map((key) => `key   ${key}`),
    ],
  };
}

function parseHead(text: string): LedgerHead {
  const [, sequence, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text.toLowerCase()) ?? [];
  if (sequence === undefined || hash === undefined)
    throw misuse('--since is an entry and its hash, as "treasury ledger" prints them: 41:5891b5…');
  return { sequence: Number(sequence), hash };
}

async function readReceipt(path: string, trusted: TrustedLedger): Promise<LedgerHead> {
  let receipt: ContributionReceiptJson;
  try {
    receipt = JSON.parse(await readFile(path, 'utf8')) as ContributionReceiptJson;
  } catch (cause) {
    throw new CliError('receipt_unreadable', `${path} cannot be read: ${(cause as Error).message}`);
  }
  const verdict = verifyContributionReceipt(receipt, trusted);
  if (!verdict.ok)
    throw new CliError('receipt_invalid', CONTRIBUTION_RECEIPT_FAULTS[verdict.code], exitCodes.invalid);
  return { sequence: verdict.sequence, hash: verdict.hash };
}
