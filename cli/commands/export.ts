import { exportWatchOnly } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { defineCommand } from '../shell/command.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'the half of the wallet that only watches, for a machine without keys',
  details: `Whoever has it sees all addresses and balances, past and future, but can spend nothing. On the other machine:
coin restore --watch-only <file>. What it builds (--psbt) is signed here by "coin sign psbt".`,
  args: [],
  options: {},
  async run(context) {
    const json = exportWatchOnly((await loadWallet(context)).watch);
    return { json, lines: JSON.stringify(json, null, 2).split('\n') };
  },
});
