import { type Block, parseBlock } from './block.ts';
import { flip, fromHex, isEqual, toHex, Unreadable } from './bytes.ts';
import type { Client } from './client.ts';
import { Difference } from './difference.ts';
import { type Input, parseTransaction } from './transaction.ts';

/** Blocks of an Esplora server. Nothing of it is believed but which of the blocks is the tip. */
export type Source = {
  /** Hash of the block at a height, in internal byte order; undefined above the tip. */
  findHash(height: number): Promise<Uint8Array | undefined>;
  /** The block at a height; undefined above the tip, or when it left the chain meanwhile. */
  findBlock(height: number): Promise<Block | undefined>;
  /** The same of a block that others will not be asked for behind: nothing is fetched ahead. */
  findOneBlock(height: number): Promise<Block | undefined>;
  /** Height of the tip. */
  findHeight(): Promise<number>;
  /** The scripts that inputs spend; undefined when the server no longer has one of their transactions. */
  findScripts(inputs: readonly Input[]): Promise<Map<Input, Uint8Array> | undefined>;
  /** Forgets what was fetched ahead. */
  clear(): void;
};

const BLOCK_BYTES = 64_000_000;
const TX_BYTES = 8_000_000;
/** Blocks that are fetched ahead, and transactions that are fetched at once. */
const AHEAD = 8;

/** @param client - asks the base of an Esplora server */
export function createSource(client: Client, { auxpow }: { auxpow: boolean }): Source {
  const ahead = new Map<number, Promise<Block | undefined>>();
  let height = 0;

  async function findHash(at: number): Promise<Uint8Array | undefined> {
    const text = await client.text(`/block-height/${at}`);
    return text === undefined ? undefined : flip(fromHex(text.trim(), 32));
  }

  async function fetchBlock(at: number): Promise<Block | undefined> {
    const hash = await findHash(at);
    const raw = hash && (await client.bytes(`/block/${toHex(flip(hash))}/raw`, BLOCK_BYTES));
    if (raw === undefined) return undefined;
    try {
      const block = parseBlock(raw, { auxpow });
      if (!isEqual(block.hash, hash!)) throw new Unreadable('a block of another hash');
      return block;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const ours = 'a block whose hash, transactions and witnesses belong together';
      throw new Difference({ height: at, what: 'block', ours, theirs: error.message });
    }
  }

  async function fetchScript({ prevTxid, prevVout }: Input): Promise<Uint8Array | undefined> {
    const raw = await client.bytes(`/tx/${toHex(flip(prevTxid))}/raw`, TX_BYTES);
    if (raw === undefined) return undefined;
    const { txid, outputs } = parseTransaction(raw);
    const script = outputs[prevVout]?.script;
    if (!isEqual(txid, prevTxid) || script === undefined)
      throw new Unreadable('a transaction is not the one that was asked for');
    return script;
  }

  const findHeight = async (): Promise<number> => {
    const text = await client.text('/blocks/tip/height');
    if (text === undefined || !/^\d{1,9}\s*$/.test(text)) throw new Unreadable('no height of a tip');
    height = Number(text);
    return height;
  };

  return {
    findHash,
    findHeight,
    findOneBlock: fetchBlock,
    async findBlock(at) {
      for (let next = at; next < at + AHEAD && (next === at || next <= height); next++) {
        if (ahead.has(next)) continue;
        const fetched = fetchBlock(next);
        // It is told of when the block is asked for.
        fetched.catch(() => undefined);
        ahead.set(next, fetched);
      }
      const found = await ahead.get(at)!.finally(() => ahead.delete(at));
      if (found === undefined) ahead.clear();
      return found;
    },
    async findScripts(inputs) {
      const found = new Map<Input, Uint8Array>();
      for (let start = 0; start < inputs.length; start += AHEAD) {
        const some = inputs.slice(start, start + AHEAD);
        const scripts = await Promise.all(some.map(fetchScript));
        for (const [i, input] of some.entries()) {
          if (scripts[i] === undefined) return undefined;
          found.set(input, scripts[i]);
        }
      }
      return found;
    },
    clear: () => ahead.clear(),
  };
}
