import { parsePaymentUri } from '@coinfront/protocol/payment-uri.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';

/** A height, or one in groups of three digits as people write it: `812345`, `#812345`, `812,345`, `812 345`, `812.345`, `812_345`. */
const HEIGHT = /^#?(?:0|[1-9][0-9]{0,8}|[1-9][0-9]{0,2}(?:([,._'\u00a0\u202f ])[0-9]{3})(?:\1[0-9]{3})?)$/;
const GROUPING = /[^0-9]/g;
/** An outpoint as nodes and explorers write it; its transaction is meant. */
const OUTPOINT = /^([0-9a-fA-F]{64}):(?:0|[1-9][0-9]{0,9})$/;

/**
 * What is looked for by a text: the identifier within what people paste. Of a height its digits, of an outpoint (`txid:n`) the txid, of a
 * payment URI (BIP-21) of this coin the address; any other text is what it is.
 */
export function readSearch(
  given: string,
  profile: Pick<CoinProfile, 'address' | 'decimals' | 'uriScheme'>,
): string {
  const text = given.trim();
  if (HEIGHT.test(text)) return text.replace(GROUPING, '');
  const txid = OUTPOINT.exec(text)?.[1];
  if (txid !== undefined) return txid;
  const uri = parsePaymentUri(text, profile);
  return uri.ok ? uri.value.address : text;
}

/** The height that a text of {@link readSearch} is; undefined for any other. */
export function readHeight(text: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : undefined;
}
