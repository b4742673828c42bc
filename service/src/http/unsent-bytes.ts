/**
 * Bounds what answers hold that nobody reads. Each may be as large as a route allows, and a client may ask on all of its
 * connections; what is written waits in memory until it is read. Beyond a bound for all together, the connection that
 * has read nothing for the longest is cut.
 */

import type { Socket } from 'node:net';

/** Milliseconds between two looks at who has read something. */
const lookEveryMs = 500;
/** Answers below this are not looked at: as many as there may be connections hold little. */
const leastBytes = 4_096;

/** What is looked at of a connection. */
export type SendingSocket = Pick<Socket, 'writableLength' | 'bytesWritten' | 'destroyed' | 'destroy'>;

export type UnsentBytes = {
  /** An answer of so many bytes is about to be written to a connection. */
  note(socket: SendingSocket, bytes: number): void;
  /** Looks who has read something; cuts who has not where too much is held. Also done by itself while anything is held. */
  look(): void;
  /** At least what is held. */
  held(): number;
};

type Holder = {
  sent: number;
  sinceMs: number;
  /** Of an answer that is not written yet, and what was written before it. */
  due: number;
  written: number;
};

/**
 * Creates the ledger of a server.
 *
 * @param onCut is told of each connection that is cut: bytes that it held, and milliseconds for which it read nothing
 */
export function createUnsentBytes(
  maxBytes: number,
  onCut: (bytes: number, unreadMs: number) => void,
  now: () => number = () => performance.now(),
): UnsentBytes {
  const holders = new Map<SendingSocket, Holder>();
  let timer: NodeJS.Timeout | undefined;
  /** At least what all hold. */
  let most = 0;

  /** What a connection holds, an answer that is not written yet included. */
  const heldBy = (socket: SendingSocket, { due }: Holder): number => socket.writableLength + due;

  function refresh(): void {
    most = 0;
    for (const [socket, holder] of holders) {
      const sent = socket.bytesWritten - socket.writableLength;
      if (socket.bytesWritten !== holder.written) holder.due = 0;
      if (sent !== holder.sent) {
        holder.sent = sent;
        holder.sinceMs = now();
      }
      const held = socket.destroyed ? 0 : heldBy(socket, holder);
      if (held === 0) holders.delete(socket);
      most += held;
    }
  }

  function look(): void {
    // What was noted has been written since, or its answer did not come about.
    for (const holder of holders.values()) holder.due = 0;
    cutBeyond();
    if (holders.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function cutBeyond(): void {
    refresh();
    if (most <= maxBytes) return;
    const longestFirst = [...holders].sort(([, a], [, b]) => a.sinceMs - b.sinceMs);
    for (const [socket, holder] of longestFirst) {
      if (most <= maxBytes) break;
      const held = heldBy(socket, holder);
      most -= held;
      holders.delete(socket);
      onCut(held, now() - holder.sinceMs);
      socket.destroy();
    }
  }

  return {
    look,
    held: () => most,
    note(socket, bytes) {
      if (bytes < leastBytes) return;
      const holder = holders.get(socket);
      const written = socket.bytesWritten;
      const sent = written - socket.writableLength;
      if (holder === undefined) holders.set(socket, { sent, sinceMs: now(), due: bytes, written });
      else Object.assign(holder, { due: bytes, written });
      most += bytes;
      timer ??= setInterval(look, lookEveryMs).unref();
      if (most > maxBytes) cutBeyond();
    },
  };
}
