import { getStatus } from '@coinfront/sdk/chain/get-status.ts';
import { isSameState, readState } from '@coinfront/sdk/wallet/chain-state.ts';
import type { ScanMemory } from '@coinfront/sdk/wallet/scan-memory.ts';
import { findWalletPath, type WalletOutline } from '../keystore/read-wallet-json.ts';
import type { Connection } from '../service/open-connection.ts';
import type { Context } from '../shell/context.ts';
import { readGapLimit } from '../wallet/gap-limit.ts';
import { type CacheOwner, readCache } from './cache-file.ts';

/** What a cache knows of a wallet. */
export type Known = {
  readonly memory: ScanMemory;
  /** Whether nothing changed since: neither the chain nor the mempool. */
  readonly isCurrent: boolean;
};

/** Whose a cache is. */
export function describeOwner(
  context: Context,
  { watch }: Pick<WalletOutline, 'watch'>,
  { service }: Connection,
): CacheOwner {
  return {
    walletPath: findWalletPath(context),
    genesisHash: watch.network.genesisHash,
    service,
    accounts: watch.accounts,
  };
}

/** What is known of the wallet, and whether it is still so, by one request; undefined when nothing is known. */
export async function findKnown(
  context: Context,
  outline: Pick<WalletOutline, 'watch'>,
  connection: Connection,
): Promise<Known | undefined> {
  const memory = await readCache(describeOwner(context, outline, connection));
  if (memory === undefined || memory.gapLimit !== readGapLimit(context)) return undefined;
  const isWhole = outline.watch.accounts.every(({ kind }) =>
    [0, 1].every((chain) => memory.chains.some((each) => each.kind === kind && each.chain === chain)),
  );
  if (!isWhole) return undefined;
  return { memory, isCurrent: isSameState(memory.state, readState(await getStatus(connection.client))) };
}
