import { flip, fromHex, isEqual, sha256, toHex, Unreadable } from './bytes.ts';
import { createFields, Invalid } from './carrier.ts';
import { type Client, Refused } from './client.ts';
import { BASES, createComparer, EXPIRED } from './compare.ts';
import { createLedger, type Hashes, type Ledger, PROTOCOLS, type ProtocolName } from './ledger.ts';
import type { Coin } from './profile.ts';
import type { GivenRow } from './protocol.ts';
import type { Source } from './source.ts';
import { findCreations } from './tokens.ts';

const PAGE = 500;
const HASH_BYTES = 32;
/** Pages of a state; a server that gives more is not believed. */
const MOST_PAGES = 1_000_000;

type State = { readonly chain: Uint8Array; readonly rows: GivenRow[] };

/**
 * Makes a ledger of the state that a service gives of a block, and compares its hashes with those of the service. Undefined: the chain
 * has another block there by now, or none.
 *
 * @throws Difference where the hashes are others; Unreadable where the service gives no such state
 */
export async function beginWithState(options: {
  readonly service: Client;
  readonly source: Source;
  readonly coin: Coin;
  readonly height: number;
}): Promise<Ledger | undefined> {
  const { service, source, coin, height } = options;
  const hash = await source.findHash(height);
  if (hash === undefined) return undefined;
  const hashes: Partial<Record<ProtocolName, Hashes>> = {};
  const rows: Partial<Record<ProtocolName, readonly GivenRow[]>> = {};
  try {
    for (const name of PROTOCOLS) {
      if (name !== 'proofs' && coin[name] === undefined) continue;
      const state = await readState(service, name, height, hash);
      if (state === undefined) {
        const now = await source.findHash(height);
        if (now === undefined || !isEqual(now, hash)) return undefined;
        throw new Unreadable(
          `the service gives no state of block ${height}, only of those that it can still undo`,
        );
      }
      const of = await service.json(`${BASES[name]}/hashes/${height}`);
      const events = typeof of?.events_hash === 'string' ? fromHex(of.events_hash, 32) : undefined;
      hashes[name] = { events, chain: state.chain };
      const placed = name === 'tokens' ? await placeTokens(state.rows, source, coin) : state.rows;
      if (placed === undefined) return undefined;
      rows[name] = placed;
    }
    const tip = { height, hash, hashes };
    const ledger = createLedger(coin, { tip, rows });
    const compared = await createComparer(service, coin, ledger).compareStates(tip);
    return compared === 'same' ? ledger : undefined;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    throw new Unreadable(`the state of block ${height} has a row that is none: ${error.reason}`);
  }
}

/** All rows of a protocol's state; their scripts are those whose hashes they have. Undefined: the service does not give it. */
async function readState(
  service: Client,
  name: ProtocolName,
  height: number,
  hash: Uint8Array,
): Promise<State | undefined> {
  const rows: GivenRow[] = [];
  let query = `&height=${height}`;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const path = `${BASES[name]}/state?limit=${PAGE}${query}`;
    const page = await service.json(path).catch((error) => {
      if (error instanceof Refused && error.status === EXPIRED) return undefined;
      throw error;
    });
    if (page === undefined || page.as_of?.hash !== toHex(flip(hash))) return undefined;
    if (!Array.isArray(page.items)) throw new Unreadable(`${path} lists no state`);
    for (const { kind, key, value, script } of page.items) {
      const given = typeof script === 'string' ? fromHex(script) : undefined;
      const row = { kind: Number(kind), key: fromHex(key), value: fromHex(value), script: given, index: 0 };
      if (given && !`${key}${value}`.includes(toHex(sha256(given))))
        throw new Unreadable(`the script of row ${rows.length} of ${name} is another one`);
      const last = rows.at(-1);
      if (last && Buffer.compare(orderOf(last), orderOf(row)) >= 0)
        throw new Unreadable(`row ${rows.length} of the state of ${name} is out of order`);
      rows.push(row);
    }
    if (page.next_cursor === null) return { chain: fromHex(page.chain_hash, 32), rows };
    query = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  throw new Unreadable(`the state of ${name} has no end`);
}

function orderOf({ kind, key }: GivenRow): Uint8Array {
  return Buffer.concat([Uint8Array.of(kind), key]);
}

/**
 * Tokens that were created in one block come in the order of their transactions, which the block tells. Undefined: the chain lacks it by now.
 * @throws Invalid
 */
async function placeTokens(
  rows: readonly GivenRow[],
  source: Source,
  coin: Coin,
): Promise<readonly GivenRow[] | undefined> {
  const heightOf = ({ value }: GivenRow): number => Number(createFields(value, HASH_BYTES).integer());
  const byHeight = Map.groupBy(
    rows.filter(({ kind }) => kind === 1),
    heightOf,
  );
  const indexes = new Map<string, number>();
  for (const [height, { length }] of byHeight) {
    if (length < 2) continue;
    const block = await source.findOneBlock(height);
    if (block === undefined) return undefined;
    for (const [id, index] of findCreations(block, coin.tokens!.marker, coin.genesisHash.slice(0, 8)))
      indexes.set(id, index);
  }
  return rows.map((row) => ({ ...row, index: indexes.get(toHex(row.key)) ?? 0 }));
}
