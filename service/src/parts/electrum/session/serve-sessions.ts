import { type Client, type CountedNetwork, parseClient } from '../../../clients/client.ts';
import { createNetworkCount } from '../../../http/network-count.ts';
import type { UnsentBytes } from '../../../http/unsent-bytes.ts';
import type { ElectrumContext } from '../electrum-context.ts';
import { electrumLimits as limits } from '../electrum-limits.ts';
import { parseMessage, readCall, tooManyParts, writeError } from '../rpc/messages.ts';
import { RpcError, rpcCodes } from '../rpc/rpc-error.ts';
import type { BeginSession, WireEnd } from '../wire/wire.ts';
import { type Answer, answerBatch, answerCall, type OnUnforeseen, refuse } from './answer-calls.ts';
import { countWaiting, emptyQueue } from './call-queue.ts';
import { createSkipMessages } from './empty-messages.ts';
import { countCalls, createSession, type Session, type Waiting } from './session.ts';
import { createSessionTurns, END_MS } from './session-turns.ts';
import { createUnfinishedMessages } from './unfinished-messages.ts';

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

/** Creates the sessions of a server. */
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
  const cut = (session: Session): void => {
    counts.cut++;
    session.wire.socket.destroy();
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
    if (text !== undefined) turns.send(session, text);
    else if (session.isEnding) turns.flush(session);
    if (countWaiting(session.waiting) > 0) turns.begin(session);
  };

  const turns = createSessionTurns({ unsent, answer: (...taken) => void answer(...taken), cut });

  const isDone = ({ isLeaving, underWay, waiting }: Session): boolean =>
    isLeaving && underWay === 0 && countWaiting(waiting) === 0;

  const leave = (session: Session): void => {
    session.isLeaving = true;
    if (!isDone(session)) return;
    session.isEnding = true;
    turns.flush(session);
  };

  /** @param parse gives the value of a message of so many bytes */
  const take = (session: Session, bytes: number, parse: () => unknown): void => {
    if (session.isEnding || session.isClosed) return;
    session.lastHeardMs = Date.now();
    session.skipped = 0;
    let value: unknown;
    try {
      // Whatever becomes of it, it was read.
      unfinished.payForRest(session, bytes);
      value = parse();
      const waiting = Array.isArray(value) ? { batch: value } : { call: readCall(value) };
      session.waiting.items.push(waiting);
      session.waitingCalls += countCalls(waiting);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.code !== rpcCodes.tooMuch) session.malformed++;
      if (session.malformed > limits.malformedMessages) session.isEnding = true;
      turns.send(session, refuse(value, error));
      return;
    }
    turns.begin(session);
  };

  const endWith = (session: Session, error: RpcError): void => {
    if (session.isEnding) return;
    session.isEnding = true;
    emptyQueue(session.waiting);
    session.waitingCalls = 0;
    turns.send(session, writeError('null', error));
  };

  const endUnread = (session: Session, error: RpcError): void => {
    endWith(session, error);
    session.isPaused = true;
    session.wire.pause();
  };

  const unfinished = createUnfinishedMessages(context, endUnread);
  const skip = createSkipMessages(context, unfinished, endUnread);

  const forget = (session: Session): void => {
    if (session.isClosed) return;
    session.isClosed = true;
    open.delete(session);
    ofNetworks.add(session.client.networks, -1);
    unfinished.forget(session);
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
      take: (message) => take(session, message.length, () => parseMessage(message)),
      refuse: (bytes) =>
        take(session, bytes, () => {
          throw tooManyParts();
        }),
      skip: (messages, bytes) => skip(session, messages, bytes),
      hold: (bytes) => unfinished.hold(session, bytes),
      overflow: () =>
        endWith(
          session,
          new RpcError('tooMuch', `message too large: ${limits.messageBytes} bytes are taken`, {
            closes: true,
          }),
        ),
      drained: () => turns.begin(session),
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
    send: turns.send,
    counts,
    async close(deadlineMs) {
      clearInterval(sweeping);
      for (const session of open) {
        session.isEnding = true;
        turns.flush(session);
      }
      const endMs = Date.now() + deadlineMs;
      while (open.size > 0 && Date.now() < endMs && [...open].some(({ underWay }) => underWay > 0))
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const session of open) session.wire.socket.destroySoon();
    },
  };
}
