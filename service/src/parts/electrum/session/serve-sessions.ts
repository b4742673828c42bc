import { type Client, type CountedNetwork, parseClient } from '../../../clients/client.ts';
import { createNetworkCount } from '../../../http/network-count.ts';
import type { UnsentBytes } from '../../../http/unsent-bytes.ts';
import type { ElectrumContext } from '../electrum-context.ts';
import { electrumCosts, electrumLimits as limits } from '../electrum-limits.ts';
import { parseMessage, readCall, writeError } from '../rpc/messages.ts';
import { RpcError, rpcCodes } from '../rpc/rpc-error.ts';
import type { BeginSession, WireEnd } from '../wire/wire.ts';
import { type Answer, answerBatch, answerCall, type OnUnforeseen, refuse } from './answer-calls.ts';
import { countWaiting, emptyQueue, takeFirst } from './call-queue.ts';
import { createSession, type Session, type Waiting } from './session.ts';

/** All sessions of this process. */
export type Sessions = {
  readonly begin: BeginSession;
  readonly open: ReadonlySet<Session>;
  /** Sends a message with the others of this turn. */
  send(session: Session, message: string): void;
  /** What was counted: calls that were answered, sessions that were cut. */
  readonly counts: { calls: number; cut: number };
  /** Ends all when what is under way is answered, or after so long. */
  close(deadlineMs: number): Promise<void>;
};

export type SessionsOptions = {
  readonly context: ElectrumContext;
  readonly unsent: UnsentBytes;
  /** Whether clients are counted. */
  readonly boundsClients: boolean;
  readonly onRefused: (client: Client, full: CountedNetwork) => void;
  readonly onUnforeseen: OnUnforeseen;
};

/** After its last message was given to the system, a connection has so long to take it, milliseconds. */
const END_MS = 2_000;

