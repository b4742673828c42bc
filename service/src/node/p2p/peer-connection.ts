/** One connection to a peer: what is asked and answered, within bounds of time, messages and bytes. */

import type { Socket } from 'node:net';
import { PeerFaultError } from './peer-fault.ts';
import { createMessageReader, frameMessage, type WireMessage } from './wire.ts';

/** Bounds of one conversation. */
export type PeerLimits = {
  /** The longest wait for one answer. */
  answerMs: number;
  /** All messages that are read, also those that are passed over. */
  messages: number;
  /** All bytes that are read. */
  bytes: number;
};

export type PeerConnection = {
  send(command: string, payload: Uint8Array): void;
  /**
   * The next message of one of these commands; pings are answered meanwhile, all others are passed over.
   * @throws PeerFaultError
   */
  receive(commands: readonly string[]): Promise<WireMessage>;
  close(): void;
};

/** Payloads that nobody asked for: the largest is an `inv` or `addr` of its greatest length. */
const UNASKED_BYTES = 50_000 * 36 + 9;
const CONTROL_BYTES = 1_024;
/** Answers that may come before they are waited for: `verack` with `version`. */
const QUEUED = 16;
const EMPTY = new Uint8Array(0);

/**
 * Takes over a connected socket.
 *
 * @param answers commands that are kept, with the most bytes that their payloads may have
 * @param signal ends the conversation; its reason is what `receive` throws then
 */
export function openPeer(
  socket: Socket,
  magic: Uint8Array,
  answers: ReadonlyMap<string, number>,
  limits: PeerLimits,
  signal: AbortSignal,
): PeerConnection {
  const reader = createMessageReader(
    magic,
    (command) => answers.get(command) ?? (command === 'ping' ? CONTROL_BYTES : UNASKED_BYTES),
  );
  const queue: WireMessage[] = [];
  let failure: unknown;
  let messages = 0;
  let bytes = 0;
  let wake = (): void => {};

  const fail = (error: unknown): void => {
    failure ??= error;
    socket.destroy();
    wake();
  };
  const accept = (message: WireMessage): void => {
    messages += 1;
    if (messages > limits.messages) throw new PeerFaultError('too_much');
    if (message.command === 'ping') connection.send('pong', message.payload);
    if (!answers.has(message.command)) return;
    if (queue.length >= QUEUED) throw new PeerFaultError('too_much');
    queue.push(message);
    wake();
  };
  const onAbort = () => fail(signal.reason);

  socket.on('data', (chunk: Buffer) => {
    if (failure !== undefined) return;
    try {
      bytes += chunk.length;
      if (bytes > limits.bytes) throw new PeerFaultError('too_much');
      for (const message of reader.push(chunk)) accept(message);
    } catch (error) {
      fail(error);
    }
  });
  socket.on('error', () => fail(new PeerFaultError('closed')));
  socket.on('close', () => fail(new PeerFaultError('closed')));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });

  const connection: PeerConnection = {
    send(command, payload = EMPTY) {
      if (failure === undefined) socket.write(frameMessage(magic, command, payload));
    },
    async receive(commands) {
      const timer = setTimeout(() => fail(new PeerFaultError('timeout')), limits.answerMs);
      try {
        for (;;) {
          const index = queue.findIndex(({ command }) => commands.includes(command));
          if (index >= 0) return queue.splice(index, 1)[0]!;
          if (failure !== undefined) throw failure;
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
      } finally {
        clearTimeout(timer);
        wake = () => {};
      }
    },
    close() {
      signal.removeEventListener('abort', onAbort);
      failure ??= new PeerFaultError('closed');
      socket.destroy();
    },
  };
  return connection;
}
