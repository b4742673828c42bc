/** What somebody means by a text, as far as its form tells; nothing is asked of the service for it. */

import { formatCount } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { type MessageKey, t, type Words } from '../language/messages.ts';

/** A page that a text can lead to. */
export type Suggested = {
  /** What kind of thing it is, in a word. */
  what: Words;
  /** Its name as it is shown. */
  label: string;
  /** More that tells it from others. */
  note?: string;
  path: string;
};

const pageWords: Readonly<Record<string, MessageKey>> = {
  block: 'Block',
  tx: 'Transaction',
  address: 'Address',
  name: 'Name',
  token: 'Token',
  proof: 'Proof',
  pay: 'Payment',
};

/** Characters of an id that are shown. */
const SHOWN_OF_ENDS = 10;
/** Longer than any id or address. */
const LONGEST_ID = 120;

const HEIGHT = /^#?(?:0|[1-9][0-9]{0,8}|[1-9][0-9]{0,2}(?:([,._'\u00a0\u202f ])[0-9]{3})(?:\1[0-9]{3})?)$/;
const OUTPOINT = /^([0-9a-f]{64}):(0|[1-9][0-9]{0,9})$/i;
const URI = /^[a-z][a-z0-9+.-]*:([A-Za-z0-9]{20,120})(?:\?.*)?$/i;
const PAGE = /^https?:\/\/[^/]+(\/[a-z]+\/[^/?#]+)/;

/** The height that is meant, also with separators (`1,234`) or a mark before it (`#1234`). */
export function readTypedHeight(text: string): number | undefined {
  return HEIGHT.test(text) ? Number(text.replace(/[^0-9]/g, '')) : undefined;
}

/** How a page is named in a list of suggestions; undefined for what is no page of one thing. */
export function describePage(path: string): Suggested | undefined {
  const [, page = '', part = ''] = /^\/([a-z]+)\/([A-Za-z0-9%._~-]+)$/.exec(path) ?? [];
  const what = pageWords[page];
  if (what === undefined || part.length > LONGEST_ID) return undefined;
  const id = decode(part);
  const height = page === 'block' ? readTypedHeight(id) : undefined;
  return { what, label: height === undefined ? shortenMiddle(id, SHOWN_OF_ENDS) : formatCount(height), path };
}

/**
 * What a text stands for by its form: a height, an outpoint, a payment, a payment link, the address of a page like ours.
 *
 * @param tipHeight undefined while it is not known
 */
export function suggestTyped(text: string, tipHeight: number | undefined): Suggested | undefined {
  const height = readTypedHeight(text);
  if (height !== undefined)
    return tipHeight === undefined || height <= tipHeight ? describePage(`/block/${height}`) : undefined;
  const [, txid, output] = OUTPOINT.exec(text) ?? [];
  if (txid !== undefined) {
    const tx = describePage(`/tx/${txid.toLowerCase()}`);
    return tx && { ...tx, note: t('output {index}', { index: output ?? '' }) };
  }
  if (/^VP-[0-9A-Z]{12}$/i.test(text)) return describePage(`/pay/${text.toUpperCase()}`);
  const address = URI.exec(text)?.[1];
  if (address !== undefined) return describePage(`/address/${address}`);
  return describePage(PAGE.exec(text)?.[1] ?? '');
}

/** Of more words joined by hyphens than a name mostly has, a mnemonic may be the beginning. */
const MANY_WORDS = /[a-z]-[a-z0-9]*-[a-z]/;

/** Characters of a name before its ending and behind it, and of a ticker. */
const START = /^(?:[a-z0-9-]{1,32}(?:\.[a-z0-9-]{0,16})?|[A-Z0-9]{1,12}|[A-Z][a-z]{1,11})$/;

/**
 * What may be sent to the service while it is typed: how a name or a ticker begins. Whoever types a private key where it does not belong
 * has sent two words or twelve digits of it at most: it has other letters, spaces, hyphens, or more digits of hex than a ticker has characters.
 */
export function readStart(text: string): string | undefined {
  return START.test(text) && !MANY_WORDS.test(text) && !/^[0-9a-f]{13,}$/.test(text) ? text : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
