import type { Client } from '../client/client.ts';
import { isCoinfrontError } from '../client/error.ts';
import { iterateItems } from '../client/iterate-pages.ts';
import { type ListAddressNamesResult, listAddressNames } from '../names/list-address-names.ts';
import { type ListAddressTokensResult, listAddressTokens } from '../tokens/list-address-tokens.ts';
import { readTogether } from './read-together.ts';
import type { WalletScan } from './scan-accounts.ts';
import { waitForBudget } from './wait-for-budget.ts';
import type { WalletAddress } from './wallet-address.ts';

/** A name that an address of the wallet owns, or owned. */
export type WalletName = ListAddressNamesResult['items'][number] & { owner: WalletAddress };

/** A token that an address of the wallet holds or issued. */
export type WalletToken = ListAddressTokensResult['items'][number] & { holder: WalletAddress };

type ListOptions = { signal?: AbortSignal };

/**
 * Addresses of the wallet that hold a name or a token, which only a coin of theirs can move: the `keep` of a build. A service
 * without names or tokens has none.
 *
 * @throws CoinfrontError where it cannot be known
 */
export async function listHolders(
  client: Client,
  scan: WalletScan,
  options: ListOptions = {},
): Promise<WalletAddress[]> {
  const names = await orNone(listWalletNames(client, scan, options));
  const tokens = await orNone(listWalletTokens(client, scan, options));
  return [...names.map(({ owner }) => owner), ...tokens.map(({ holder }) => holder)];
}

/** What a part of the service lists; none where the service has no such part. */
export async function orNone<T>(list: Promise<T[]>): Promise<T[]> {
  try {
    return await list;
  } catch (error) {
    if (isCoinfrontError(error, 'route_not_found')) return [];
    throw error;
  }
}

/**
 * Names of all addresses that a wallet ever used: what a restored wallet has besides coins.
 *
 * @example
 * for (const { name, owner } of await listWalletNames(client, scan)) show(name, owner.address);
 */
export async function listWalletNames(
  client: Client,
  scan: WalletScan,
  options: ListOptions = {},
): Promise<WalletName[]> {
  const items = await listOfAddresses(
    client,
    scan,
    (each, params) => listAddressNames(each, params, options),
    options,
  );
  return items.map(({ item, address }) => ({ ...item, owner: address }));
}

/**
 * Tokens of all addresses that a wallet ever used. Amounts are decimal text, as the service has them.
 *
 * @example
 * for (const { ticker, balance } of await listWalletTokens(client, scan)) show(ticker, balance);
 */
export async function listWalletTokens(
  client: Client,
  scan: WalletScan,
  options: ListOptions = {},
): Promise<WalletToken[]> {
  const items = await listOfAddresses(
    client,
    scan,
    (each, params) => listAddressTokens(each, params, options),
    options,
  );
  return items.map(({ item, address }) => ({ ...item, holder: address }));
}

type Page<T> = { items: T[]; next_cursor: string | null };
type ListPage<T> = (client: Client, params: { address: string; cursor?: string }) => Promise<Page<T>>;

/** What each used address has in a list: first pages together, further ones by themselves. */
async function listOfAddresses<T>(
  client: Client,
  scan: WalletScan,
  list: ListPage<T>,
  options: ListOptions,
): Promise<{ item: T; address: WalletAddress }[]> {
  const first = await readTogether(
    client,
    scan.used.map(
      ({ address }) =>
        (each: Client) =>
          list(each, { address }),
    ),
    options,
  );
  const found: { item: T; address: WalletAddress }[] = [];
  for (const [index, owner] of scan.used.entries()) {
    const { address } = owner;
    const pages = iterateItems((cursor) =>
      cursor === undefined
        ? Promise.resolve(first[index]!)
        : waitForBudget(() => list(client, { address, cursor }), options.signal),
    );
    for await (const item of pages) found.push({ item, address: owner });
  }
  return found;
}
