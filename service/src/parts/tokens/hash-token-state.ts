import { createStateHasher, type StateHasher } from '@coinfront/protocol/hash-chain.ts';
import { balanceStateRow, tokenStateRow } from '@coinfront/protocol/tokens/token-canonical.ts';
import type { PartRow, PartWriter } from '../../indexer/part.ts';
import { type IndexedToken, readTokenRow } from './token-rows.ts';
import { balanceTable, holderTable, tokenTable } from './token-tables.ts';

/** Balances that are sorted in memory at once, 48 bytes each; a token with more is sorted by itself. */
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

/** Balances are stored by script, and hashed by token and then by the hash of the script: they are sorted here. */
async function hashBalances(
  writer: PartWriter,
  hasher: StateHasher,
  tokens: readonly Pick<IndexedToken, 'tokenId' | 'number'>[],
  holders: number,
): Promise<void> {
  const rankOf = new Map(tokens.map(({ number }, rank) => [number, rank]));
  const ranks = new Uint32Array(holders);
  const hashes = Buffer.alloc(holders * HASH_BYTES);
  const amounts = new BigInt64Array(holders);
  let count = 0;
  // Both are in the order of scripts, and every holder of a balance is among the holders.
  const known = writer.scan(holderTable)[Symbol.asyncIterator]();
  let holder: PartRow = {};
  for await (const { script_id, token_number, amount } of writer.scan(balanceTable)) {
    const rank = rankOf.get(token_number as number);
    if (rank === undefined) continue;
    while (holder.script_id !== script_id) holder = (await known.next()).value as PartRow;
    ranks[count] = rank;
    hashes.set(holder.script_hash as Uint8Array, count * HASH_BYTES);
    amounts[count] = amount as bigint;
    count++;
  }
  if (count !== holders) throw new Error(`${holders} balances are counted, ${count} are there`);
  const hashAt = (i: number): Buffer => hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES);
  const leads = Float64Array.from({ length: count }, (_, i) => hashes.readUIntBE(i * HASH_BYTES, 6));
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => ranks[a]! - ranks[b]! || leads[a]! - leads[b]! || Buffer.compare(hashAt(a), hashAt(b)),
  );
  for (const i of order) hasher.add(balanceStateRow(tokens[ranks[i]!]!.tokenId, hashAt(i), amounts[i]!));
}
