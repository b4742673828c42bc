import { readFile, stat } from 'node:fs/promises';
import type { ScanMemory } from '@coinfront/sdk/wallet/scan-memory.ts';
import type { WatchAccount } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { type PackedMemory, packMemory, unpackMemory } from './pack-memory.ts';
import { writePrivateJson } from './private-json.ts';

/** Whose answers are in a cache: it is nothing to anybody else. */
export type CacheOwner = {
  /** The file of the wallet, beside which it is. */
  readonly walletPath: string;
  readonly genesisHash: string;
  /** Where the answers came from. */
  readonly service: string;
  readonly accounts: readonly WatchAccount[];
};

type CacheJson = {
  format: 'coin-cache';
  version: 1;
  genesis_hash: string;
  service: string;
  /** Names the accounts, which the file does not have. */
  wallet: string;
  memory: PackedMemory;
};

const maxFileBytes = 64 * 1024 * 1024;

/** The file of what is known of a wallet. */
export function cachePathOf(walletPath: string): string {
  return `${walletPath}.cache`;
}

/**
 * What was found of the wallet before. A cache that is damaged, of another wallet, coin, service or version, or that others can
 * change, is as good as none.
 */
export async function readCache(owner: CacheOwner): Promise<ScanMemory | undefined> {
  const path = cachePathOf(owner.walletPath);
  try {
    const { mode, size } = await stat(path);
    if (size > maxFileBytes || (process.platform !== 'win32' && (mode & 0o077) !== 0)) return undefined;
    const json = JSON.parse(await readFile(path, 'utf8')) as CacheJson;
    const isOurs =
      json.format === 'coin-cache' &&
      json.version === 1 &&
      json.genesis_hash === owner.genesisHash &&
      json.service === owner.service &&
      json.wallet === nameAccounts(owner.accounts);
    return isOurs ? unpackMemory(json.memory) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what was found, for its owner only: whole or not at all. Where it cannot be written nothing is kept, and nothing fails. */
export async function writeCache(owner: CacheOwner, memory: ScanMemory): Promise<void> {
  const json: CacheJson = {
    format: 'coin-cache',
    version: 1,
    genesis_hash: owner.genesisHash,
    service: owner.service,
    wallet: nameAccounts(owner.accounts),
    memory: packMemory(memory),
  };
  await writePrivateJson(cachePathOf(owner.walletPath), json).catch(() => {});
}

/** The ends of their keys: they tell accounts apart, and tell nobody an address. */
function nameAccounts(accounts: readonly WatchAccount[]): string {
  return accounts.map(({ path, xpub }) => `${path} ${xpub.slice(-16)}`).join(', ');
}
