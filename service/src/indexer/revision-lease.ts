/**
 * What the index has, known without asking the database: the indexer's thread tells it to the others of its process.
 *
 * The rule: only who holds the one-indexer lock commits, and it does so {@link TAKEOVER_WAIT_MS} after it got the lock at the earliest.
 * When the lock's session has answered a question, it held the lock after the question was sent, so until {@link LEASE_MS} after that
 * nobody else has committed anything: the index has what this holder committed last. While a commit is under way nothing is known.
 *
 * The clock does not stop while a process is frozen, and goes on evenly; {@link TAKEOVER_WAIT_MS} is longer by more than what two
 * clocks differ in that time. The time of day is looked at as well: a machine that was suspended as a whole may find it moved.
 */

import type { Writer } from '../db/database.ts';
import { TAKEOVER_WAIT_MS } from '../db/takeover-wait.ts';
import { GET_REVISION } from './revision.ts';

/** How long an answer of the lock's session is good for, from when its question was sent; milliseconds. */
export const LEASE_MS = TAKEOVER_WAIT_MS - 100;

/** Places in the memory that threads share. */
const REVISION = 0;
const UNTIL_NS = 1;
const UNTIL_DATE_MS = 2;
const PLACES = 3;
const NS_OF_MS = 1_000_000;

/** The memory in which a revision is told; nothing is known at first. */
export type LeaseMemory = SharedArrayBuffer;

export function createLeaseMemory(): LeaseMemory {
  return new SharedArrayBuffer(PLACES * BigInt64Array.BYTES_PER_ELEMENT);
}

/** The indexer's side. */
export type RevisionLease = {
  /** Writes as the given writer does, and tells what is committed. */
  readonly writer: Writer;
  /** Within a transaction: the revision that its commit gives the index. */
  announce(revision: number): void;
  /** Tells the revision that the index has, when it is open. */
  begin(): Promise<void>;
  /** Asks the session whether it is there; never rejects. Those who ask meanwhile share the answer. */
  renew(): Promise<void>;
};

/** @param writer holds the one-indexer lock, and says whether its session is there */
export function openRevisionLease(
  memory: LeaseMemory,
  writer: Writer & Required<Pick<Writer, 'checkSession'>>,
): RevisionLease {
  const places = new BigInt64Array(memory);
  let announced: number | undefined;
  let renewing: Promise<void> | undefined;
  const tell = (revision: number): void => {
    Atomics.store(places, REVISION, BigInt(revision));
  };

  async function renew(): Promise<void> {
    const sentNs = process.hrtime.bigint();
    const sentMs = Date.now();
    try {
      await writer.checkSession();
    } catch {
      return;
    }
    Atomics.store(places, UNTIL_NS, sentNs + BigInt(LEASE_MS * NS_OF_MS));
    Atomics.store(places, UNTIL_DATE_MS, BigInt(sentMs + LEASE_MS));
  }

  return {
    announce(revision) {
      announced = revision;
    },
    async begin() {
      const found = await writer.get(GET_REVISION);
      if (found) tell(Number(found.value));
    },
    renew() {
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    writer: {
      ...writer,
      async commit() {
        const revision = announced;
        announced = undefined;
        if (revision === undefined) return await writer.commit();
        // Of a commit that fails it is not known whether it was made.
        tell(0);
        await writer.commit();
        tell(revision);
      },
      async rollback() {
        announced = undefined;
        await writer.rollback();
      },
    },
  };
}

/** What a thread that reads is told. */
export type LeasedRevision = {
  /** What the index has at some moment of this call; undefined where only the database knows. */
  readonly revision: string | undefined;
  /** Milliseconds for which the indexer has answered for it; below zero where that is over. */
  readonly leftMs: number;
};

/** Reads what is told. */
export function readLease(memory: LeaseMemory): LeasedRevision {
  const places = new BigInt64Array(memory);
  const untilDateMs = Number(Atomics.load(places, UNTIL_DATE_MS));
  const leftNs = Number(Atomics.load(places, UNTIL_NS) - process.hrtime.bigint());
  const leftDateMs = untilDateMs - Date.now();
  const leftMs = leftDateMs > LEASE_MS ? -1 : Math.min(leftNs / NS_OF_MS, leftDateMs);
  // Read behind the clock: what this holder has committed since then is true as well.
  const revision = Atomics.load(places, REVISION);
  return { revision: leftMs > 0 && revision > 0n ? String(revision) : undefined, leftMs };
}

/** Clears what a thread told that has ended. */
export function forgetLease(memory: LeaseMemory): void {
  Atomics.store(new BigInt64Array(memory), REVISION, 0n);
}
