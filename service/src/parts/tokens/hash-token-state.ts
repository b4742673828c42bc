import { createStateHasher, type StateHasher } from '@coinfront/protocol/hash-chain.ts';
import { balanceStateRow, tokenStateRow } from '@coinfront/protocol/tokens/token-canonical.ts';
import type { PartWriter } from '../../indexer/parts/part.ts';
import { type IndexedToken, readTokenRow } from './token-rows.ts';
import { balanceTable, scriptTable, tokenTable } from './token-tables.ts';

/** Balances that are put in order in memory at once, 60 bytes each; a token with more is put in order by itself. */
const SORTED_AT_ONCE = 500_000;
const HASH_BYTES = 32;

/** state(h): the tokens and then the balances, each in the order of their keys (docs/protocols/hash-chain.md). */
export async function hashTokenState(writer: PartWriter): Promise<Uint8Array> {
  const hasher = createStateHasher();
  const tokens: Pick<IndexedToken, 'tokenId' | 'number' | 'holders'>[] = [];
  for await (const row of writer.scan(tokenTable)) {
    const token = readTokenRow(row);
    hasher.add(tokenStateRow(token));
    tokens.push({ tokenId: token.tokenId, number: token.number, holders: token.holders });
  }
  for (let first = 0; first < tokens.length; ) {
    let end = first + 1;
    let holders = tokens[first]!.holders;
    while (end < tokens.length && holders + tokens[end]!.holders <= SORTED_AT_ONCE) {
      holders += tokens[end++]!.holders;
    }
    if (holders > 0) await hashBalances(writer, hasher, tokens.slice(first, end), holders);
    first = end;
  }
  return hasher.finish();
}

/**
 * Balances are stored by the number of the script, and hashed by token and then by the hash of the script. Scripts are
 * stored in the order of their hashes: read in it, each puts its balances behind those that their tokens have so far.
 */
async function hashBalances(
  writer: PartWriter,
  hasher: StateHasher,
  tokens: readonly Pick<IndexedToken, 'tokenId' | 'number' | 'holders'>[],
  holders: number,
): Promise<void> {
  const balances = await readBalances(writer, tokens, holders);
  const ends = countUp(tokens);
  const next = ends.map((end, rank) => end - tokens[rank]!.holders);
  const hashes = new Uint8Array(holders * HASH_BYTES);
  const amounts = new BigInt64Array(holders);
  let placed = 0;
  for await (const { script_hash, script_id } of writer.scan(scriptTable)) {
    for (let i = findFirst(balances.scripts, script_id as number); balances.scripts[i] === script_id; i++) {
      const rank = balances.ranks[i]!;
      const at = next[rank]!++;
      if (at === ends[rank]) throw new Error(`token ${tokens[rank]!.number} has more balances than holders`);
      hashes.set(script_hash as Uint8Array, at * HASH_BYTES);
      amounts[at] = balances.amounts[i]!;
      placed++;
    }
  }
  if (placed !== holders) throw new Error(`${holders} balances are counted, scripts are known of ${placed}`);
  let at = 0;
  for (const [rank, { tokenId }] of tokens.entries()) {
    for (; at < ends[rank]!; at++) {
      const hash = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
      hasher.add(balanceStateRow(tokenId, hash, amounts[at]!));
    }
  }
}

/** The balances of some tokens in columns, in the order of scripts. */
type Balances = { scripts: Float64Array; ranks: Uint32Array; amounts: BigInt64Array };

async function readBalances(
  writer: PartWriter,
  tokens: readonly Pick<IndexedToken, 'number'>[],
  holders: number,
): Promise<Balances> {
  const rankOf = new Map(tokens.map(({ number }, rank) => [number, rank]));
  const scripts = new Float64Array(holders);
  const ranks = new Uint32Array(holders);
  const amounts = new BigInt64Array(holders);
  let count = 0;
  for await (const { script_id, token_number, amount } of writer.scan(balanceTable)) {
    const rank = rankOf.get(token_number as number);
    if (rank === undefined) continue;
    scripts[count] = script_id as number;
    ranks[count] = rank;
    amounts[count] = amount as bigint;
    count++;
  }
  if (count !== holders) throw new Error(`${holders} balances are counted, ${count} are there`);
  return { scripts, ranks, amounts };
}

/** Where the balances of each token end when those of one follow those of the other. */
function countUp(tokens: readonly Pick<IndexedToken, 'holders'>[]): number[] {
  let end = 0;
  return tokens.map(({ holders }) => {
    end += holders;
    return end;
  });
}

/** The first place in an ascending list whose number is not below this one. */
function findFirst(ascending: Float64Array, number: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
