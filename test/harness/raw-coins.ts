import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex, concatBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { serializeTransaction, type TxOutput, txidOf } from '@coinfront/protocol/transaction.ts';
import type { TestNode } from './litecoind.ts';
import { testProfile } from './test-coin.ts';

/** An output that anyone can spend: P2WSH of `<owner> DROP 1`. Nodes relay it, and no wallet knows it. */
export type RawCoin = {
  readonly txid: string;
  readonly vout: number;
  readonly value: bigint;
  readonly owner: number;
};

/** A transaction of our own making. */
export type RawTx = {
  readonly txid: string;
  readonly hex: string;
  /** Its outputs that are raw coins, by index; holes for others. */
  readonly coins: RawCoin[];
};

/** An output to be made: to a numbered owner, or with any script. */
export type RawOutput = { value: bigint } & ({ owner: number } | { script: Uint8Array });

const OP_0 = 0x00;

function witnessScriptOf(owner: number): Uint8Array {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, owner);
  return concatBytes(Uint8Array.of(4), number, Uint8Array.of(0x75, 0x51));
}

/** The script of a numbered owner. */
export function scriptOf(owner: number): Uint8Array {
  return concatBytes(Uint8Array.of(OP_0, 32), sha256(witnessScriptOf(owner)));
}

/** The regtest address of a script. */
export function addressFor(script: Uint8Array): string {
  const address = encodeAddress(script, testProfile);
  if (address === undefined) throw new Error('This script has no address.');
  return address;
}

/** The regtest address of a numbered owner. */
export function addressOfOwner(owner: number): string {
  return addressFor(scriptOf(owner));
}

/** Builds a transaction; what the outputs leave of the inputs is its fee. `sequence` is final by default. */
export function spend(
  coins: readonly RawCoin[],
  outputs: readonly RawOutput[],
  options: { sequence?: number; version?: number; locktime?: number } = {},
): RawTx {
  const made: TxOutput[] = outputs.map((output) => ({
    value: output.value,
    script: 'owner' in output ? scriptOf(output.owner) : output.script,
  }));
  const tx = {
    version: options.version ?? 2,
    inputs: coins.map(({ txid, vout, owner }) => ({
      prevTxid: getValue(parseDisplayHash(txid)),
      prevVout: vout,
      scriptSig: new Uint8Array(0),
      sequence: options.sequence ?? 0xffff_ffff,
      witness: [witnessScriptOf(owner)],
    })),
    outputs: made,
    locktime: options.locktime ?? 0,
    hasWitness: true,
    mweb: undefined,
  };
  const txid = toDisplayHash(txidOf(tx));
  const coinsMade: RawCoin[] = [];
  for (const [vout, output] of outputs.entries()) {
    if ('owner' in output) coinsMade[vout] = { txid, vout, value: output.value, owner: output.owner };
  }
  return { txid, hex: bytesToHex(serializeTransaction(tx, { witness: true })), coins: coinsMade };
}

/** Mines `count` blocks to a numbered owner; the coins mature 100 blocks later. */
export async function mineCoins(node: TestNode, count: number, owner: number): Promise<RawCoin[]> {
  const coins: RawCoin[] = [];
  for (const hash of await node.mine(count, addressOfOwner(owner))) {
    const { tx } = await node.rpc<{ tx: string[] }>('getblock', hash);
    const value = await node.client.callText<{ value: string }>('gettxout', [tx[0], 0]);
    coins.push({ txid: tx[0]!, vout: 0, value: BigInt(value.value.replace('.', '')), owner });
  }
  return coins;
}

/** Sends a transaction to the node's mempool. */
export async function send(node: TestNode, tx: RawTx): Promise<RawTx> {
  // Without the guard against high fees: suites burn what they like.
  await node.rpc('sendrawtransaction', tx.hex, 0);
  return tx;
}

/** Mines one block of exactly these transactions, in this order, valid ones that nodes do not relay included. */
export async function mineExactly(node: TestNode, txs: readonly RawTx[], owner?: number): Promise<string> {
  const address = owner === undefined ? await node.newAddress() : addressOfOwner(owner);
  const { hash } = await node.rpc<{ hash: string }>(
    'generateblock',
    address,
    txs.map(({ hex }) => hex),
  );
  return hash;
}

/** Mines `count` mature raw coins of `value` each to a numbered owner, without a wallet. */
export async function makeMatureCoins(
  node: TestNode,
  options: { count: number; value: bigint; owner: number },
): Promise<RawCoin[]> {
  const [coin] = await mineCoins(node, 1, options.owner);
  await node.mine(100, addressOfOwner(options.owner));
  const outputs = Array.from({ length: options.count }, () => options);
  const split = spend([coin!], outputs);
  await mineExactly(node, [split], options.owner);
  return split.coins;
}

/** Gives one of `count` mature raw coins of `value` at each call, as `makeMatureCoins` makes them. */
export async function openPurse(
  node: TestNode,
  options: { count: number; value: bigint; owner: number },
): Promise<() => RawCoin> {
  const coins = await makeMatureCoins(node, options);
  return () => {
    const coin = coins.shift();
    if (coin === undefined) throw new Error(`All ${options.count} coins of the purse are spent.`);
    return coin;
  };
}
