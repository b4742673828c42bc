/** Gets what peers have signed of a slot, until the deadline; who has signed two things is found out on the way. */

import { SignedLooksView } from '@coinfront/api/registry.ts';
import { findLooksFault, type SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import Type, { type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { VantagePeer } from '../../../config-values.ts';
import type { Precious } from '../../../db/precious.ts';
import { spellOutNull } from '../../../http/nullable.ts';
import type { PeerClient } from '../../../outbound/peer-client.ts';
import { pause } from '../../../pause.ts';
import type { Slot } from '../probing/slot-rules.ts';
import { lockRegistry } from '../registry-context.ts';
import type { RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import { type HeldStatement, holdStatement } from './cast-votes.ts';
import { readAnswer } from './read-answer.ts';
import { findStatement, insertStatement, listStatements, listUntaken } from './statement-store.ts';
import { ENTRIES, LIST_BOUNDS, STATEMENT_BOUNDS } from './vantage-bounds.ts';

export type CollectOptions = {
  peers: readonly VantagePeer[];
  precious: Precious;
  client: Pick<PeerClient, 'fetchText'>;
  genesisHash: string;
  /** Is told of each vantage point that has signed two statements of a slot. */
  onAlarm(text: string): void;
  now: () => number;
};

type Statements = ReadonlyMap<string, readonly HeldStatement[]>;

/** What is read of a peer's list; other versions may say more. */
const EntriesAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      slot: Type.Object({ from: Type.String({ maxLength: 40 }), to: Type.String({ maxLength: 40 }) }),
      vantage: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { maxItems: ENTRIES },
  ),
});
/** A statement has exactly this form, or it would not be what was signed. */
const signedLooks = spellOutNull({ ...SignedLooksView }) as TSchema;
type Entry = Static<typeof EntriesAnswer>['items'][number];

/** When in the grace peers are asked, as parts of it. From the third round on they are asked for what they have of others, too. */
const ROUNDS = [0.05, 0.25, 0.5, 0.8];
const OWN_ROUNDS = 2;

/**
 * Collects until the deadline. Whatever peers answer, nothing throws but the database.
 *
 * @returns by key of the vantage point: one statement, or two that contradict each other
 */
