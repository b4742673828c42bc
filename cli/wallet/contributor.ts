import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { WalletKeys } from '@coinfront/sdk/wallet/wallet-keys.ts';
import { unlockWallet } from '../keystore/open-wallet-file.ts';
import type { WalletFile } from '../keystore/wallet-file.ts';
import type { Context } from '../shell/context.ts';
import { readWhole } from './amounts.ts';

/** Which identity of the wallet: a seed has as many as its owner wants, that nobody can link. */
export const identityOption = {
  value: '<number>',
  summary: 'which identity of the wallet, from 0 (default: the first)',
} as const;

/**
 * The secret by which a treasury knows a contributor (COIN-HD-1). It is sent to the treasury, which is what it is for: it
 * is derived one-way, and tells nothing about the wallet's keys.
 */
export function contributorSecretOf(keys: WalletKeys, identity: string | undefined): string {
  return bytesToHex(
    keys.contributorSecret(readWhole('--identity', identity ?? '0', { min: 0, max: 0x7fffffff })),
  );
}

/** The same, of a wallet that has to be opened for it. */
export async function readContributorSecret(
  context: Context,
  file: WalletFile,
  identity: string | undefined,
): Promise<string> {
  const keys = await unlockWallet(context, file);
  try {
    return contributorSecretOf(keys, identity);
  } finally {
    keys.wipe();
  }
}
