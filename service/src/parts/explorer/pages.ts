/** The pages of the explorer: their paths, what each reads first, and what is said of it. */

import type { PageWords } from './page-head.ts';
import { count, group, moment, shorten, text } from './words.ts';

/** An answer of our own API. */
export type ReadAnswer = { status: number; json: Readonly<Record<string, unknown>> };

/** One page. */
export type ExplorerPage = {
  /** Fastify's pattern. */
  path: string;
  /**
   * Reads of the API that the page begins with, by the path's parameters and its query, written as the page's script asks for
   * them; they come with the page. The first one decides whether there is such a thing.
   */
  reads?: (parameter: string, query: PageQuery) => readonly string[];
  /** The part of the service whose page it is, where a coin may lack it. */
  part?: CoinPart;
  /** Name of the script that only this page has; undefined where it is in the first one. */
  script?: string;
  /** The parameters that there are at all; any unless given. Those that are called as a part are of it. */
  known?: readonly string[];
  /** Whether those who share a link to it get no picture. */
  lacksPicture?: true;
  /** Whether a first read that finds nothing makes this page a 404. */
  needsData?: boolean;
  /** The words, from the parameter and from the first read where it was answered. */
  describe(
    parameter: string,
    data: Readonly<Record<string, unknown>> | undefined,
    coin: CoinWords,
  ): PageWords;
};

/** Parts that a coin may lack, as its profile says. */
export const coinParts = ['names', 'tokens', 'treasury'] as const;
/** What may have no pages: parts of the coin, and the rich list, which the operator switches on. */
export type CoinPart = (typeof coinParts)[number] | 'rich';

/** What a page's own address says of this name; undefined for what no page of ours writes there. */
export type PageQuery = (name: string) => string | undefined;

/** The coin as pages name it. */
export type CoinWords = { name: string; ticker: string };

const api = '/api/v1';
const encode = encodeURIComponent;

/** A page of a list, from the cursor in the page's own address. */
function list(path: string, limit: number, query: PageQuery, cursorName = 'cursor'): string {
  return pathWith(path, { limit: String(limit), cursor: query(cursorName) });
}

function pathWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}

/** Where the figures of a chart are read: those of parts have routes of their own. */
function seriesOf(chart: string | undefined): string {
  if (chart === 'names') return '/api/vns/v1/series';
  if (chart === 'tokens') return `${api}/tok/series`;
  return chart === 'treasury' ? '/api/treasury/series' : `${api}/series`;
}

/** The documents that have a reference, as their pages are titled. */
const documentNames: Readonly<Record<string, string>> = {
  chain: 'Chain, payments and pool',
  proofs: 'Proofs',
  names: 'Names',
  tokens: 'Tokens',
  nodes: 'Node registry',
  treasury: 'Treasury',
  esplora: 'Esplora',
};

