/** An output that pays an address, as a block tells it. */
export type LedgerOutput = {
  readonly txid: string;
  readonly vout: number;
  readonly address: string;
  /** Base units. */
  readonly amount: bigint;
};

/** What is kept of a block. */
export type LedgerBlock = {
  readonly hash: string;
  readonly previousHash: string | undefined;
  readonly txids: readonly string[];
  readonly outputs: readonly LedgerOutput[];
};

/** The blocks of the best chain as maps: made by nothing that the service is made of. */
export type BlockLedger = {
  /** -1 when it is empty. */
  height(): number;
  hashAt(height: number): string | undefined;
  /** Adds a block on top. */
  connect(block: LedgerBlock): void;
  /** Takes the highest block away. */
  disconnect(): void;
  /** The height of the block that has a transaction. */
  findHeight(txid: string): number | undefined;
  listOutputs(address: string): readonly (LedgerOutput & { height: number })[];
  /** Transactions of the newest blocks, newest first. */
  listNewest(count: number): readonly string[];
};

/**
 * Makes an empty one.
 *
 * @throws Error of `connect` when a block is none on top of the highest
 */
export function createBlockLedger(): BlockLedger {
  const blocks: LedgerBlock[] = [];
  const heights = new Map<string, number>();
  const byAddress = new Map<string, (LedgerOutput & { height: number })[]>();

  return {
    height: () => blocks.length - 1,
    hashAt: (height) => blocks[height]?.hash,
    connect(block) {
      if (block.previousHash !== blocks.at(-1)?.hash)
        throw new Error(`Block ${block.hash} is not on top of ${blocks.at(-1)?.hash}.`);
      const height = blocks.push(block) - 1;
      for (const txid of block.txids) heights.set(txid, height);
      for (const output of block.outputs) {
        const list = byAddress.get(output.address) ?? [];
        list.push({ ...output, height });
        byAddress.set(output.address, list);
      }
    },
    disconnect() {
      const block = blocks.pop();
      for (const txid of block?.txids ?? []) heights.delete(txid);
      for (const { address } of block?.outputs ?? []) byAddress.get(address)?.pop();
    },
    findHeight: (txid) => heights.get(txid),
    listOutputs: (address) => byAddress.get(address) ?? [],
    listNewest(count) {
      const newest: string[] = [];
      for (let height = blocks.length - 1; height >= 0 && newest.length < count; height--)
        newest.push(...blocks[height]!.txids);
      return newest.slice(0, count);
    },
  };
}
