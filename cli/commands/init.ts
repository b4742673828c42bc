import { randomInt } from 'node:crypto';
import { createMnemonic } from '@coinfront/sdk/wallet/mnemonic.ts';
import { readNetwork } from '@coinfront/sdk/wallet/network.ts';
import { deriveAddress } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { readSecretFile } from '../keystore/passphrase.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { connect } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { chooseKind } from '../wallet/address-kind.ts';
import { checkFree, saveNewWallet } from '../wallet/save-new-wallet.ts';

export const initCommand = defineCommand({
  name: 'init',
  summary: 'create a new wallet',
  details: `The wallet stores the service's coin and refuses any other chain later. The words are created on this machine, shown once,
and encrypted in the wallet file with the passphrase. Anyone who has the words has the coins: write them on paper.`,
  args: [],
  options: {
    words: { value: '<count>', summary: 'length of the mnemonic (default: 12)', choices: ['12', '24'] },
    'bip39-passphrase-file': {
      value: '<file>',
      summary: 'a BIP-39 passphrase, needed together with the words to restore the wallet',
      file: true,
    },
  },
  async run(context, { options }) {
    await checkFree(findWalletPath(context));
    const session = await connect(context);
    const network = readNetwork(session.config);
    const mnemonic = createMnemonic(options.words === '24' ? 24 : 12);
    const extra = options['bip39-passphrase-file'];
    const passphrase = extra === undefined ? '' : readSecretFile(extra);
    const isShown = await showToPerson(context, mnemonic);
    const { path, watch } = await saveNewWallet(context, { mnemonic, passphrase }, network, session.service);
    const kind = chooseKind(undefined, network);
    const { address } = deriveAddress(watch, { kind, chain: 0, index: 0 });
    return {
      json: {
        wallet: path,
        service: session.service,
        coin: network.name,
        chain: network.chain,
        genesis_hash: network.genesisHash,
        mnemonic,
        first_address: address,
      },
      lines: [
        `A wallet for ${network.name} (${network.chain}) is at ${path}.`,
        ...(isShown ? [] : describeWords(mnemonic)),
        `Receive at ${address}`,
      ],
    };
  },
});

/** Shows the words and has two of them typed, where somebody is there to do it. Nothing is written before. */
async function showToPerson({ terminal, options }: Context, mnemonic: string): Promise<boolean> {
  if (!terminal.isInteractive || options.yes || options.json) return false;
  terminal.note(`${describeWords(mnemonic).join('\n')}\n`);
  const words = mnemonic.split(' ');
  const first = randomInt(words.length);
  const second = (first + 1 + randomInt(words.length - 1)) % words.length;
  for (const index of [first, second]) {
    const typed = await terminal.ask(`To be sure that you have them, type word ${index + 1}: `);
    if (typed.trim().toLowerCase() === words[index]) continue;
    const detail = `Word ${index + 1} is another one. No wallet was made: begin again.`;
    throw new CliError('declined', detail, exitCodes.declined);
  }
  return true;
}

function describeWords(mnemonic: string): string[] {
  return [
    '',
    'The words of the wallet, which restore it anywhere. They are shown this once; write them on paper:',
    '',
    ...numberWords(mnemonic),
    '',
  ];
}

function numberWords(mnemonic: string): string[] {
  const words = mnemonic
    .split(' ')
    .map((word, index) => `${String(index + 1).padStart(4)}. ${word.padEnd(9)}`);
  return Array.from({ length: Math.ceil(words.length / 4) }, (_, row) =>
    words
      .slice(row * 4, row * 4 + 4)
      .join('')
      .trimEnd(),
  );
}
