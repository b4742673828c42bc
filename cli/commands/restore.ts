import { readFile } from 'node:fs/promises';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { readMnemonic } from '@coinfront/sdk/wallet/mnemonic.ts';
import { checkNetwork, readNetwork } from '@coinfront/sdk/wallet/network.ts';
import { getBalance } from '@coinfront/sdk/wallet/wallet-balance.ts';
import { importWatchOnly, type WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { readSecretFile } from '../keystore/passphrase.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { writeWalletFile } from '../keystore/wallet-file.ts';
import { connect, type Session } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand, type Outcome } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { showCoins } from '../wallet/amounts.ts';
import { describeName, describeToken, findNames, findTokens } from '../wallet/find-holdings.ts';
import { checkFree, saveNewWallet } from '../wallet/save-new-wallet.ts';
import { scanWallet } from '../wallet/scan-wallet.ts';

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'restore a wallet from its words',
  details: `Asks for the words, or reads them from --mnemonic-file (/dev/stdin for a pipe), and finds the wallet's coins, names and
tokens. With --watch-only it takes the output of "coin export": such a wallet sees and builds, but has no keys.`,
  args: [],
  options: {
    'mnemonic-file': { value: '<file>', summary: 'a file with the words', file: true },
    'bip39-passphrase-file': {
      value: '<file>',
      summary: 'the BIP-39 passphrase, if there was one',
      file: true,
    },
    'watch-only': { value: '<file>', summary: 'the output of "coin export", instead of words', file: true },
  },
  async run(context, { options }) {
    const path = findWalletPath(context);
    await checkFree(path);
    const session = await connect(context);
    const watchFile = options['watch-only'];
    if (watchFile !== undefined) {
      const watch = importWatchOnly(JSON.parse(await readFile(watchFile, 'utf8')));
      checkNetwork(watch.network, session.config);
      await writeWalletFile(path, { watch, service: session.service, secret: undefined });
      return await describeRestored(context, session, watch, path);
    }
    const mnemonic = readMnemonic(await readWords(context, options['mnemonic-file']));
    const extra = options['bip39-passphrase-file'];
    const passphrase = extra === undefined ? '' : readSecretFile(extra);
    const network = readNetwork(session.config);
    const { watch } = await saveNewWallet(context, { mnemonic, passphrase }, network, session.service);
    return await describeRestored(context, session, watch, path);
  },
});

async function readWords({ terminal }: Context, file: string | undefined): Promise<string> {
  if (file !== undefined) return readSecretFile(file);
  if (terminal.isInteractive) return await terminal.askSecret('The words, in their order (not shown): ');
  const detail = 'Nobody can be asked for the words: give --mnemonic-file.';
  throw new CliError('mnemonic_needed', detail, exitCodes.locked);
}

/** The wallet is written by now: what the search finds is only told. */
async function describeRestored(
  context: Context,
  session: Session,
  watch: WatchWallet,
  path: string,
): Promise<Outcome> {
  const { network } = watch;
  const scan = await scanWallet(context, watch, session);
  const { total } = getBalance(scan);
  const names = (await findNames(session, scan)).map(describeName);
  const tokens = (await findTokens(session, scan)).map(describeToken);
  return {
    json: {
      wallet: path,
      service: session.service,
      genesis_hash: network.genesisHash,
      used_addresses: scan.used.length,
      ticker: network.ticker,
      total: formatAmount(total, network.decimals),
      names,
      tokens,
    },
    lines: [
      `The wallet is at ${path}.`,
      `${scan.used.length} addresses were used; they have ${showCoins(total, network)}.`,
      ...names.map(({ name, state, owner }) => `name   ${name}  (${state})  of ${owner}`),
      ...tokens.map(
        ({ ticker, balance, token_id, holder }) => `token  ${balance} ${ticker}  ${token_id}  of ${holder}`,
      ),
    ],
  };
}
