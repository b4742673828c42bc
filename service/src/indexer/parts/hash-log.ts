import { CHAIN_START, nextChainHash, STATE_HASH_INTERVAL } from '@coinfront/protocol/hash-chain.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';
import { defineTable } from '../../db/table.ts';
import type { ConnectedBlock, PartTable, PartWriter } from './part.ts';

/** The hashes of one block of a protocol (docs/protocols/hash-chain.md). */
export type BlockHashes = {
  height: number;
  events: Uint8Array;
  chain: Uint8Array;
  /** Of the live state; only where the interval says so. */
  state: Uint8Array | null;
};

/** The hash chain of one protocol: its tables, how a block goes on with it, and how it is read. */
export type HashLog = {
  readonly tables: readonly PartTable[];
  /**
   * Adds the hashes of a block at or above the activation.
   *
   * @param events events(h) of the block
   * @param hashState state(h) after the block; asked only where the interval wants it
   */
  connect(
    block: ConnectedBlock,
    writer: PartWriter,
    events: Uint8Array,
    hashState?: () => Promise<Uint8Array>,
  ): Promise<void>;
  /** The hashes of the highest block, or of the highest one at or below a height. */
  findLatest(reader: Reader, height?: number): Promise<BlockHashes | undefined>;
  /** The latest state hash at or below a height. */
  findLatestState(reader: Reader, height?: number): Promise<BlockHashes | undefined>;
};

/** Defines the hash chain of the protocol whose tables begin with `name`. */
export function defineHashLog(name: string): HashLog {
  const log = {
    kind: 'log',
    table: defineTable({
      name: `${name}_hash`,
      columns: { height: 'int', events: 'bytes', chain: 'bytes', state: 'bytes?' },
      primaryKey: ['height'],
    }),
  } as const;
  const tip = {
    kind: 'state',
    table: defineTable({
      name: `${name}_hash_tip`,
      columns: { id: 'int', chain: 'bytes' },
      primaryKey: ['id'],
    }),
  } as const;
  const select = (where: string): Statement<BlockHashes> =>
    sql(`select height, events, chain, state from ${name}_hash where ${where} order by height desc limit 1`);
  const latest = select('height <= $1');
  const latestState = select('height <= $1 and state is not null');

  return {
    tables: [log, tip],
    async connect(block, writer, events, hashState) {
      const before = await writer.find(tip, [0]);
      const previous = (before?.chain as Uint8Array | undefined) ?? CHAIN_START;
      const chain = nextChainHash(previous, block.hash, events);
      const isDue = hashState !== undefined && block.height % STATE_HASH_INTERVAL === 0;
      const state = isDue ? await hashState() : null;
      writer.append(log, { height: block.height, events, chain, state });
      await writer.put(tip, { id: 0, chain });
    },
    findLatest: (reader, height = Number.MAX_SAFE_INTEGER) => reader.get(latest, [height]),
    findLatestState: (reader, height = Number.MAX_SAFE_INTEGER) => reader.get(latestState, [height]),
  };
}
