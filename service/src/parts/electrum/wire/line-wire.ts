import type { Socket } from 'node:net';
import { electrumLimits } from '../electrum-limits.ts';
import { createLineReader } from './line-reader.ts';
import type { ReadInTurn } from './read-turns.ts';
import type { BeginSession, Wire } from './wire.ts';

/** Messages over TCP and TLS: one a line. */
export function carryLines(socket: Socket, begin: BeginSession, readInTurn: ReadInTurn): void {
  const { remoteAddress } = socket;
  // Gone already.
  if (remoteAddress === undefined) return;
  socket.setNoDelay(true);
  // Whether the session wants to read nothing, and whether something that was read waits for its turn.
  let isPaused = false;
  let isWaiting = false;
  const setReading = (): void => void (isPaused || isWaiting ? socket.pause() : socket.resume());
  const wire: Wire = {
    address: remoteAddress,
    socket,
    send(messages) {
      if (socket.writable) socket.write(`${messages.join('\n')}\n`, 'latin1');
    },
    pause() {
      isPaused = true;
      setReading();
    },
    resume() {
      isPaused = false;
      setReading();
    },
    end: () => void socket.end(),
  };
  // A reset is as good an end as any.
  socket.on('error', () => {});
  const session = begin(wire);
  if (session === undefined) return;
  const lines = createLineReader(
    { bytes: electrumLimits.messageBytes, parts: electrumLimits.messageParts },
    session,
  );
  let isOver = false;
  const read = (chunk: Buffer): void => {
    if (isOver) return;
    isOver = !lines.read(chunk);
    if (isOver) session.overflow();
    else session.hold(lines.held);
  };
  socket.on('data', (chunk: Buffer) => {
    const isRead = readInTurn(() => {
      read(chunk);
      if (!isWaiting) return;
      isWaiting = false;
      setReading();
    });
    if (isRead) return;
    isWaiting = true;
    setReading();
  });
  socket.on('drain', session.drained);
  socket.once('end', session.ended);
  socket.once('close', session.closed);
}
