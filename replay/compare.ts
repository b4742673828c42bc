import { flip, toHex, Unreadable } from './bytes.ts';
import { type Client, Refused } from './client.ts';
import { expectSame } from './difference.ts';
import { hashEvents, hashState, type Row, sortRows } from './encoding.ts';
import { type Ledger, PROTOCOLS, type ProtocolName, type Tip } from './ledger.ts';
import type { Coin } from './profile.ts';

/** `moved`: the service is at another block by now; nothing was compared. */
export type Compared = 'same' | 'moved';

/** Compares hashes and states with those that a service gives. @throws Difference */
export type Comparer = {
  /** events(h) and chain(h) of every protocol, and state(h) where the service keeps it. */
  compareHashes(tip: Tip): Promise<Compared>;
  /** state(h) of every protocol, when the tip is the service's, too. */
  compareStates(tip: Tip): Promise<Compared>;
};

/** Where the routes of a protocol are. */
export const BASES: Record<ProtocolName, string> = {
  proofs: '/api/v1/proof',
  names: '/api/vns/v1',
  tokens: '/api/v1/tok',
};
const NO_EVENTS = hashEvents([]);
const PAGE = 500;
const EMPTY_PAGES = 1_000;
/** The service has too many rows to hash them at once. */
const TOO_LARGE = 413;
/** It can no longer read on. */
export const EXPIRED = 409;

/** @param client - asks the base of a service */
export function createComparer(client: Client, coin: Coin, ledger: Ledger): Comparer {
  /** One protocol, at the height of the tip; the answer is undefined where there is none. */
  async function compareOne(tip: Tip, protocol: ProtocolName, query: string): Promise<Compared> {
    const { height, hash } = tip;
    const ours = tip.hashes[protocol]!;
    const answer = await client.json(`${BASES[protocol]}/hashes/${height}${query}`);
    if (answer === undefined) return 'moved';
    expectSame(height, `rules_id of ${protocol}`, coin.rulesIds[protocol], answer.rules_id);
    if (answer.block_hash !== toHex(flip(hash))) return 'moved';
    // Below the activation there are no events: some say so by the hash of nothing, others by null.
    if (ours.events || answer.events_hash !== null)
      expectSame(height, `events_hash of ${protocol}`, toHex(ours.events ?? NO_EVENTS), answer.events_hash);
    expectSame(height, `chain_hash of ${protocol}`, toHex(ours.chain), answer.chain_hash);
    if (answer.state_hash === null) return 'same';
    const state = toHex(hashState(ledger.listRows(protocol)));
    // The rows say more than two hashes, where they can be had.
    if (state !== answer.state_hash) await comparePages(tip, protocol);
    expectSame(height, `state_hash of ${protocol}`, state, answer.state_hash);
    return 'same';
  }

  /** Row by row. Says nothing of a state that the service no longer gives. */
  async function comparePages({ height, hash }: Tip, protocol: ProtocolName): Promise<Compared> {
    const rows = sortRows(ledger.listRows(protocol));
    let [at, query] = [0, `&height=${height}`];
    // Pages may be empty, but not for ever.
    for (let pages = 0; ; pages++) {
      const path = `${BASES[protocol]}/state?limit=${PAGE}${query}`;
      const page = await client.json(path).catch((error) => {
        if (error instanceof Refused && error.status === EXPIRED) return undefined;
        throw error;
      });
      if (page?.as_of?.hash !== toHex(flip(hash))) return 'moved';
      if (!Array.isArray(page.items) || pages > rows.length + EMPTY_PAGES)
        throw new Unreadable(`${path} lists no state`);
      for (const item of page.items) {
        const theirs = `kind ${item.kind} key ${item.key} value ${item.value}`;
        expectSame(height, `row ${at} of the state of ${protocol}`, describe(rows[at++]), theirs);
      }
      if (page.next_cursor === null) break;
      query = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expectSame(height, `row ${at} of the state of ${protocol}`, describe(rows[at]), undefined);
    return 'same';
  }

  async function compareAll(tip: Tip, one: (protocol: ProtocolName) => Promise<Compared>): Promise<Compared> {
    const compared = await Promise.all(PROTOCOLS.filter((each) => tip.hashes[each]).map(one));
    return compared.includes('moved') ? 'moved' : 'same';
  }

  return {
    compareHashes: (tip) => compareAll(tip, (protocol) => compareOne(tip, protocol, '')),
    compareStates: (tip) =>
      compareAll(tip, (protocol) =>
        compareOne(tip, protocol, '?state=true').catch((error) => {
          if (error instanceof Refused && error.status === TOO_LARGE) return comparePages(tip, protocol);
          throw error;
        }),
      ),
  };
}

function describe(row: Row | undefined): string | undefined {
  return row && `kind ${row.kind} key ${toHex(row.key)} value ${toHex(row.value)}`;
}