export async function collectStatements(
  options: CollectOptions,
  slot: Slot,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Statements> {
  const { now } = options;
  const collecting = startCollecting(options, slot);
  const graceMs = deadlineMs - slot.endMs;
  for (const [round, part] of ROUNDS.entries()) {
    await pause(slot.endMs + graceMs * part - now(), signal);
    // Nobody waits for a peer that is slow: what has not come by the deadline has not come.
    if (!signal.aborted) void collecting.ask(round >= OWN_ROUNDS);
  }
  await pause(deadlineMs - now(), signal);
  return await collecting.end();
}

/** One collection: each round asks all peers that do not owe an answer, and nothing is taken after its end. */
export function startCollecting(
  options: CollectOptions,
  slot: Slot,
): { ask(all: boolean): Promise<void>; end(): Promise<Statements> } {
  let isOver = false;
  const context: RoundContext = { ...options, slot, isOver: () => isOver };
  const busy = new Set<string>();
  return {
    async ask(all) {
      const idle = options.peers.filter(({ key }) => !busy.has(key));
      await Promise.all(
        idle.map(async (peer) => {
          busy.add(peer.key);
          await askPeer(context, peer, all);
          busy.delete(peer.key);
        }),
      );
    },
    async end() {
      isOver = true;
      return await readStatements(options.precious.query<RegistryTables>(), slot, options.peers);
    },
  };
}

async function readStatements(
  db: RegistryQuery,
  slot: Slot,
  peers: readonly VantagePeer[],
): Promise<Statements> {
  const found = new Map<string, HeldStatement[]>();
  for (const { hash, vantage, slotStartMs } of await listStatements(db, {
    fromMs: slot.startMs,
    limit: ENTRIES,
  })) {
    if (slotStartMs !== slot.startMs || !peers.some(({ key }) => key === vantage)) continue;
    const signed = await findStatement(db, hash);
    if (signed !== undefined) found.set(vantage, [...(found.get(vantage) ?? []), holdStatement(signed)]);
  }
  return found;
}

type RoundContext = CollectOptions & {
  slot: Slot;
  /** After it nothing that comes is taken. */
  isOver(): boolean;
};

/** Reads what a peer has that is not here: of itself, and of other vantage points, too, where `all` is set. */
async function askPeer(context: RoundContext, peer: VantagePeer, all: boolean): Promise<void> {
  const { client, peers, isOver } = context;
  try {
    const url = `${peer.url}/api/nodeproof/looks`;
    const answer: unknown = await readAnswer(client, `${url}?limit=${ENTRIES}`, LIST_BOUNDS);
    if (!Check(EntriesAnswer, answer)) return;
    const wanted = answer.items.filter(
      ({ vantage }) => vantage === peer.key || (all && peers.some(({ key }) => key === vantage)),
    );
    for (const entry of await chooseMissing(context, wanted)) {
      if (isOver()) return;
      const signed: unknown = await readAnswer(client, `${url}/${entry.hash}`, STATEMENT_BOUNDS);
      // Who lists what it cannot show is asked for nothing more in this round.
      if (!Check(signedLooks, signed) || !isAsListed(context, entry, signed as SignedLooks)) return;
      await keep(context, signed as SignedLooks);
    }
  } catch {
    // Down, or talks nonsense: it is asked again in the next round, and has no vote without a statement.
  }
}

/** Entries of this slot that are not here, and of the one before where another statement of the same vantage point is. */
async function chooseMissing(
  { precious, slot, now }: RoundContext,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const slotMs = slot.endMs - slot.startMs;
  const here = await listStatements(precious.query<RegistryTables>(), {
    fromMs: slot.startMs - slotMs,
    limit: ENTRIES,
  });
  const untaken = await listUntaken(precious.query<RegistryTables>(), now());
  const asked = new Map<string, number>();
  return entries.filter(({ slot: { from, to }, vantage, hash }) => {
    if (untaken.has(vantage)) return false;
    const [startMs, endMs] = [Date.parse(from), Date.parse(to)];
    const isNow = startMs === slot.startMs && endMs === slot.endMs;
    if (!isNow && !(startMs === slot.startMs - slotMs && endMs === slot.startMs)) return false;
    const held = here.filter((each) => each.vantage === vantage && each.slotStartMs === startMs);
    if (held.some((each) => each.hash === hash) || (held.length === 0 && !isNow)) return false;
    // A list may name many: two are all that are kept.
    const key = `${startMs} ${vantage}`;
    const count = held.length + (asked.get(key) ?? 0);
    asked.set(key, (asked.get(key) ?? 0) + 1);
    return count < 2;
  });
}

function isAsListed(
  { genesisHash }: RoundContext,
  { hash, vantage, slot }: Entry,
  signed: SignedLooks,
): boolean {
  const { statement } = signed;
  return (
    signed.hash === hash &&
    statement.registry_key === vantage &&
    statement.network === genesisHash &&
    statement.slot.from === slot.from &&
    statement.slot.to === slot.to &&
    findLooksFault(signed) === undefined
  );
}

async function keep({ precious, now, isOver, onAlarm }: RoundContext, signed: SignedLooks): Promise<void> {
  const { registry_key, slot } = signed.statement;
  // Counting and adding are one step: several peers may bring statements of one vantage point.
  const kept = await precious.transaction<RegistryTables, 'first' | 'second' | 'known'>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    if (isOver() || (await listUntaken(trx, now())).has(registry_key)) return 'known';
    return await insertStatement(trx, signed, now());
  });
  if (kept === 'second')
    onAlarm(
      `The vantage point ${registry_key} has signed two statements of its looks in the slot from ${slot.from}: /looks has both.`,
    );
}
