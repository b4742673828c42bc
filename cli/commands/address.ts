import { buildPaymentUri } from '@coinfront/protocol/payment-uri.ts';
import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { addressPath, type WalletAddress } from '@coinfront/sdk/wallet/wallet-address.ts';
import { deriveAddress } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import type { WalletFile } from '../keystore/wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { chooseKind, kindOption } from '../wallet/address-kind.ts';
import { readCoins, readWhole } from '../wallet/amounts.ts';
import { scanWallet } from '../wallet/scan-wallet.ts';

export const addressCommand = defineCommand({
  name: 'address',
  summary: 'show an address to receive coins',
  details: 'The first unused address, or the one at --index, which works offline. No passphrase is needed.',
  args: [],
  options: {
    kind: kindOption,
    index: { value: '<number>', summary: 'index of the address in the account, from 0' },
    amount: { value: '<coins>', summary: 'amount of a payment URI' },
    label: { value: '<text>', summary: 'name of the receiver in the payment URI' },
  },
  async run(context, { options }) {
    const file = await loadWallet(context);
    const { network } = file.watch;
    const owner = await chooseAddress(context, file, options);
    const path = addressPath(owner, network);
    const uri = writeUri(owner.address, options, file);
    return {
      json: { address: owner.address, kind: owner.kind, path, uri },
      lines: [options.amount === undefined && options.label === undefined ? owner.address : uri],
    };
  },
});

async function chooseAddress(
  context: Context,
  file: WalletFile,
  { kind: word, index }: { kind: string | undefined; index: string | undefined },
): Promise<WalletAddress> {
  const kind = chooseKind(word, file.watch.network);
  if (index !== undefined) {
    return deriveAddress(file.watch, {
      kind,
      chain: 0,
      index: readWhole('--index', index, { min: 0, max: 0x7fffffff }),
    });
  }
  const scan = await scanWallet(context, file.watch, await connectWallet(context, file));
  return nextAddress(scan, { kind, chain: 0 });
}

function writeUri(
  address: string,
  { amount, label }: { amount: string | undefined; label: string | undefined },
  { watch: { network } }: WalletFile,
): string {
  const uri = buildPaymentUri(
    {
      address,
      amount: amount === undefined ? undefined : readCoins(amount, network),
      label,
      message: undefined,
      reference: undefined,
    },
    network,
  );
  if (!uri.ok) throw misuse(`${uri.reason}.`);
  return uri.value;
}
