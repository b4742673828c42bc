import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Network, readStoredNetwork } from '@coinfront/sdk/wallet/network.ts';
import type { WatchAccount, WatchWalletJson } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { SealedSecret } from './seal-secret.ts';

/** A wallet as its file has it. */
export type WalletFileJson = {
  format: 'coin-wallet';
  version: 1;
  service: string;
  watch: WatchWalletJson;
  secret: SealedSecret | null;
};

/** What of a wallet can be told without computing on curves: enough to ask its service, and to know what was found before. */
export type WalletOutline = {
  readonly service: string;
  readonly watch: { readonly network: Network; readonly accounts: readonly WatchAccount[] };
};

const maxFileBytes = 1_000_000;

/** Where the wallet is. */
export function findWalletPath({ options, home }: Pick<Context, 'options' | 'home'>): string {
  return options.wallet ?? join(home, '.coin', 'wallet.json');
}

/**
 * Reads the file of a wallet, and whether it is one; its accounts are not checked.
 *
 * @throws CliError `wallet_missing`, `wallet_file_open`, `wallet_file_invalid`
 */
export async function readWalletJson(path: string): Promise<WalletFileJson> {
  const { mode, size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    const detail = `There is no wallet at ${path}: make one by "coin init", or "coin restore" from its words.`;
    throw new CliError('wallet_missing', detail, exitCodes.locked);
  });
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const detail = `Others can read ${path}, which tells all your addresses: chmod 600 it.`;
    throw new CliError('wallet_file_open', detail, exitCodes.locked);
  }
  if (size > maxFileBytes) throw invalid(path);
  const json = parse(await readFile(path, 'utf8'), path);
  if (json?.format !== 'coin-wallet' || json.version !== 1 || typeof json.service !== 'string')
    throw invalid(path);
  return json;
}

/**
 * Reads the outline of a wallet.
 *
 * @throws CliError as {@link readWalletJson}; WalletError `network_invalid`
 */
export async function readWalletOutline(path: string): Promise<WalletOutline> {
  const { service, watch } = await readWalletJson(path);
  if (watch?.network === undefined || !Array.isArray(watch.accounts)) throw invalid(path);
  return { service, watch: { network: readStoredNetwork(watch.network), accounts: watch.accounts } };
}

function parse(text: string, path: string): WalletFileJson {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(path);
  }
}

function invalid(path: string): CliError {
  return new CliError('wallet_file_invalid', `${path} is no wallet of coin, version 1.`, exitCodes.locked);
}
