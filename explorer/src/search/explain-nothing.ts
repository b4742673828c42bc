/** What a text that nothing was found for looks like, and what to do next. */

import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { readTypedHeight } from './read-typed.ts';

/** What is known of the coin. */
export type SearchFacts = {
  coinName: string;
  /** Undefined while it is not known. */
  tipHeight: number | undefined;
  /** Endings of names; none where the coin has no names. */
  tlds: readonly string[];
};

/** How a text is understood, and where to go from there. */
export type NothingFound = { says: string; steps: { href: string; text: string }[] };

/** Digits of hashes, ids and digests. */
const HASH_DIGITS = 64;

/** Bech32 in lower or upper case, or as long as addresses of base58 are. */
const ADDRESS =
  /^(?:[a-z]{1,10}1[02-9ac-hj-np-z]{20,90}|[A-Z]{1,10}1[02-9AC-HJ-NP-Z]{20,90}|[1-9A-HJ-NP-Za-km-z]{25,40})$/;

/** Explains why nothing was found for a text. */
export function explainNothing(text: string, { coinName, tipHeight, tlds }: SearchFacts): NothingFound {
  const height = readTypedHeight(text);
  if (height !== undefined && tipHeight !== undefined && height > tipHeight)
    return {
      says: t('Block {height} does not exist yet: the latest block is {tip}.', {
        height: formatCount(height),
        tip: formatCount(tipHeight),
      }),
      steps: [{ href: `/block/${tipHeight}`, text: t('Block {height}', { height: formatCount(tipHeight) }) }],
    };
  if (/^[0-9a-f]{32,}$/i.test(text)) return explainHex(text);
  if (/^VP-?/i.test(text) && text.length > 2)
    return /^VP-[0-9A-Z]{12}$/i.test(text)
      ? { says: t('This service has no payment with this id.'), steps: [] }
      : { says: t('Payment ids are VP- and 12 letters or digits, such as VP-7Q4M9ZK2T1AB.'), steps: [] };
  const [, label, tld] = /^([a-z0-9-]{1,32})\.([a-z]{1,16})$/i.exec(text) ?? [];
  if (label !== undefined && tld !== undefined) return explainName(label, tld, tlds);
  if (ADDRESS.test(text))
    return {
      says: t(
        'It looks like an address, but is not one of {coin}: a character may be wrong or missing, or it belongs to another coin or network.',
        { coin: coinName },
      ),
      steps: [],
    };
  if (/^[a-z0-9-]{1,32}$/i.test(text))
    return {
      says: t('No token has a ticker that begins with it. Names are written with their ending.'),
      steps: tlds.map((each) => stepToName(text.toLowerCase(), each)),
    };
  if (/\s/.test(text))
    return { says: t('The search takes one identifier at a time, not words of a text.'), steps: [] };
  return { says: t('It has the form of nothing that is searched for.'), steps: [] };
}

function explainHex(text: string): NothingFound {
  if (text.length !== HASH_DIGITS)
    return {
      says: t('It has {count} hex digits. Hashes, transaction ids and digests have {digits}.', {
        count: formatCount(text.length),
        digits: HASH_DIGITS,
      }),
      steps: [],
    };
  return {
    says: t(
      'No block, transaction or token has this id, and it is not anchored as a digest. A transaction that was just sent may take some seconds to arrive.',
    ),
    steps: [{ href: `/proof/${text.toLowerCase()}`, text: t('Anchor it, if it is the digest of a file') }],
  };
}

function explainName(label: string, tld: string, tlds: readonly string[]): NothingFound {
  if (tlds.length === 0) return { says: t('It has the form of a name.'), steps: [] };
  if (tlds.includes(tld.toLowerCase()))
    return {
      says: t('This name was never registered.'),
      steps: [stepToName(label.toLowerCase(), tld.toLowerCase())],
    };
  return {
    says: t('Names here end in {endings}.', { endings: tlds.map((each) => `.${each}`).join(', ') }),
    steps: tlds.map((each) => stepToName(label.toLowerCase(), each)),
  };
}

function stepToName(label: string, tld: string): NothingFound['steps'][number] {
  const name = `${label}.${tld}`;
  return { href: `/name/${encodeURIComponent(name)}`, text: t('See whether {name} is free', { name }) };
}
