import { writeFile } from 'node:fs/promises';
import { getContributionReceipt } from '@coinfront/sdk/treasury/get-contribution-receipt.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import {
  CONTRIBUTION_RECEIPT_FAULTS,
  verifyContributionReceipt,
} from '@coinfront/sdk/verify/verify-contribution-receipt.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { readWhole } from '../wallet/amounts.ts';
import { identityOption, readContributorSecret } from '../wallet/contributor.ts';
import { findTreasuryKeys, treasuryKeyOption } from '../wallet/treasury-keys.ts';

export const treasuryReceiptCommand = defineCommand({
  name: 'treasury receipt',
  summary: 'the signed receipt of a contribution, checked here',
  details: `The entry's number is in "treasury me". Keep the receipt: "treasury ledger --receipt" finds out whether the ledger
still holds it. Exit code 6: it proves nothing.`,
  args: [{ name: 'entry', summary: 'number of the entry in the ledger' }],
  options: {
    identity: identityOption,
    key: treasuryKeyOption,
    save: { value: '<file>', summary: 'keeps the receipt in a new file', file: true },
  },
  async run(context, { args, options }) {
    const file = await loadWallet(context);
    const sequence = readWhole('The entry', args.entry, { min: 1, max: Number.MAX_SAFE_INTEGER });
    const { client } = await connectWallet(context, file);
    const contributor_secret = await readContributorSecret(context, file, options.identity);
    const receipt = await getContributionReceipt(client, { contributor_secret, sequence });
    const serviceKeys = findTreasuryKeys(options.key, await getTreasuryStatus(client));
    const { genesisHash } = file.watch.network;
    const verdict = verifyContributionReceipt(receipt, { serviceKeys, genesisHash });
    if (!verdict.ok) {
      const detail = CONTRIBUTION_RECEIPT_FAULTS[verdict.code];
      return {
        json: { valid: false, code: verdict.code, detail },
        lines: [`No proof: ${detail}`],
        exitCode: exitCodes.invalid,
      };
    }
    if (options.save !== undefined)
      await writeFile(options.save, `${JSON.stringify(receipt)}\n`, { flag: 'wx', mode: 0o600 });
    return {
      json: { valid: true, ...receipt },
      lines: [
        `Entry ${verdict.sequence} is of ${verdict.contributorId}, as the service has signed it.`,
        `  amount   ${receipt.entry.amount} ${file.watch.network.ticker}, by ${receipt.entry.txid}`,
        `  hash     ${verdict.hash}`,
        `  signed   by ${receipt.entry.seal?.service_key}`,
      ],
    };
  },
});
