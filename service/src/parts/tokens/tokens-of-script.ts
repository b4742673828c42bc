import type { ChainView } from '../../chain/chain-view.ts';
import type { Reader } from '../../db/database.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import { findSupplyAt, listPastBalances } from './token-history.ts';
import type { IndexedToken } from './token-rows.ts';
import { findNumberedToken, findScriptNumber, listHeldBalances, listIssuedTokens } from './token-store.ts';

/** A token that a script has or issued. */
export type HeldToken = {
  token: IndexedToken;
  balance: bigint;
  /** What was minted, and whether more could be. */
  minting: Pick<IndexedToken, 'minted' | 'mintingOpen'>;
};

/** A page of them, and the token behind which the next one begins, where there may be more. */
export type HeldPage = { items: HeldToken[]; last: IndexedToken | undefined };

/** Tokens that are looked at for a page of a past block: a script may have had many that it no longer had then. */
const LOOKED_AT = 200;

/** Tokens that a script has or issued whose numbers are above `after`, the oldest first. */
export async function listTokensOf(
  { reader }: ChainView,
  script: Uint8Array,
  after: number,
  limit: number,
): Promise<HeldPage> {
  const scriptId = await findScriptNumber(reader, script);
  const held = scriptId === undefined ? [] : await listHeldBalances(reader, scriptId, after, limit + 1);
  const issued = await listIssuedTokens(reader, sha256(script), after, limit + 1);
  const found = await joinTokens(reader, held, issued, limit + 1);
  const items = found.slice(0, limit).map((each) => ({ ...each, minting: each.token }));
  return { items, last: found.length > limit ? items.at(-1)?.token : undefined };
}

/**
 * The same behind an earlier block. A page may have fewer than asked for, or none, where there are more.
 *
 * @param lookedAt tokens that are looked at
 */
export async function listTokensAt(
  { reader }: ChainView,
  script: Uint8Array,
  height: number,
  after: number,
  limit: number,
  lookedAt = LOOKED_AT,
): Promise<HeldPage> {
  const scriptId = await findScriptNumber(reader, script);
  const looked =
    scriptId === undefined ? [] : await listPastBalances(reader, scriptId, height, after, lookedAt);
  /** Above it nothing was looked at. */
  const reached = looked.length === lookedAt ? looked.at(-1)!.tokenNumber : Number.POSITIVE_INFINITY;
  const held = looked.filter(({ amount }) => amount > 0n);
  const issued = (await listIssuedTokens(reader, sha256(script), after, limit + 1)).filter(
    ({ createdHeight, number }) => createdHeight <= height && number <= reached,
  );
  const found = await joinTokens(reader, held, issued, limit + 1);
  const shown = found.slice(0, limit);
  const items = await Promise.all(
    shown.map(async (each) => ({ ...each, minting: (await findSupplyAt(reader, each.token, height))! })),
  );
  if (found.length > limit) return { items, last: shown.at(-1)!.token };
  return {
    items,
    last: Number.isFinite(reached) ? await findNumberedToken(reader, reached) : undefined,
  };
}

/** Balances and tokens of an issuer, each token once, in their order, at most so many. */
async function joinTokens(
  reader: Reader,
  held: readonly { tokenNumber: number; amount: bigint }[],
  issued: readonly IndexedToken[],
  most: number,
): Promise<{ token: IndexedToken; balance: bigint }[]> {
  const tokens = new Map(issued.map((token) => [token.number, token]));
  const balances = new Map(held.map(({ tokenNumber, amount }) => [tokenNumber, amount]));
  const numbers = [...new Set([...tokens.keys(), ...balances.keys()])].sort((a, b) => a - b).slice(0, most);
  return await Promise.all(
    numbers.map(async (number) => {
      const token = tokens.get(number) ?? (await findNumberedToken(reader, number));
      if (token === undefined) throw new Error(`there is a balance of token ${number}, which does not exist`);
      return { token, balance: balances.get(number) ?? 0n };
    }),
  );
}
