import type { TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { getProofStatus } from '@coinfront/sdk/proofs/get-proof-status.ts';
import { type AuditedLedger, auditLedger } from '@coinfront/sdk/verify/audit-ledger.ts';
import { chainSource } from '@coinfront/sdk/verify/chain-source.ts';
import type { EpochStand } from '@coinfront/sdk/verify/epoch-stand.ts';
import type { LedgerOwner } from '@coinfront/sdk/verify/follow-ledger.ts';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { LEDGER_FAULTS } from '@coinfront/sdk/verify/verify-ledger.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Outcome } from '../shell/command.ts';
import { exitCodes } from '../shell/exit-codes.ts';

const meanings: Record<EpochStand, string> = {
  in_time: 'the chain holds them: they were not changed since',
  waiting: 'too new to be in the chain',
  late: 'anchored too late: they could have been changed until then',
  missing: 'not in the chain: only heads that were kept speak for them',
  impossible: 'they cannot be: their blocks are above the tip, or came after their anchors',
};

/**
 * Checks a treasury's ledger, its log, and both against the chain.
 *
 * @param source - tells the chain
 * @throws CliError where the log is not what it has signed, or another than the ledger has
 */
export async function auditTreasury(
  client: Client,
  source: Client,
  owner: LedgerOwner,
  { epoch_blocks }: Pick<TreasuryStatusJson, 'epoch_blocks'>,
): Promise<Outcome> {
  try {
    const found = await auditLedger(client, {
      ...owner,
      epochBlocks: epoch_blocks,
      chain: chainSource(source),
      marker: getHexBytes((await getProofStatus(source)).marker),
    });
    return describe(found);
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    const message = `WARNING: the log of this treasury is not what it has signed. ${error.message}`;
    throw new CliError(error.code, message, exitCodes.invalid, { facts: { shown: error.shown ?? null } });
  }
}

function describe({ note, heads, ledger, movements, balance, firstUnheld }: AuditedLedger): Outcome {
  const badHead = heads.find(({ stand }) => stand !== 'in_time' && stand !== 'waiting');
  const isSound = ledger.ok && badHead === undefined && firstUnheld === undefined;
  const told = (Object.keys(meanings) as EpochStand[]).filter((stand) => movements[stand] > 0);
  return {
    json: {
      sound: isSound,
      ...(ledger.ok
        ? { entries: ledger.entries, head: ledger.head && `${ledger.head.sequence}:${ledger.head.hash}` }
        : { code: ledger.code, entry: ledger.sequence ?? null }),
      ...{ checkpoint: note, balance: balance ?? null, movements, first_unheld: firstUnheld ?? null },
      heads: heads.map(({ head, digest, stand, anchoredAt }) => ({
        ...{ epoch: head.epoch, sequence: head.sequence, digest, stand, anchored_at: anchoredAt ?? null },
      })),
    },
    lines: [
      ledger.ok
        ? `The ledger is sound by itself: ${ledger.entries} entries were checked.`
        : `Not sound${ledger.sequence === undefined ? '' : ` (entry ${ledger.sequence})`}: ${LEDGER_FAULTS[ledger.code]}`,
      `log        ${heads.length} heads${badHead === undefined ? '' : `; that of epoch ${badHead.head.epoch} is ${badHead.stand}`}`,
      ...told.map((stand) => `movements  ${movements[stand]} ${meanings[stand]}`),
      ...(firstUnheld === undefined
        ? []
        : [`The first that the chain does not hold is entry ${firstUnheld}.`]),
      `balance    ${balance ?? 'nothing'}: compare it with the unspent outputs of the treasury`,
    ],
    exitCode: isSound ? exitCodes.done : exitCodes.invalid,
  };
}
