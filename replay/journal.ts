/** Values by key, whose changes can be undone block by block. */
export type Table<V> = {
  get(key: string): V | undefined;
  /** Undefined removes it. Before the first block, what is put there cannot be undone. */
  set(key: string, value: V | undefined): void;
  entries(): IterableIterator<[string, V]>;
};

/** Remembers the changes of the last blocks. */
export type Journal = {
  createTable<V>(): Table<V>;
  /** What is changed from here on belongs to a new block. */
  startBlock(): void;
  /** Takes back what the newest block changed. */
  undoBlock(): void;
  /** Blocks that can be undone. */
  depth(): number;
};

/** @param horizon - blocks that can be undone at most */
export function createJournal(horizon: number): Journal {
  const blocks: (() => void)[][] = [];
  return {
    createTable<V>(): Table<V> {
      const values = new Map<string, V>();
      const put = (key: string, value: V | undefined): void => {
        if (value === undefined) values.delete(key);
        else values.set(key, value);
      };
      return {
        get: (key) => values.get(key),
        set(key, value) {
          const before = values.get(key);
          blocks.at(-1)?.push(() => put(key, before));
          put(key, value);
        },
        entries: () => values.entries(),
      };
    },
    startBlock() {
      blocks.push([]);
      if (blocks.length > horizon) blocks.shift();
    },
    undoBlock() {
      for (const undo of blocks.pop()!.reverse()) undo();
    },
    depth: () => blocks.length,
  };
}
