import type { UnsentBytes } from '../../../http/unsent-bytes.ts';
import { electrumLimits as limits } from '../electrum-limits.ts';
import { countWaiting, takeFirst } from './call-queue.ts';
import { countCalls, type Session, type Waiting } from './session.ts';

/** After its last message was given to the system, a connection has so long to take it, milliseconds. */
export const END_MS = 2_000;

/** Whose calls begin when, and when what was answered is sent. */
export type SessionTurns = {
  /** Begins what waits of a session, as far as this turn goes. */
  begin(session: Session): void;
  /** Sends a message with the others of this turn. */
  send(session: Session, message: string): void;
  /** Sends what there is at once, and ends the session where it is to end and nothing is under way. */
  flush(session: Session): void;
};

export type SessionTurnsOptions = {
  readonly unsent: UnsentBytes;
  /** Answers what was taken from the queue of a session. */
  readonly answer: (session: Session, waiting: Waiting) => void;
  /** Ends a session that does not read what it is sent. */
  readonly cut: (session: Session) => void;
};

/** Sessions begin calls in turns, so that nobody's hundreds keep others waiting. */
export function createSessionTurns({ unsent, answer, cut }: SessionTurnsOptions): SessionTurns {
  /** Those that have something to send at the end of this turn, or may begin more in the next. */
  let active: Session[] = [];
  let turnEndsMs = 0;

  const activate = (session: Session): void => {
    if (session.isActive) return;
    session.isActive = true;
    if (active.length === 0) {
      setImmediate(endTurn);
      turnEndsMs = performance.now() + limits.turnMs;
    }
    active.push(session);
  };

  const send = (session: Session, message: string): void => {
    if (session.isClosed) return;
    activate(session);
    session.out.push(message);
  };

  const endTurn = (): void => {
    const sessions = active;
    active = [];
    for (const session of sessions) {
      session.isActive = false;
      session.begunInTurn = 0;
      flush(session);
    }
    // Whose turn it was not is first in the next one.
    const begun = new Set<Session>();
    for (const session of sessions) {
      begin(session);
      if (session.begunInTurn > 0) begun.add(session);
    }
    if (begun.size < active.length) active.sort((a, b) => Number(begun.has(a)) - Number(begun.has(b)));
  };

  const flush = (session: Session): void => {
    const { out, wire } = session;
    if (out.length > 0 && !session.isClosed) {
      session.out = [];
      const bytes = out.reduce((sum, message) => sum + message.length + 1, 0);
      if (wire.socket.writableLength + bytes > limits.unreadCutBytes) {
        cut(session);
        return;
      }
      unsent.note(wire.socket, bytes);
      wire.send(out);
    }
    if (session.isEnding && session.underWay === 0 && !session.isClosed) {
      wire.end();
      setTimeout(() => wire.socket.destroy(), END_MS).unref();
    }
  };

  const begin = (session: Session): void => {
    const { waiting, wire } = session;
    while (
      countWaiting(waiting) > 0 &&
      session.underWay < limits.callsAtOnce &&
      session.begunInTurn < limits.callsOfTurn &&
      wire.socket.writableLength < limits.unreadBytes &&
      !session.isEnding &&
      !session.isClosed
    ) {
      activate(session);
      if (performance.now() >= turnEndsMs) break;
      session.begunInTurn++;
      const next = takeFirst(waiting)!;
      session.waitingCalls -= countCalls(next);
      answer(session, next);
    }
    setReading(session);
  };

  return { begin, send, flush };
}

/** Who asks faster than is answered is not read for a while. */
function setReading(session: Session): void {
  const length = session.waitingCalls;
  const pauses = length > limits.waitingCalls || (session.isPaused && length > limits.waitingCalls / 2);
  if (pauses === session.isPaused || session.isEnding || session.isClosed) return;
  session.isPaused = pauses;
  if (pauses) session.wire.pause();
  else session.wire.resume();
}
