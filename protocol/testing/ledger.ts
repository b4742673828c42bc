import { CHAIN_START, hashEvents, nextChainHash } from '../hash-chain.ts';

/** A map whose changes of one block can be taken back; keys are hex or text. */
export type UndoMap<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value | undefined): void;
  values(): Value[];
};

/** State in memory that remembers, block for block, what was there before. */
export type Journal = {
  createMap<Value>(): UndoMap<Value>;
  begin(): void;
  undo(): void;
};

/** Creates the journal of one ledger. */
export function createJournal(): Journal {
  const blocks: (() => void)[][] = [];
  return {
    createMap<Value>(): UndoMap<Value> {
      const rows = new Map<string, Value>();
      const write = (key: string, value: Value | undefined): void => {
        if (value === undefined) rows.delete(key);
        else rows.set(key, value);
      };
      return {
        get: (key) => rows.get(key),
        set(key, value) {
          const before = rows.get(key);
          blocks.at(-1)?.push(() => write(key, before));
          write(key, value);
        },
        values: () => [...rows.values()],
      };
    },
    begin: () => void blocks.push([]),
    undo() {
      const block = blocks.pop();
      if (block === undefined) throw new Error('there is no block to undo');
      for (const restore of block.reverse()) restore();
    },
  };
}

/** The chain of hashes of one protocol, with undo. */
export type HashLog = {
  connect(blockHash: Uint8Array, events: readonly Uint8Array[]): void;
  disconnect(): void;
  chain(): Uint8Array;
};

/** Creates a chain that begins at the activation. */
export function createHashLog(): HashLog {
  const chain: Uint8Array[] = [];
  const tip = (): Uint8Array => chain.at(-1) ?? CHAIN_START;
  return {
    connect(blockHash, encoded) {
      chain.push(nextChainHash(tip(), blockHash, hashEvents(encoded)));
    },
    disconnect: () => void chain.pop(),
    chain: tip,
  };
}
