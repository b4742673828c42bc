/**
 * One thing that reads what strangers send.
 *
 * The law for every input: it ends, it answers or throws an error that the caller is told of in its type, and what was read
 * and can be written is written as it was.
 */
export type FuzzTarget = {
  readonly name: string;
  /** What is read, for the table. */
  readonly reads: string;
  /** How inputs are kept in the repository: as text, or as hex. */
  readonly form: 'text' | 'bytes';
  /** Longest input that is tried. */
  readonly maxBytes: number;
  /** Inputs to begin with when nothing is kept yet. */
  readonly seeds: readonly Uint8Array[];
  /** Pieces that the format knows, besides those in its source. */
  readonly words?: readonly string[];
  /** New inputs that `npm test` tries, where {@link REPLAYED} would take seconds. */
  readonly replayed?: number;
  /** Throws when the law is broken. */
  check(input: Uint8Array): void | Promise<void>;
  /** Inputs of about so many bytes whose work grows with them; of twice the bytes no more than some twice the work. */
  readonly growing: Readonly<Record<string, (bytes: number) => Uint8Array>>;
  /** Puts away what it opened. */
  close?(): Promise<void>;
};

/** New inputs of a target that `npm test` tries. */
export const REPLAYED = 2_000;

/** Thrown by a check where the law is broken without anything being thrown by what is tried. */
export class BrokenLawError extends Error {
  override readonly name = 'BrokenLawError';
}

/** Throws unless it holds. */
export function demand(holds: boolean, law: string): asserts holds {
  if (!holds) throw new BrokenLawError(law);
}

/** Bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Text of bytes; what is no UTF-8 becomes U+FFFD. */
export function toText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** One after another; a number is a byte. */
export function join(...parts: readonly (Uint8Array | number)[]): Uint8Array {
  return Uint8Array.from(
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part))),
  );
}

/** Bytes of constant hex. */
export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}
