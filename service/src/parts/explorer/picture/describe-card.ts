/** What the picture of each page says: facts from one answer of our own API, and the height that they are true for. */

import type { CoinWords, ExplorerPage } from '../pages.ts';
import { group, moment, text } from '../words.ts';
import type { Card } from './draw-card.ts';

type Answer = Readonly<Record<string, unknown>>;

/** A page whose picture has facts. */
type FactCard = {
  /** The one read of it. */
  read(parameter: string): string;
  describe(data: Answer, coin: CoinWords): Omit<Card, 'foot'> & { foot?: string | undefined };
};

const encode = encodeURIComponent;
const part = (data: Answer, name: string): Answer => (data[name] ?? {}) as Answer;

/** By the path of the page. */
const factCards: Readonly<Record<string, FactCard>> = {
  '/': {
    read: () => '/api/v1/stats',
    describe: (stats, { name, ticker }) => ({
      kind: 'Explorer',
      title: name,
      text: 'Blocks, transactions, addresses, names and proofs.',
      facts: [
        { label: 'Height', value: group(stats.height) },
        { label: 'Circulating', value: `${amount(part(stats, 'supply').circulating)} ${ticker}` },
        { label: 'Transactions', value: group(stats.transactions) },
      ],
    }),
  },
  '/block/:id': {
    read: (id) => `/api/v1/block/${encode(id)}?limit=1`,
    describe: (block, { ticker }) => ({
      kind: 'Block',
      title: group(block.height),
      code: text(block.hash),
      facts: [
        { label: 'Transactions', value: group(block.tx_count) },
        { label: 'Size', value: `${group(block.size)} B` },
        { label: 'Total fees', value: `${amount(block.fees)} ${ticker}` },
        { label: 'Confirmations', value: group(block.confirmations) },
      ],
      foot: `Mined ${moment(block.time)}`,
    }),
  },
  '/tx/:txid': {
    read: (txid) => `/api/v1/tx/${encode(txid)}`,
    describe: (tx, { ticker }) => ({
      kind: tx.coinbase === true ? 'Coinbase transaction' : 'Transaction',
      title: `${amount(tx.output_value)} ${ticker}`,
      code: text(tx.txid),
      facts: [
        tx.confirmed === true
          ? { label: 'Confirmations', value: group(tx.confirmations) }
          : { label: 'State', value: 'Unconfirmed' },
        { label: 'Inputs', value: group(tx.input_count) },
        { label: 'Outputs', value: group(tx.output_count) },
        ...(tx.fee === null || tx.fee === undefined
          ? []
          : [{ label: 'Fee', value: `${amount(tx.fee)} ${ticker}` }]),
      ],
      foot: tx.confirmed === true ? `In block ${group(part(tx, 'block').height)}` : undefined,
    }),
  },
  '/address/:address': {
    read: (address) => `/api/v1/address/${encode(address)}`,
    describe: (found, { ticker }) => {
      const confirmed = part(found, 'confirmed');
      return {
        kind: 'Address',
        title: `${amount(confirmed.balance)} ${ticker}`,
        code: text(found.address),
        facts: [
          { label: 'Transactions', value: group(confirmed.tx_count) },
          { label: 'Received', value: `${amount(confirmed.received)} ${ticker}` },
          { label: 'Sent', value: `${amount(confirmed.spent)} ${ticker}` },
        ],
        foot: 'Confirmed balance',
      };
    },
  },
  '/name/:name': {
    read: (name) => `/api/vns/v1/availability/${encode(name)}`,
    describe: (name, { ticker }) => ({
      kind: 'Name',
      title: text(name.name),
      facts:
        name.available === true
          ? [
              { label: 'State', value: 'Available' },
              { label: 'Cost', value: `${amount(part(name, 'cost').total)} ${ticker}` },
            ]
          : [
              { label: 'State', value: capitalise(text(name.status)) },
              ...('height' in part(name, 'expiry')
                ? [{ label: 'Expires at block', value: group(part(name, 'expiry').height) }]
                : []),
            ],
    }),
  },
  '/token/:token_id': {
    read: (id) => `/api/v1/tokens/${encode(id)}`,
    describe: (answer) => {
      const token = part(answer, 'token');
      const supply = part(token, 'supply');
      return {
        kind: 'Token',
        title: text(token.ticker),
        code: text(token.token_id),
        facts: [
          { label: 'In circulation', value: amount(supply.circulating) },
          { label: 'Holders', value: group(token.holders) },
          { label: 'Transfers', value: group(token.transfers) },
        ],
        foot: 'Tickers are not unique; the id is',
      };
    },
  },
  '/proof/:sha256': {
    read: (digest) => `/api/v1/proof/lookup/${encode(digest.toLowerCase())}`,
    describe: (proof) => {
      const primary = part(proof, 'primary');
      const isAnchored = proof.state === 'confirmed' || proof.state === 'final';
      return {
        kind: 'Proof of existence',
        // The calendar may have a digest that has no anchor of its own: this read does not say.
        title: isAnchored ? 'Anchored in the chain' : 'SHA-256 digest',
        code: text(proof.sha256),
        facts: isAnchored
          ? [
              { label: 'Block', value: group(primary.height) },
              { label: 'Block time', value: moment(primary.block_time).slice(0, 10) },
              { label: 'Confirmations', value: group(primary.confirmations) },
            ]
          : [],
      };
    },
  },
};

/** The read that a picture is drawn from; undefined where its words are always the same. */
export function findPictureRead(
  { path, needsData, reads }: ExplorerPage,
  parameter: string,
): string | undefined {
  const facts = factCards[path];
  if (facts !== undefined) return facts.read(parameter);
  return needsData === true ? reads?.(parameter, () => undefined)[0] : undefined;
}

/**
 * The picture of a page, from the answer to its read.
 *
 * @param height that of the snapshot that the answer was read from
 */
export function describeCard(
  page: ExplorerPage,
  parameter: string,
  data: Answer | undefined,
  coin: CoinWords,
  height: string | undefined,
): Card {
  const asOf = height === undefined ? undefined : `as of block ${group(Number(height))}`;
  const facts = factCards[page.path];
  if (facts === undefined || data === undefined) {
    const { title, description } = page.describe(parameter, data, coin);
    return { kind: 'Explorer', title, text: description, facts: [], foot: capitalise(asOf ?? '') };
  }
  const { foot, ...card } = facts.describe(data, coin);
  return { ...card, foot: capitalise([foot, asOf].filter((each) => each !== undefined).join(' · ')) };
}

/** Coins, without zeros that say nothing. */
function amount(value: unknown): string {
  const [whole = '', fraction = ''] = text(value).split('.');
  const shown = fraction.replace(/0+$/, '');
  const grouped = /^-?\d+$/.test(whole) ? BigInt(whole).toLocaleString('en-US') : whole;
  return shown === '' ? grouped : `${grouped}.${shown}`;
}

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
