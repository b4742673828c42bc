import { scryptSync } from 'node:crypto';
import {
  AUXPOW_VERSION_BIT,
  blockHashOf,
  serializeBlock,
  serializeHeader,
} from '@coinfront/protocol/block.ts';
import {
  bytesToHex,
  concatBytes,
  getHexBytes,
  parseDisplayHash,
  toDisplayHash,
} from '@coinfront/protocol/bytes.ts';
import { sha256d } from '@coinfront/protocol/hash.ts';
import { merkleRoot } from '@coinfront/protocol/merkle.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import {
  parseTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
  wtxidOf,
} from '@coinfront/protocol/transaction.ts';
import type { TestNode } from '../harness/litecoind.ts';
import { testProfile, worksByScrypt } from '../harness/test-coin.ts';
import type { RawTx } from './raw-coins.ts';

/** What a witness commitment begins with (BIP-141): OP_RETURN, 36 bytes, `aa21a9ed`. */
const COMMITMENT = getHexBytes('6a24aa21a9ed');
const NO_HASH = new Uint8Array(32);

/**
 * Mines one block whose coinbase pays exactly these outputs: what no miner of the node would do, such as leaving
 * coins unclaimed or paying one address several times. Gives its hash.
 *
 * @param tag - what a pool writes into its coinbases
 */
export async function mineByHand(
  node: Pick<TestNode, 'rpc'>,
  payouts: readonly TxOutput[],
  txs: readonly RawTx[] = [],
  tag = '',
): Promise<string> {
  const best = await node.rpc<string>('getbestblockhash');
  const { height, mediantime, bits, version } = await node.rpc<BestHeader>('getblockheader', best);
  const parsed = txs.map(({ hex }) => getValue(parseTransaction(getHexBytes(hex))));
  const witnessRoot = merkleRoot([NO_HASH, ...parsed.map(wtxidOf)]);
  const commitment = concatBytes(COMMITMENT, sha256d(concatBytes(witnessRoot, NO_HASH)));
  const coinbase: Transaction = {
    version: 2,
    inputs: [
      {
        prevTxid: NO_HASH,
        prevVout: 0xffff_ffff,
        scriptSig: concatBytes(heightScript(height + 1), pushText(tag)),
        sequence: 0xffff_ffff,
        witness: [NO_HASH],
      },
    ],
    outputs: [...payouts, { value: 0n, script: commitment }],
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
  const transactions = [coinbase, ...parsed];
  const header = {
    version: testProfile.auxpow ? version & ~AUXPOW_VERSION_BIT : version,
    prevHash: getValue(parseDisplayHash(best)),
    merkleRoot: merkleRoot(transactions.map(txidOf)),
    time: Math.max(mediantime + 1, Math.floor(Date.now() / 1000)),
    bits: Number.parseInt(bits, 16),
    nonce: 0,
  };
  while (!hasWork(serializeHeader(header))) header.nonce += 1;
  const headerBytes = serializeHeader(header);
  const block = serializeBlock({
    header,
    headerBytes,
    auxpow: undefined,
    transactions,
    extension: undefined,
  });
  const refusal = await node.rpc<string | null>('submitblock', bytesToHex(block));
  if (refusal !== null) throw new Error(`The node refused a block made by hand: ${refusal}.`);
  return toDisplayHash(blockHashOf(headerBytes));
}

type BestHeader = { height: number; mediantime: number; bits: string; version: number };

/** The height that a coinbase begins with (BIP-34), as its shortest push. */
function heightScript(height: number): Uint8Array {
  if (height > 32_767) throw new RangeError(`Height ${height} takes more than two bytes.`);
  if (height <= 16) return Uint8Array.of(0x50 + height);
  return height < 128 ? Uint8Array.of(1, height) : Uint8Array.of(2, height & 0xff, height >> 8);
}

function pushText(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length === 0 ? bytes : Uint8Array.of(bytes.length, ...bytes);
}

/** On regtest every second hash will do. */
function hasWork(header: Uint8Array): boolean {
  const hash = worksByScrypt ? scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }) : sha256d(header);
  return hash[31]! < 0x7f;
}
