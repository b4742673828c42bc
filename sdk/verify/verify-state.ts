import type { StatePageJson } from '@coinfront/api/protocol-state.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { StateRow } from '@coinfront/protocol/canonical.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { createStateHasher } from '@coinfront/protocol/hash-chain.ts';
import { clientError } from '../client/error.ts';
import { iteratePages } from '../client/iterate-pages.ts';

/** A state that was read to its end. */
export type VerifiedState = {
  height: number;
  blockHash: string;
  /** The rules that it was derived by. */
  rulesId: string;
  /** chain(h), as the service says. */
  chainHash: string;
  /** state(h), computed from the rows. */
  stateHash: string;
  rows: number;
};

/**
 * Reads a whole state and computes state(h) from its rows, of which it keeps none. The state is sound when other services give the
 * same hash: compare `stateHash` with `state_hash` of their hashes of `height`, asked with `state`.
 *
 * @param readPage reads the page of a cursor; undefined is the first one
 * @param onRow is given each row, in their order
 * @throws CoinfrontError of the reads, of which `cursor_expired` means to begin anew; `invalid_answer` when pages are of several states, rows
 *   out of order, or a script is not the one in its row
 * @example
 * const state = await verifyState((cursor) => listNameState(client, { limit: 500, cursor }));
 */
export async function verifyState(
  readPage: (cursor: string | undefined) => Promise<StatePageJson>,
  onRow: (row: StateRow, script: Uint8Array | undefined) => void = () => {},
  { maxPages = 1_000_000 }: { maxPages?: number } = {},
): Promise<VerifiedState> {
  const hasher = createStateHasher();
  let of: StatePageJson | undefined;
  let rows = 0;
  for await (const page of iteratePages(readPage, { maxPages })) {
    of ??= page;
    if (describe(page) !== describe(of))
      throw clientError('invalid_answer', 'The pages are of several states.');
    for (const { kind, key, value, script } of page.items) {
      const row: StateRow = { kind, key: getHexBytes(key), value: getHexBytes(value) };
      try {
        hasher.add(row);
      } catch {
        throw clientError('invalid_answer', 'The rows of the state are out of order.');
      }
      const bytes = script === null ? undefined : getHexBytes(script);
      if (bytes && !`${key}${value}`.includes(bytesToHex(sha256(bytes))))
        throw clientError('invalid_answer', 'A script is not the one of its row.');
      rows += 1;
      onRow(row, bytes);
    }
  }
  if (of === undefined) throw clientError('invalid_answer', 'There is no page.');
  return {
    height: of.as_of.height,
    blockHash: of.as_of.hash,
    rulesId: of.rules_id,
    chainHash: of.chain_hash,
    stateHash: bytesToHex(hasher.finish()),
    rows,
  };
}

function describe({ as_of, rules_id, chain_hash }: StatePageJson): string {
  return [as_of.height, as_of.hash, rules_id, chain_hash].join();
}
