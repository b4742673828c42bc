import { writeFile } from 'node:fs/promises';
import { getContributionReceipt } from '@coinfront/sdk/treasury/get-contribution-receipt.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { verifyHeldReceipt } from '@coinfront/sdk/verify/follow-ledger.ts';
import {
  CONTRIBUTION_RECEIPT_FAULTS,
  verifyContributionReceipt,
} from '@coinfront/sdk/verify/verify-contribution-receipt.ts';
import { LEDGER_FAULTS } from '@coinfront/sdk/verify/verify-ledger.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { describeHolder, followTreasury } from '../service/follow-treasury.ts';
import { defineCommand, type Outcome } from '../shell/command.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { readWhole } from '../wallet/amounts.ts';
import { identityOption, readContributorSecret } from '../wallet/contributor.ts';
import { findTreasuryKeys, treasuryKeyOption } from '../wallet/treasury-keys.ts';

export const treasuryReceiptCommand = defineCommand({
  name: 'treasury receipt',
  summary: 'the signed receipt of a contribution, checked here',
  details: `The entry's number is in "treasury me". The ledger of now has to hold it, and its log to go on from the checkpoint that this wallet has seen.
Keep the receipt: "treasury ledger --receipt" finds out whether the ledger still holds it. Exit code 6: it proves nothing, or against the ledger.`,
  args: [{ name: 'entry', summary: 'number of the entry in the ledger' }],
  options: {
    identity: identityOption,
    key: treasuryKeyOption,
    save: { value: '<file>', summary: 'keeps the receipt in a new file', file: true },
  },
  async run(context, { args, options }) {
    const file = await loadWallet(context);
    const sequence = readWhole('The entry', args.entry, { min: 1, max: Number.MAX_SAFE_INTEGER });
    const connection = await connectWallet(context, file);
    const { client } = connection;
    const contributor_secret = await readContributorSecret(context, file, options.identity);
    const receipt = await getContributionReceipt(client, { contributor_secret, sequence });
    const status = await getTreasuryStatus(client);
    const { genesisHash, ticker } = file.watch.network;
    const serviceKeys = findTreasuryKeys(options.key, status);
    const verdict = verifyContributionReceipt(receipt, { serviceKeys, genesisHash });
    if (!verdict.ok)
      return describeFault('No proof', verdict.code, CONTRIBUTION_RECEIPT_FAULTS[verdict.code]);
    // Kept before the ledger is looked at: where that is another one by now, the receipt shows it.
    if (options.save !== undefined)
      await writeFile(options.save, `${JSON.stringify(receipt)}\n`, { flag: 'wx', mode: 0o600 });
    const held = await followTreasury(context, connection, status, options.key, (owner, remembered) =>
      verifyHeldReceipt(client, receipt, owner, remembered),
    );
    if (held?.ok !== true) {
      const code = held?.by === 'ledger' ? held.verdict.code : 'not_extended';
      return describeFault(
        'The service has signed it, and its ledger does not hold it',
        code,
        LEDGER_FAULTS[code],
      );
    }
    const { heldBy, note, knownSince } = held;
    const log = note === undefined ? null : { checkpoint: note, known_since: knownSince ?? null };
    const held_by = heldBy === undefined ? null : { epoch: heldBy.epoch, sequence: heldBy.sequence };
    return {
      json: { valid: true, ...receipt, log, held_by },
      lines: [
        `Entry ${verdict.sequence} is of ${verdict.contributorId}, as the service has signed it.`,
        `  amount   ${receipt.entry.amount} ${ticker}, by ${receipt.entry.txid}`,
        `  hash     ${verdict.hash}`,
        `  signed   by ${receipt.entry.seal?.service_key}`,
        `  held     ${describeHolder(heldBy)}`,
      ],
    };
  },
});

function describeFault(what: string, code: string, detail: string): Outcome {
  return {
    json: { valid: false, code, detail },
    lines: [`${what}: ${detail}`],
    exitCode: exitCodes.invalid,
  };
}
