import { signMessage } from '@coinfront/sdk/wallet/sign-message.ts';
import { loadWallet, unlockWallet } from '../keystore/open-wallet-file.ts';
import { defineCommand } from '../shell/command.ts';
import { readWhole } from '../wallet/amounts.ts';
import { confirm } from '../wallet/confirm.ts';
import { findOwnAddress, usualSearch } from '../wallet/find-own-address.ts';

export const signCommand = defineCommand({
  name: 'sign',
  summary: 'sign a message as the owner of an address, offline',
  details:
    'BIP-322, for legacy addresses BIP-137. Signing moves no coins; it proves to others that you own the address.',
  args: [
    { name: 'address', summary: 'an address of the wallet' },
    { name: 'message', summary: 'the exact text' },
  ],
  options: {
    search: {
      value: '<number>',
      summary: `addresses of each account to search (default: ${usualSearch})`,
    },
  },
  async run(context, { args: { address, message }, options }) {
    const searched = readWhole('--search', options.search ?? String(usualSearch), { min: 1, max: 100_000 });
    const file = await loadWallet(context);
    const owner = findOwnAddress(file.watch, address, searched);
    await confirm(context, [`You sign as ${address}:`, '', message, ''], 'Sign it?');
    const keys = await unlockWallet(context, file);
    try {
      const signature = signMessage(keys, owner, message);
      return { json: { address, message, signature }, lines: [signature] };
    } finally {
      keys.wipe();
    }
  },
});
