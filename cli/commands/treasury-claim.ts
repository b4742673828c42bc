import { hashClaimSecret, writeGiftClaimText } from '@coinfront/protocol/treasury/gift-claim.ts';
import { claimGift } from '@coinfront/sdk/treasury/claim-gift.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { readContributor } from '@coinfront/sdk/treasury/read-contributor.ts';
import { followLedgerLog } from '@coinfront/sdk/verify/follow-log.ts';
import { signMessage } from '@coinfront/sdk/wallet/sign-message.ts';
import { loadWallet, unlockWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followTreasury } from '../service/follow-treasury.ts';
import { pinTreasuryKey } from '../service/treasury-key.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { confirm } from '../wallet/confirm.ts';
import { contributorSecretOf, identityOption } from '../wallet/contributor.ts';
import { findOwnAddress, usualSearch } from '../wallet/find-own-address.ts';
import { treasuryKeyOption } from '../wallet/treasury-keys.ts';

export const treasuryClaimCommand = defineCommand({
  name: 'treasury claim',
  summary: 'has a gift credited that was sent without an intent',
  details: `Signs, as the owner of an address that the gift was sent from, that it is to be credited to the wallet's contributor. The text is
made here, and names the service by its key: the one that it said to this wallet before, or --key. Signing moves no coins.`,
  args: [
    { name: 'gift', summary: '<txid>:<output>, as the ledger shows it' },
    { name: 'address', summary: 'an address of the wallet that it was sent from' },
  ],
  options: { identity: identityOption, key: treasuryKeyOption },
  async run(context, { args, options }) {
    const [, txid, vout] = /^([0-9a-f]{64}):(0|[1-9]\d{0,9})$/.exec(args.gift.toLowerCase()) ?? [];
    if (txid === undefined || vout === undefined) throw misuse('A gift is <txid>:<output>.');
    const file = await loadWallet(context);
    const owner = findOwnAddress(file.watch, args.address, usualSearch);
    const session = await connectWallet(context, file);
    const { client } = session;
    const status = await getTreasuryStatus(client);
    const serviceKey = await pinTreasuryKey(context, session, options.key, status);
    await followTreasury(context, session, status, options.key, (owner, remembered) =>
      followLedgerLog(client, owner, remembered),
    );
    const keys = await unlockWallet(context, file);
    try {
      const contributor_secret = contributorSecretOf(keys, options.identity);
      const { id } = await readContributor(client, { contributor_secret });
      const gift = { txid, vout: Number(vout) };
      const text = writeGiftClaimText({
        network: file.watch.network.genesisHash,
        ...gift,
        ...{ serviceKey, contributorId: id, secretHash: hashClaimSecret(contributor_secret) },
      });
      await confirm(context, [`You sign as ${args.address}:`, '', text, ''], 'Sign it?');
      const signature = signMessage(keys, owner, text);
      const claimed = await claimGift(client, {
        contributor_secret,
        ...gift,
        address: args.address,
        signature,
      });
      return {
        json: claimed,
        lines: [`${claimed.amount} ${file.watch.network.ticker}: ${claimed.state}, for ${id}`],
      };
    } finally {
      keys.wipe();
    }
  },
});
