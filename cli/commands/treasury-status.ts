import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { followLedgerLog } from '@coinfront/sdk/verify/follow-log.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { describeKnown } from '../service/follow-remembered.ts';
import { followTreasury } from '../service/follow-treasury.ts';
import { defineCommand } from '../shell/command.ts';

export const treasuryStatusCommand = defineCommand({
  name: 'treasury status',
  summary: 'show the treasury, and whether its ledger matches the chain',
  details: `The log of the ledger has to go on from the checkpoint that this wallet has seen; the new one is kept beside the wallet. Exit code 6: it
does not.`,
  args: [],
  options: {},
  async run(context) {
    const file = await loadWallet(context);
    const connection = await connectWallet(context, file);
    const { client } = connection;
    const status = await getTreasuryStatus(client);
    const log = await followTreasury(context, connection, status, undefined, (owner, remembered) =>
      followLedgerLog(client, owner, remembered),
    );
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
        ...(log === undefined
          ? []
          : [`log           ${log.entries} heads of the ledger${describeKnown(log.knownSince)}`]),
      ],
    };
  },
});
