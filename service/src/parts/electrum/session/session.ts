import type { Client } from '../../../clients/client.ts';
import type { Call } from '../rpc/messages.ts';
import type { WatchedScript } from '../subscriptions/script-watches.ts';
import type { Wire } from '../wire/wire.ts';
import { type CallQueue, createQueue } from './call-queue.ts';
import { defaultVersion, type ProtocolVersion } from './version-rules.ts';

/** A wallet's connection, and what it has asked to be told. Ten thousand of them are held: it has no closures of its own. */
export type Session = {
  readonly wire: Wire;
  readonly client: Client;
  version: ProtocolVersion;
  /** Whether it has said its version, and whether it has made any call. */
  hasGreeted: boolean;
  hasCalled: boolean;
  /** Units that were taken for it and not used up yet. */
  credit: number;
  /** Messages that wait for their turn: of one call, or of many in an array. */
  waiting: CallQueue<Waiting>;
  /** Calls in all of them. */
  waitingCalls: number;
  underWay: number;
  /** Whether the end of this turn of the event loop looks at it, and how many calls were begun in it. */
  isActive: boolean;
  begunInTurn: number;
  isPaused: boolean;
  /** It sends no more: the session ends when all is answered. */
  isLeaving: boolean;
  isEnding: boolean;
  isClosed: boolean;
  malformed: number;
  /** Messages without a text since the last one that has any. */
  skipped: number;
  /** Messages that are sent at the end of the turn. */
  out: string[];
  lastHeardMs: number;
  /** Of a message that is not whole yet: its bytes, and since when. */
  held: number;
  heldSinceMs: number;
  /** Units that were paid for it. */
  heldPaid: number;
  /** What it was told of the tip; undefined where it does not want to be told. */
  tip: ToldTip | undefined;
  watched: WatchedScript[];
};

/** A call that waits, or an array of what may be calls. */
export type Waiting = { readonly call: Call } | { readonly batch: readonly unknown[] };

/** How many calls there are. An empty array takes a place, too. */
export function countCalls(waiting: Waiting): number {
  return 'call' in waiting ? 1 : Math.max(1, waiting.batch.length);
}

/** The tip as a session knows it: its hash, and the revision of the index that it was read from. */
export type ToldTip = { readonly hash: Uint8Array; readonly revision: number };

/** A session that has just begun. */
export function createSession(wire: Wire, client: Client, nowMs: number): Session {
  return {
    wire,
    client,
    version: defaultVersion,
    hasGreeted: false,
    hasCalled: false,
    credit: 0,
    waiting: createQueue(),
    waitingCalls: 0,
    underWay: 0,
    isActive: false,
    begunInTurn: 0,
    isPaused: false,
    isLeaving: false,
    isEnding: false,
    isClosed: false,
    malformed: 0,
    skipped: 0,
    out: [],
    lastHeardMs: nowMs,
    held: 0,
    heldSinceMs: 0,
    heldPaid: 0,
    tip: undefined,
    watched: [],
  };
}
