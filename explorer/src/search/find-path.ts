/** Where a text leads: what somebody typed or pasted into the search. */

import type { SearchResultJson } from '@coinfront/api/chain-search.ts';
import { search } from '@coinfront/sdk/chain/search.ts';
import { client } from '../data/client.ts';
import { pathOf } from '../router.tsx';
import { handKey } from '../wallet/handed-key.ts';
import { readWalletText } from '../wallet/read-wallet-text.ts';
import { readSearchText } from './read-search-text.ts';

const pagesOfKinds: Readonly<Record<SearchResultJson['items'][number]['kind'], string>> = {
  block: 'block',
  transaction: 'tx',
  address: 'address',
  name: 'name',
  token: 'token',
  proof: 'proof',
  payment: 'pay',
};

/** The path of something that was found. */
export function pathOfHit({ kind, id, path }: SearchResultJson['items'][number]): string {
  // A block that was asked for by its height is shown by it.
  const shown = kind === 'block' ? (path.split('/').at(-1) ?? id) : id;
  return pathOf(pagesOfKinds[kind] ?? 'search', shown);
}

/** The page for a text: the thing itself where there is one, otherwise what the search says. */
export async function findPathOf(given: string): Promise<string> {
  const wallet = readWalletText(given);
  if (wallet !== undefined) {
    // Neither the search nor the address of a page is told.
    handKey(wallet);
    return '/xpub';
  }
  const text = readSearchText(given);
  if (/^VP-[0-9A-Z]{12}$/i.test(text)) return pathOf('pay', text.toUpperCase());
  const { items } = await search(client, { q: text });
  const [only] = items;
  return items.length === 1 && only !== undefined ? pathOfHit(only) : `/search?q=${encodeURIComponent(text)}`;
}