/** Creates the sessions of a server. They begin calls in turns, so that nobody's hundreds keep others waiting. */
export function serveSessions({
  context,
  unsent,
  boundsClients,
  onRefused,
  onUnforeseen,
}: SessionsOptions): Sessions {
  const open = new Set<Session>();
  const ofNetworks = createNetworkCount();
  const counts = { calls: 0, cut: 0 };
  /** Those that have something to send at the end of this turn, or may begin more in the next. */
  let active: Session[] = [];
  let turnEndsMs = 0;
  let unfinished = 0;

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
      beginWaiting(session);
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

  const cut = (session: Session): void => {
    counts.cut++;
    session.wire.socket.destroy();
  };

  const beginWaiting = (session: Session): void => {
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
      void answer(session, next);
    }
    setReading(session);
  };

  /** Who asks faster than is answered is not read for a while. */
  const setReading = (session: Session): void => {
    const length = session.waitingCalls;
    const pauses = length > limits.waitingCalls || (session.isPaused && length > limits.waitingCalls / 2);
    if (pauses === session.isPaused || session.isEnding || session.isClosed) return;
    session.isPaused = pauses;
    if (pauses) session.wire.pause();
    else session.wire.resume();
  };

  const answer = async (session: Session, waiting: Waiting): Promise<void> => {
    // An array has as many under way by itself.
    const places = Math.min(limits.callsAtOnce, countCalls(waiting));
    session.underWay += places;
    const { text, closes }: Answer =
      'call' in waiting
        ? await answerCall(context, session, waiting.call, onUnforeseen)
        : await answerBatch(context, session, waiting.batch, onUnforeseen);
    session.underWay -= places;
    counts.calls += countCalls(waiting);
    if (closes || isDone(session)) session.isEnding = true;
    if (text !== undefined) send(session, text);
    else if (session.isEnding) flush(session);
    if (countWaiting(session.waiting) > 0) beginWaiting(session);
  };

  const isDone = ({ isLeaving, underWay, waiting }: Session): boolean =>
    isLeaving && underWay === 0 && countWaiting(waiting) === 0;

  const leave = (session: Session): void => {
    session.isLeaving = true;
    if (!isDone(session)) return;
    session.isEnding = true;
    flush(session);
  };

  const take = (session: Session, message: string): void => {
    if (session.isEnding || session.isClosed) return;
    session.lastHeardMs = Date.now();
    const units = message.length / electrumCosts.bytesOfUnit;
    const { heldPaid } = session;
    session.heldPaid = 0;
    let value: unknown;
    try {
      // Whatever becomes of it, it was read. Over WebSocket none of it was paid for before.
      if (units >= 1) {
        if (heldPaid === 0) context.charge.before(session, 1);
        context.charge.after(session, units - Math.max(1, heldPaid));
      }
      value = parseMessage(message);
      const waiting = Array.isArray(value) ? { batch: value } : { call: readCall(value) };
      session.waiting.items.push(waiting);
      session.waitingCalls += countCalls(waiting);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.code !== rpcCodes.tooMuch) session.malformed++;
      if (session.malformed > limits.malformedMessages) session.isEnding = true;
      send(session, refuse(value, error));
      return;
    }
    beginWaiting(session);
  };

  const endWith = (session: Session, error: RpcError): void => {
    if (session.isEnding) return;
    session.isEnding = true;
    emptyQueue(session.waiting);
    session.waitingCalls = 0;
    send(session, writeError('null', error));
  };

  /** Its first unit has to be there, so that nothing more is read from whoever has none; the rest is owed. */
  const payForHeld = (session: Session): void => {
    const units = Math.floor(session.held / electrumCosts.bytesOfUnit);
    const { heldPaid, isEnding } = session;
    if (units <= heldPaid || isEnding) return;
    try {
      if (heldPaid === 0) context.charge.before(session, 1);
      context.charge.after(session, units - Math.max(1, heldPaid));
      session.heldPaid = units;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      endWith(session, error);
      stopReading(session);
    }
  };

  /** What it goes on to send stays where it is. */
  const stopReading = (session: Session): void => {
    session.isPaused = true;
    session.wire.pause();
  };

  const hold = (session: Session, bytes: number): void => {
    if (bytes === session.held) return;
    unfinished += bytes - session.held;
    if (session.held === 0) session.heldSinceMs = Date.now();
    session.held = bytes;
    payForHeld(session);
    if (bytes > 0 && unfinished > limits.unfinishedBytes)
      endWith(
        session,
        new RpcError('busy', 'server busy: too many messages are unfinished', { closes: true }),
      );
  };

  const forget = (session: Session): void => {
    if (session.isClosed) return;
    session.isClosed = true;
    open.delete(session);
    ofNetworks.add(session.client.networks, -1);
    unfinished -= session.held;
    emptyQueue(session.waiting);
    session.waitingCalls = 0;
    session.out = [];
    context.watches.removeAll(session);
  };

  const begin: BeginSession = (wire): WireEnd | undefined => {
    const client = parseClient(wire.address);
    const full = boundsClients ? ofNetworks.findFull(client.networks, limits.sessions) : undefined;
    if (full !== undefined || open.size >= limits.sessions.inAll) {
      if (full) onRefused(client, full);
      const error = full
        ? new RpcError('tooMuch', `too many sessions: a client has ${limits.sessions.ofClient} at most`)
        : new RpcError('busy', 'server busy: it has as many sessions as it takes');
      wire.send([writeError('null', error)]);
      wire.end();
      setTimeout(() => wire.socket.destroy(), END_MS).unref();
      wire.socket.resume();
      return undefined;
    }
    const session = createSession(wire, client, Date.now());
    open.add(session);
    ofNetworks.add(client.networks, 1);
    return {
      take: (message) => take(session, message),
      hold: (bytes) => hold(session, bytes),
      overflow: () =>
        endWith(
          session,
          new RpcError('tooMuch', `message too large: ${limits.messageBytes} bytes are taken`, {
            closes: true,
          }),
        ),
      drained: () => beginWaiting(session),
      ended: () => leave(session),
      closed: () => forget(session),
    };
  };

  const sweep = (): void => {
    const nowMs = Date.now();
    for (const session of open) {
      const { lastHeardMs, hasCalled, held, heldSinceMs, underWay } = session;
      const isIdle = nowMs - lastHeardMs > (hasCalled ? limits.idleMs : limits.messageMs);
      const isSlow = held > 0 && nowMs - heldSinceMs > limits.messageMs;
      if ((isIdle && underWay === 0) || isSlow) cut(session);
    }
  };
  const sweeping = setInterval(sweep, limits.sweepMs).unref();

  return {
    begin,
    open,
    send,
    counts,
    async close(deadlineMs) {
      clearInterval(sweeping);
      for (const session of open) {
        session.isEnding = true;
        flush(session);
      }
      const endMs = Date.now() + deadlineMs;
      while (open.size > 0 && Date.now() < endMs && [...open].some(({ underWay }) => underWay > 0))
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const session of open) session.wire.socket.destroySoon();
    },
  };
}

/** An empty array takes a place, too. */
function countCalls(waiting: Waiting): number {
  return 'call' in waiting ? 1 : Math.max(1, waiting.batch.length);
}
