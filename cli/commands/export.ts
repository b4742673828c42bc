import { exportWatchOnly } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { defineCommand } from '../shell/command.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'export the public half of the wallet, for a machine without keys',
  details: `Anyone who has it can see all addresses and balances, past and future, but cannot spend. On the other machine:
coin restore --watch-only <file>. Sign what it builds (--psbt) here with "coin sign psbt".`,
  args: [],
  options: {},
  async run(context) {
    const json = exportWatchOnly((await loadWallet(context)).watch);
    return { json, lines: JSON.stringify(json, null, 2).split('\n') };
  },
});
