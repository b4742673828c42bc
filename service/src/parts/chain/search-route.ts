import { SearchQuery, SearchResult } from '@coinfront/api/chain-search.ts';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView } from '../../chain/chain-view.ts';
import { registerRead } from '../../http/read-route.ts';
import { type ChainContext, chainPrefix, type SearchHit } from './chain-context.ts';
import { addressExamples } from './examples-chain.ts';
import { readHeight, readSearch } from './search-text.ts';

/** `/search`. */
export function registerSearchRoute(app: FastifyInstance, context: ChainContext): void {
  registerRead(app, context, {
    path: '/search',
    query: SearchQuery,
    response: SearchResult,
    dependsOn: 'volatile',
    cost: 2,
    operation: {
      document: 'chain',
      id: 'search',
      tag: 'Search',
      summary: 'Search for anything',
      description:
        'By the exact identifier: a height (`812345`, `812,345`, `#812345`), a block hash, a txid or an outpoint (`txid:n`), an address or a payment ' +
        'URI, a name, a token id or ticker, the digest of a file, a payment. Says what was found and where to read it. One text may be ' +
        'several things; nothing found is an empty list.',
      errors: [],
      parameterExamples: { q: '812345' },
      example: addressExamples.search,
    },
    async read({ view, query, charge }) {
      const text = readSearch(query.q, context.profile);
      const items = await searchChain(context, view, text, charge);
      for (const find of context.searches) items.push(...(await find(text, view)));
      return { items };
    },
  });
}

async function searchChain(
  { profile }: ChainContext,
  view: ChainView,
  text: string,
  charge: (bytes: number) => void,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  const height = readHeight(text);
  if (height !== undefined) {
    const block = await view.findBlockAt(height);
    if (block !== undefined) hits.push(hit('block', toDisplayHash(block.hash), `/block/${block.height}`));
  }
  const hash = parseDisplayHash(text);
  if (hash.ok) {
    const id = toDisplayHash(hash.value);
    if ((await view.findBlock(hash.value)) !== undefined) hits.push(hit('block', id, `/block/${id}`));
    const tx = await view.findTx(hash.value);
    charge(tx?.raw.length ?? 0);
    if (tx !== undefined) hits.push(hit('transaction', id, `/tx/${id}`));
  }
  const decoded = decodeAddress(text, profile);
  if (decoded.ok) {
    const address = encodeAddress(decoded.value.script, profile) ?? text;
    hits.push(hit('address', address, `/address/${address}`));
  }
  return hits;
}

function hit(kind: SearchHit['kind'], id: string, path: string): SearchHit {
  return { kind, id, path: chainPrefix + path };
}
