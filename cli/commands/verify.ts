import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import { readNetwork } from '@coinfront/sdk/wallet/network.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connect } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'verify that a message was signed by the owner of an address',
  details: `Checked on this machine, for the coin of the wallet, or of --service without a wallet. Exit code 6: invalid, or it cannot
be checked.`,
  args: [
    { name: 'address', summary: 'the address of the supposed signer' },
    { name: 'signature', summary: 'the signature as text' },
    { name: 'message', summary: 'the exact text' },
  ],
  options: {},
  async run(context, { args: { address, signature, message } }) {
    const verdict = verifySignedMessage(address, message, signature, await findNetwork(context));
    const reason = 'reason' in verdict ? verdict.reason : undefined;
    return {
      json: { valid: verdict.ok, state: verdict.state, reason: reason ?? null },
      lines: [verdict.ok ? `Signed by the owner of ${address}.` : `${verdict.state}: ${reason}.`],
      exitCode: verdict.ok ? exitCodes.done : exitCodes.invalid,
    };
  },
});

async function findNetwork(context: Context): Promise<Network> {
  if (context.options.service !== undefined) return readNetwork((await connect(context)).config);
  return (await loadWallet(context)).watch.network;
}
