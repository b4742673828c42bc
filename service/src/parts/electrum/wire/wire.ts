import type { Socket } from 'node:net';

/** A connection that carries whole messages, whatever frames them. */
export type Wire = {
  /** Who is at its other end. */
  readonly address: string;
  /** What its bytes go through. */
  readonly socket: Socket;
  send(messages: readonly string[]): void;
  /** No more is read until {@link Wire.resume}. */
  pause(): void;
  resume(): void;
  /** Ends it when all is sent that was given to it. */
  end(): void;
};

/** Who takes what comes over a wire. */
export type WireEnd = {
  /** One message. */
  take(message: string): void;
  /** A message of so many bytes had more commas and brackets than are taken, and was not kept. */
  refuse(bytes: number): void;
  /** So many messages without a text came, of so many bytes in all; none where they may have come within a message that goes on. */
  skip(messages: number, bytes: number): void;
  /** So many bytes of a message that is not whole yet are held now. */
  hold(bytes: number): void;
  /** A message is longer than is taken. */
  overflow(): void;
  /** All that was sent has been read by the system. */
  drained(): void;
  /** The other end sends no more, and may still read. */
  ended(): void;
  closed(): void;
};

/** Begins a session on a wire; undefined where it was refused, and told so. */
export type BeginSession = (wire: Wire) => WireEnd | undefined;

/** A listener for wallets. */
export type WireListener = {
  /** For people: `tcp://127.0.0.1:50001`. */
  readonly address: string;
  readonly port: number;
  /** Takes no more connections. */
  close(): Promise<void>;
};
