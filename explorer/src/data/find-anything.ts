/** Where a text leads: what somebody typed or pasted into the search. */

import type { SearchResultJson } from '@coinfront/api/chain-search.ts';
import { search } from '@coinfront/sdk/chain/search.ts';
import { pathOf } from '../router.tsx';
import { client } from './client.ts';
import { coin } from './coin.ts';
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
  const text = readSearchText(given);
  if (/^VP-[0-9A-Z]{12}$/i.test(text)) return pathOf('pay', text.toUpperCase());
  const { items } = await search(client, { q: text });
  const [only] = items;
  return items.length === 1 && only !== undefined ? pathOfHit(only) : `/search?q=${encodeURIComponent(text)}`;
}

/** Anything that the chain knows is one word; only longer texts can be a mnemonic, only words of some length a key. */
export const shortestKey = 40;

/** Whether a text holds a private key: it must not even be sent for being refused. */
export async function hidesPrivateKey(text: string): Promise<boolean> {
  if (text.length < shortestKey) return false;
  const { findPrivateKey } = await import('@coinfront/protocol/private-key.ts');
  return findPrivateKey(text, { wifVersion: coin.get()?.wif_version ?? 0 }) !== undefined;
}
