import pg from 'pg';
import type { ColumnData } from './database.ts';
import { throwQueryError } from './postgres-query.ts';
import type { SqlValue } from './statement.ts';
import type { Table } from './table.ts';

/** Signature, flags and the length of what extends them, which is none (COPY, Binary Format). */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** A message of copied data: its letter, and its length without the letter. */
const COPY_DATA = 'd'.charCodeAt(0);
const MESSAGE_HEAD_BYTES = 5;
const END_OF_COPY = -1;
const NULL_LENGTH = -1;
const INTEGER_BYTES = 8;

/** Whether the values of all columns have a binary form that is written here: sums that may pass 64 bits have none. */
export function canCopyInto({ columns }: Table): boolean {
  return columns.every(({ type }) => type !== 'total');
}

/**
 * Makes messages of rows `start .. end - 1` for {@link copyInto}, in two buffers by turns: one is filled while the other is on its way.
 * So a first sync leaves no buffers of megabytes behind.
 *
 * @param usualBytes of the rows of most messages; a larger one has a buffer of its own
 */
export function createCopyEncoder(
  usualBytes: number,
): (table: Table, columns: readonly ColumnData[], start: number, end: number) => Buffer {
  const buffers: Buffer[] = [];
  let turn = 0;
  const takeBuffer = (bytes: number): Buffer => {
    if (bytes > usualBytes) return Buffer.allocUnsafe(bytes);
    turn = 1 - turn;
    buffers[turn] ??= Buffer.allocUnsafeSlow(usualBytes);
    return buffers[turn]!.subarray(0, bytes);
  };

  return (table, columns, start, end) => {
    const values = table.columns.map(({ type }, i) =>
      type === 'text' ? encodeTexts(columns[i]!, start, end) : columns[i]!,
    );
    const firsts = table.columns.map(({ type }) => (type === 'text' ? 0 : start));
    const count = end - start;
    const bytes = takeBuffer(measure(values, firsts, count));
    bytes[0] = COPY_DATA;
    bytes.writeInt32BE(bytes.length - 1, 1);
    let at = MESSAGE_HEAD_BYTES;
    bytes.set(HEADER, at);
    at += HEADER.length;
    for (let row = 0; row < count; row++) {
      at = bytes.writeInt16BE(values.length, at);
      for (let i = 0; i < values.length; i++) at = writeValue(bytes, at, values[i]![firsts[i]! + row]!);
    }
    bytes.writeInt16BE(END_OF_COPY, at);
    return bytes;
  };
}

/**
 * Inserts rows by `copy … from stdin` in the binary format. The server reads them as they come and writes whole pages of its tables at
 * once; rows of arrays it would unpack, put aside and write one by one.
 *
 * @param message of {@link createCopyEncoder}; not to be changed before this returns
 * @throws DatabaseUnavailableError unless the server answered that the rows themselves are at fault
 */
export async function copyInto(client: pg.ClientBase, table: Table, message: Buffer): Promise<void> {
  const names = table.columns.map(({ name }) => name).join(', ');
  const copy = `copy ${table.name} (${names}) from stdin (format binary)`;
  await new Promise<void>((resolve, reject) => {
    client.query(new CopyInQuery(copy, message, (error) => (error ? reject(error) : resolve())));
  }).catch(throwQueryError);
}

/** What is used of the driver's connection. */
type CopyConnection = {
  readonly stream: { write(bytes: Uint8Array): boolean };
  query(text: string): void;
  endCopyFrom(): void;
};

/**
 * A query of the driver's with one message, which is sent with it: to wait until the server asks for the rows would be a round trip in
 * which neither side does anything. Of a copy that it refuses to begin the server passes over the rows, as its protocol says of COPY. The
 * driver itself would copy the message twice.
 */
class CopyInQuery extends pg.Query {
  private readonly command: string;
  private readonly message: Buffer;

  constructor(command: string, message: Buffer, done: (error?: Error) => void) {
    super(command, done as () => void);
    this.command = command;
    this.message = message;
  }

  override submit = (connection: unknown): void => {
    const { command, message } = this;
    const to = connection as CopyConnection;
    to.query(command);
    to.stream.write(message);
    to.endCopyFrom();
  };

  /** It was sent. */
  handleCopyInResponse(): void {}
}

function measure(columns: readonly ColumnData[], firsts: readonly number[], count: number): number {
  let bytes = MESSAGE_HEAD_BYTES + HEADER.length + 2 + count * (2 + 4 * columns.length);
  for (const [i, column] of columns.entries()) {
    for (let row = 0; row < count; row++) {
      const value = column[firsts[i]! + row]!;
      if (value !== null) bytes += value instanceof Uint8Array ? value.length : INTEGER_BYTES;
    }
  }
  return bytes;
}

function writeValue(bytes: Buffer, at: number, value: SqlValue): number {
  if (value === null) return bytes.writeInt32BE(NULL_LENGTH, at);
  if (value instanceof Uint8Array) {
    const from = bytes.writeInt32BE(value.length, at);
    bytes.set(value, from);
    return from + value.length;
  }
  return bytes.writeBigInt64BE(BigInt(value), bytes.writeInt32BE(INTEGER_BYTES, at));
}

function encodeTexts(column: ColumnData, start: number, end: number): (Uint8Array | null)[] {
  const texts: (Uint8Array | null)[] = [];
  for (let i = start; i < end; i++) texts.push(column[i] === null ? null : Buffer.from(String(column[i])));
  return texts;
}