/** All pages; those of parts that a coin does not have say so themselves. */
export const explorerPages: readonly ExplorerPage[] = [
  {
    path: '/',
    reads: () => [`${api}/blocks?limit=100`, `${api}/fee`, `${api}/supply`, '/esplora/mempool/recent'],
    describe: (_, __, coin) => ({
      title: 'Explorer',
      description: `Blocks, transactions, addresses, proofs, names and tokens of ${coin.name}.`,
    }),
  },
  {
    path: '/blocks',
    script: 'blocks-page',
    reads: (_, query) => [list(`${api}/blocks`, 50, query)],
    describe: (_, __, coin) => ({ title: 'Blocks', description: `The latest blocks of ${coin.name}.` }),
  },
  {
    path: '/block/:id',
    script: 'block-page',
    reads: (id, query) => [list(`${api}/block/${encode(id)}`, 50, query)],
    needsData: true,
    describe: (id, block, coin) => {
      if (block === undefined) return missing('Block', `${coin.name} has no block ${shorten(id)}.`);
      return {
        title: `Block ${group(block.height)}`,
        description: `${count(block.tx_count, 'transaction')}, ${text(block.size)} bytes, mined ${moment(block.time)}. Hash ${text(block.hash)}.`,
      };
    },
  },
  {
    path: '/tx/:txid',
    script: 'tx-page',
    reads: (txid, query) => [
      pathWith(`${api}/tx/${encode(txid)}`, {
        first_input: query('first_input'),
        first_output: query('first_output'),
      }),
      `${api}/tx/${encode(txid)}/mempool`,
    ],
    needsData: true,
    describe: (txid, tx, coin) => {
      if (tx === undefined)
        return missing('Transaction', `${coin.name} has no transaction ${shorten(txid)}.`);
      const state =
        tx.confirmed === true ? `${count(tx.confirmations, 'confirmation')}` : 'waiting for a block';
      return {
        title: `Transaction ${shorten(text(tx.txid))}`,
        description: `${text(tx.output_value)} ${coin.ticker} in ${count(tx.output_count, 'output')}, ${state}.`,
      };
    },
  },
  {
    path: '/address/:address',
    script: 'address-page',
    reads: (address, query) => [
      `${api}/address/${encode(address)}`,
      `/api/vns/v1/reverse/${encode(address)}`,
      `/api/vns/v1/address/${encode(address)}?limit=25`,
      `${api}/addresses/${encode(address)}/tokens?limit=50`,
      `${api}/mining/address/${encode(address)}?limit=10`,
      pathWith(`${api}/address/${encode(address)}/txs`, {
        limit: '25',
        balances: 'true',
        cursor: query('cursor'),
        direction: query('direction'),
        from_date: query('from_date'),
        to_date: query('to_date'),
      }),
      list(`${api}/utxos/${encode(address)}`, 25, query, 'utxo_cursor'),
    ],
    needsData: true,
    describe: (address, found, coin) => {
      if (found === undefined)
        return missing('Address', `${shorten(address)} is no address of ${coin.name}.`);
      return {
        title: `Address ${shorten(text(found.address))}`,
        description: `Balance ${text(found.balance)} ${coin.ticker}.`,
      };
    },
  },
  {
    path: '/xpub',
    script: 'wallet-page',
    describe: (_, __, coin) => ({
      title: 'Wallet by its public key',
      description: `Balance, next addresses and history of a wallet of ${coin.name}, by its extended public key or descriptor.`,
    }),
  },
  {
    path: '/mempool',
    script: 'mempool-page',
    reads: () => [`${api}/fee`, '/esplora/mempool/recent'],
    describe: (_, __, coin) => ({
      title: 'Mempool',
      description: `What waits for a block of ${coin.name}, and what a place in one costs.`,
    }),
  },
  {
    path: '/mempool/:number',
    script: 'projected-block-page',
    reads: (number) => [`${api}/mempool/blocks/${encode(number)}`],
    needsData: true,
    describe: (number, block, coin) =>
      block === undefined
        ? missing('Projected block', `${shorten(number)} is no projected block of ${coin.name}.`)
        : {
            title: `Projected block ${text(block.number)}`,
            description: `${count(block.tx_count, 'transaction')} of the mempool, ${text(block.vsize)} virtual bytes.`,
          },
  },
  {
    path: '/charts',
    script: 'charts-page',
    reads: (_, query) => [
      pathWith(
        seriesOf(query('chart')),
        query('from') === undefined
          ? { range: query('range') ?? '1m' }
          : { from_height: query('from'), to_height: query('to') },
      ),
    ],
    describe: (_, __, coin) => ({
      title: 'Charts',
      description: `Hashrate, difficulty, fees, transactions and supply of ${coin.name} over time.`,
    }),
  },
  {
    path: '/rich',
    part: 'rich',
    script: 'rich-page',
    reads: (_, query) => [list(`${api}/rich`, 50, query), `${api}/rich/distribution`],
    describe: (_, list, coin) => ({
      title: 'Rich list',
      description: `The richest addresses of ${coin.name}, and how many have how much${asOf(list)}.`,
    }),
  },
  {
    path: '/proofs',
    script: 'proofs-page',
    reads: (_, query) => [list(`${api}/proof/recent`, 25, query), `${api}/proof/status`],
    describe: () => ({
      title: 'Proofs of existence',
      description:
        'Show that a file existed: its digest stands in the chain. The file never leaves your browser.',
    }),
  },
  {
    path: '/proof/:sha256',
    script: 'proof-page',
    reads: (digest) => ['lookup', 'leaf'].map((way) => `${api}/proof/${way}/${encode(digest.toLowerCase())}`),
    needsData: true,
    describe: (digest, proof) =>
      proof === undefined
        ? missing('Proof', `${shorten(digest)} is no SHA-256 digest, which has 64 hex digits.`)
        : {
            title: `Proof ${shorten(digest)}`,
            description: isSeen(proof)
              ? `The digest ${text(proof.sha256)} is anchored in the chain.`
              : 'No transaction carries this digest itself.',
          },
  },
  {
    path: '/names',
    part: 'names',
    script: 'names-page',
    reads: (_, query) => [
      '/api/vns/v1/status',
      list('/api/vns/v1/expiring', 10, query, 'expiring_cursor'),
      pathWith('/api/vns/v1/names', {
        prefix: query('prefix'),
        state: query('state'),
        limit: '25',
        cursor: query('name_cursor'),
      }),
      list('/api/vns/v1/operations', 25, query),
    ],
    describe: (_, __, coin) => ({ title: 'Names', description: `Names on the chain of ${coin.name}.` }),
  },
  {
    path: '/name/:name',
    part: 'names',
    script: 'name-page',
    reads: (name, query) => [
      `/api/vns/v1/availability/${encode(name)}`,
      pathWith(`/api/vns/v1/name/${encode(name)}`, { cursor: query('cursor') }),
      `/api/vns/v1/name/${encode(name)}/records`,
      list(`/api/vns/v1/name/${encode(name)}/timeline`, 25, query, 'timeline_cursor'),
    ],
    needsData: true,
    describe: (name, found) =>
      found === undefined
        ? missing('Name', `${shorten(name, 49)} can be no name here.`)
        : {
            title: `Name ${text(found.name)}`,
            description: found.available === true ? 'Can be registered.' : `Status: ${text(found.status)}.`,
          },
  },
  {
    path: '/tokens',
    part: 'tokens',
    script: 'tokens-page',
    reads: (_, query) => [
      pathWith(`${api}/tokens`, { q: query('q'), limit: '50', cursor: query('cursor') }),
      `${api}/tok/stats`,
    ],
    describe: (_, __, coin) => ({ title: 'Tokens', description: `Tokens on the chain of ${coin.name}.` }),
  },
  {
    path: '/token/:token_id',
    part: 'tokens',
    script: 'token-page',
    reads: (id, query) => [
      `${api}/tokens/${encode(id)}`,
      `${api}/tokens/${encode(id)}/distribution`,
      list(`${api}/tokens/${encode(id)}/holders`, 25, query, 'holder_cursor'),
      pathWith(`${api}/tokens/${encode(id)}/events`, {
        limit: '25',
        cursor: query('event_cursor'),
        include: query('include'),
      }),
    ],
    needsData: true,
    describe: (id, answer, coin) => {
      const token = answer?.token as Record<string, unknown> | undefined;
      if (token === undefined) return missing('Token', `${coin.name} has no token ${shorten(id)}.`);
      const supply = token.supply as Record<string, unknown>;
      return {
        title: `Token ${text(token.ticker)}`,
        description: `${text(supply.circulating)} in circulation, ${count(token.holders, 'holder')}. Known by its id ${text(token.token_id)}; tickers are not unique.`,
      };
    },
  },
  {
    path: '/pool',
    script: 'pool-page',
    reads: (_, query) => [
      `${api}/pool`,
      list(`${api}/pool/blocks`, 25, query),
      list(`${api}/pool/miners`, 25, query, 'miner_cursor'),
      `${api}/blocks?limit=100`,
      `${api}/pool/series?range=${query('range') ?? '1d'}`,
      `${api}/pool/luck`,
      `${api}/mining/pools`,
    ],
    describe: (_, __, coin) => ({
      title: 'Pool',
      description: `The public pool of ${coin.name}: what it promises, and block by block what it paid.`,
    }),
  },
  {
    path: '/pool/miner/:address',
    script: 'miner-page',
    reads: (address, query) => [
      `${api}/pool/miners/${encode(address)}`,
      `${api}/pool/miners/${encode(address)}/series?range=${query('range') ?? '1d'}`,
    ],
    needsData: true,
    describe: (address, miner, coin) =>
      miner === undefined
        ? missing('Miner', `The pool of ${coin.name} shows no miner ${shorten(address)}.`)
        : {
            title: `Miner ${shorten(text(miner.address), 17)}`,
            description: `What the pool of ${coin.name} says of one miner: machines, hashrate over time, shares and payments.`,
          },
  },
  {
    path: '/nodes',
    script: 'nodes-page',
    reads: (_, query) => [
      '/api/nodeproof/status',
      list('/api/nodeproof/nodes', 50, query),
      list('/api/nodeproof/rewards/preview', 25, query, 'reward_cursor'),
      list('/api/nodeproof/receipts', 25, query, 'receipt_cursor'),
      list('/api/nodeproof/epochs', 10, query, 'epoch_cursor'),
    ],
    describe: (_, __, coin) => ({
      title: 'Nodes',
      description: `Nodes of ${coin.name} that were reached and checked, with signed receipts.`,
    }),
  },
  {
    path: '/node/:node_key',
    script: 'node-page',
    reads: (key, query) => [
      `/api/nodeproof/nodes/${encode(key)}`,
      pathWith('/api/nodeproof/receipts', {
        limit: '25',
        cursor: query('receipt_cursor'),
        node_key: encode(key),
      }),
    ],
    needsData: true,
    describe: (key, node, coin) =>
      node === undefined
        ? missing('Node', `The registry has no node ${shorten(key)}.`)
        : {
            title: `Node ${shorten(text(node.node_key))}`,
            description: `A registered node of ${coin.name} at ${text(node.endpoint)}.`,
          },
  },
  {
    path: '/treasury',
    part: 'treasury',
    script: 'treasury-page',
    reads: (_, query) => [
      '/api/treasury/status',
      list('/api/treasury/contributors', 25, query, 'contributor_cursor'),
      list('/api/treasury/ledger', 25, query),
    ],
    describe: (_, __, coin) => ({
      title: 'Treasury',
      description: `What was given to the treasury of ${coin.name} and what became of it, reconciled with the chain.`,
    }),
  },
  {
    path: '/developers',
    script: 'developers-page',
    describe: (_, __, coin) => ({
      title: 'Developers',
      description: `The API of ${coin.name}: every operation, examples, limits.`,
    }),
  },
  {
    path: '/developers/:document',
    script: 'reference-page',
    known: Object.keys(documentNames),
    describe: (id, _, coin) => ({
      title: documentNames[id] ?? 'Reference not found',
      description: `The API of ${coin.name}: every operation with its parameters and answers.`,
    }),
  },
  {
    path: '/releases',
    script: 'releases-page',
    reads: () => [`${api}/releases`],
    describe: (_, __, coin) => ({
      title: 'Releases',
      description: `Software of ${coin.name}, with the digests to check it by.`,
    }),
  },
  {
    path: '/wallet-standard',
    script: 'standard-page',
    reads: () => [`${api}/wallet-standard`],
    describe: (_, __, coin) => ({
      title: 'Wallet standard COIN-HD-1',
      description: `How wallets of ${coin.name} derive their keys and addresses, with vectors to check against.`,
    }),
  },
];

function asOf(list: Readonly<Record<string, unknown>> | undefined): string {
  const block = list?.as_of as { height: number } | undefined;
  return block === undefined ? '' : `, as of block ${group(block.height)}`;
}

function isSeen(proof: Readonly<Record<string, unknown>> | undefined): boolean {
  return proof?.state === 'confirmed' || proof?.state === 'final';
}

function missing(kind: string, description: string): PageWords {
  return { title: `${kind} not found`, description };
}
