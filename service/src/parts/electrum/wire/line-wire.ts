import type { Socket } from 'node:net';
import { electrumLimits } from '../electrum-limits.ts';
import { createLineReader } from './line-reader.ts';
import type { BeginSession, Wire } from './wire.ts';

/** Messages over TCP and TLS: one a line. */
export function carryLines(socket: Socket, begin: BeginSession): void {
  const { remoteAddress } = socket;
  // Gone already.
  if (remoteAddress === undefined) return;
  socket.setNoDelay(true);
  const wire: Wire = {
    address: remoteAddress,
    socket,
    send(messages) {
      if (socket.writable) socket.write(`${messages.join('\n')}\n`, 'latin1');
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end: () => void socket.end(),
  };
  // A reset is as good an end as any.
  socket.on('error', () => {});
  const session = begin(wire);
  if (session === undefined) return;
  const lines = createLineReader(electrumLimits.messageBytes, session.take);
  let isOver = false;
  socket.on('data', (chunk: Buffer) => {
    if (isOver) return;
    isOver = !lines.read(chunk);
    if (isOver) session.overflow();
    else session.hold(lines.held);
  });
  socket.on('drain', session.drained);
  socket.once('end', session.ended);
  socket.once('close', session.closed);
}
