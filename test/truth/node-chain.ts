import type { TestNode } from '../harness/litecoind.ts';

/** What is asked of a node. */
export type TruthNode = Pick<TestNode, 'rpc' | 'client'>;

/** Numbers are the node's own text, so that no amount was ever a float. */
export type NodeScript = {
  readonly asm: string;
  readonly hex: string;
  readonly type: string;
  /** What nodes since Core 22 say. */
  readonly address?: string;
  /** What older ones say. */
  readonly addresses?: readonly string[];
};

export type NodeInput = {
  readonly txid?: string;
  readonly vout?: string;
  readonly coinbase?: string;
  readonly scriptSig?: { readonly asm: string; readonly hex: string };
  readonly txinwitness?: readonly string[];
  readonly sequence: string;
};

export type NodeOutput = { readonly value: string; readonly n: string; readonly scriptPubKey: NodeScript };

/** A transaction as `getblock 2` and `getrawtransaction 1` decode it. */
export type NodeTx = {
  readonly txid: string;
  readonly hash: string;
  readonly version: string;
  readonly size: string;
  readonly vsize: string;
  readonly weight: string;
  readonly locktime: string;
  readonly vin: readonly NodeInput[];
  readonly vout: readonly NodeOutput[];
  readonly hex: string;
};

export type NodeBlock = {
  readonly hash: string;
  readonly height: string;
  readonly size: string;
  readonly strippedsize: string;
  readonly weight: string;
  readonly version: string;
  readonly merkleroot: string;
  readonly tx: readonly NodeTx[];
  readonly time: string;
  readonly mediantime: string;
  readonly nonce: string;
  readonly bits: string;
  readonly difficulty: string;
  readonly chainwork: string;
  readonly nTx: string;
  readonly previousblockhash?: string;
  readonly nextblockhash?: string;
};

/** Where a transaction is: in a block, or with `height` undefined in the mempool. */
export type Placed = {
  readonly tx: NodeTx;
  readonly height: number | undefined;
  /** Index in its block. */
  readonly position: number;
};

/** All that the node says about its best chain and its mempool, and what follows from it. */
export type NodeChain = {
  readonly tip: NodeBlock;
  readonly height: number;
  /** By height. */
  readonly blocks: readonly NodeBlock[];
  /** By txid, in chain order, then the mempool. */
  readonly txs: ReadonlyMap<string, Placed>;
  /** By `txid:vout`. */
  readonly spends: ReadonlyMap<
    string,
    { readonly txid: string; readonly vin: number; readonly height: number | undefined }
  >;
};

/** Reads the node's best chain and, unless told not to, its mempool, decoded by the node. The node must be at rest. */
export async function readNodeChain(node: TruthNode, { mempool = true } = {}): Promise<NodeChain> {
  const height = await node.rpc<number>('getblockcount');
  const blocks: NodeBlock[] = [];
  for (let at = 0; at <= height; at += 1) {
    blocks.push(await node.client.callText('getblock', [await node.rpc('getblockhash', at), 2]));
  }
  const txs = new Map<string, Placed>();
  const spends = new Map<string, { txid: string; vin: number; height: number | undefined }>();
  const place = (tx: NodeTx, at: number | undefined, position: number): void => {
    txs.set(tx.txid, { tx, height: at, position });
    for (const [vin, input] of tx.vin.entries()) {
      if (input.txid !== undefined)
        spends.set(`${input.txid}:${input.vout}`, { txid: tx.txid, vin, height: at });
    }
  };
  for (const [at, block] of blocks.entries()) {
    for (const [position, tx] of block.tx.entries()) place(tx, at, position);
  }
  for (const txid of mempool ? await node.rpc<string[]>('getrawmempool') : []) {
    place(await node.client.callText('getrawtransaction', [txid, true]), undefined, 0);
  }
  return { tip: blocks[height]!, height, blocks, txs, spends };
}

/** Base units of a node's amount: it always prints eight decimals. */
export function baseUnits(amount: string): bigint {
  if (!/^-?\d+\.\d{8}$/.test(amount)) throw new Error(`The node printed an amount as ${amount}.`);
  return BigInt(amount.replace('.', ''));
}

/** An amount of base units as the API shows it, with eight decimals. */
export function coins(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(9, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** Sum of a transaction's outputs, base units. */
export function sumOutputs(tx: NodeTx): bigint {
  return tx.vout.reduce((sum, output) => sum + baseUnits(output.value), 0n);
}

/** The output that an input spends; undefined for a coinbase. */
export function prevoutOf(chain: NodeChain, input: NodeInput): NodeOutput | undefined {
  if (input.txid === undefined) return undefined;
  const output = chain.txs.get(input.txid)?.tx.vout[Number(input.vout)];
  if (!output) throw new Error(`The node's chain has no output ${input.txid}:${input.vout}.`);
  return output;
}

/** Inputs less outputs, base units; undefined for a coinbase. */
export function feeOf(chain: NodeChain, tx: NodeTx): bigint | undefined {
  if (tx.vin[0]?.coinbase !== undefined) return undefined;
  const spent = tx.vin.reduce((sum, input) => sum + baseUnits(prevoutOf(chain, input)!.value), 0n);
  return spent - sumOutputs(tx);
}

/** The one address of a script: bare multisig lists several in old nodes, and has none. */
export function addressOf(script: NodeScript): string | null {
  if (script.address !== undefined) return script.address;
  return script.type !== 'multisig' && script.addresses?.length === 1 ? script.addresses[0]! : null;
}

/** The 80 bytes of a header. */
export async function headerOf(node: TruthNode, hash: string): Promise<string> {
  return (await node.rpc<string>('getblock', hash, 0)).slice(0, 160);
}

const NAME_WORDS: Readonly<Record<string, string>> = { NEW: '1', FIRSTUPDATE: '2', UPDATE: '3' };

/** The words of a script. Namecoin's node takes each of three small numbers for the name operation that it may begin. */
export function asmOf({ asm }: { asm: string }): string {
  return asm.replace(/\bOP_NAME_(NEW|FIRSTUPDATE|UPDATE)\b/g, (_, word: string) => NAME_WORDS[word]!);
}

/** Seconds since 1970 as the API shows them. */
export function isoTime(seconds: string): string {
  return new Date(Number(seconds) * 1000).toISOString();
}
