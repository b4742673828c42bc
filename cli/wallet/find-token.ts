import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { TokenTerms } from '@coinfront/protocol/tokens/token-operation.ts';
import { getToken } from '@coinfront/sdk/tokens/get-token.ts';
import { listTokens } from '@coinfront/sdk/tokens/list-tokens.ts';
import type { WalletToken } from '@coinfront/sdk/wallet/list-holdings.ts';
import { proveTokenTerms } from '@coinfront/sdk/wallet/prove-token.ts';
import { misuse } from '../shell/cli-error.ts';
import type { Purse } from './spend.ts';

/** A token whose terms are proven by its id: what an amount of it means is no service's word. */
export type ProvenToken = { readonly tokenId: string; readonly terms: TokenTerms };

/**
 * A token by its id, or by a ticker that only one token of the wallet has: tickers are not unique.
 *
 * @throws CliError `misused`; CoinfrontError `token_not_found`; WalletError `token_invalid`
 */
export async function findToken(text: string, { session, file, tokens }: Purse): Promise<ProvenToken> {
  const tokenId = /^[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : findByTicker(text, tokens);
  const { token } = await getToken(session.client, { token_id: tokenId });
  const terms = await proveTokenTerms(tokenId, token.created.txid, file.watch.network, session.reads);
  return { tokenId, terms };
}

function findByTicker(text: string, tokens: readonly WalletToken[]): string {
  const ids = new Set(tokens.filter(({ ticker }) => ticker === text).map(({ token_id }) => token_id));
  const [only] = ids;
  if (only !== undefined && ids.size === 1) return only;
  throw misuse(
    ids.size === 0
      ? `The wallet has no token "${text}": give its id, 64 hex digits.`
      : `The wallet has ${ids.size} tokens "${text}": give the id, 64 hex digits.`,
  );
}

/** A token by its id, where the wallet need not have any of it. */
export async function findTokenId(text: string, { session, tokens }: Purse): Promise<string> {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
  if (tokens.some(({ ticker }) => ticker === text)) return findByTicker(text, tokens);
  const { items } = await listTokens(session.client, { q: text, limit: 2 });
  if (items.length === 1) return items[0]!.token_id;
  throw misuse(
    `"${text}" is ${items.length === 0 ? 'no token' : 'more than one token'}: give an id, 64 hex digits.`,
  );
}

/**
 * An amount of a token as it was typed, in its smallest parts.
 *
 * @throws CliError `misused`
 */
export function readTokenAmount(text: string, { terms: { decimals } }: ProvenToken): bigint {
  const amount = parseAmount(text, decimals);
  if (!amount.ok) throw misuse(`${amount.reason}.`);
  return amount.value;
}

/** An amount of a token as people read it. */
export function showTokenAmount(value: bigint, { terms }: ProvenToken): string {
  return `${formatAmount(value, terms.decimals)} ${terms.ticker}`;
}
