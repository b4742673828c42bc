import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';

export const treasuryStatusCommand = defineCommand({
  name: 'treasury status',
  summary: 'show the treasury, and whether its ledger matches the chain',
  args: [],
  options: {},
  async run(context) {
    const file = await loadWallet(context);
    const { client } = await connectWallet(context, file);
    const status = await getTreasuryStatus(client);
    const { reconciliation } = status;
    const { ticker } = file.watch.network;
    return {
      json: status,
      lines: [
        `address       ${status.address}`,
        `contributors  ${status.contributors}`,
        ...(reconciliation === null
          ? [`ledger        not compared: ${status.unreconciled_reason}`]
          : [
              `verified      ${reconciliation.verified_in} ${ticker}`,
              `ledger        ${reconciliation.ledger_total} ${ticker}`,
              `chain         ${reconciliation.utxo_total} ${ticker}, a difference of ${reconciliation.difference}`,
            ]),
      ],
    };
  },
});
