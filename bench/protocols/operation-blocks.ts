import { blockHashOf, serializeHeader } from '@coinfront/protocol/block.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { concatBytes } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { sha256 as hashBytes } from '@coinfront/protocol/hash.ts';
import { merkleRoot } from '@coinfront/protocol/merkle.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { shapedSignature } from '@coinfront/protocol/testing/spends.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { encodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import {
  serializeTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { sha256 } from '../../service/src/indexer/encoding/hashes.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';
import { createRandom } from '../chain/random.ts';
import { createHoldings } from './holdings.ts';

/**
 * Blocks that no node has seen: right in all that the indexer looks at. Their signatures have the shape of signatures; a
 * node would refuse them, and an indexer is never asked to check them. Signing as many would take longer than indexing.
 */

const BLOCK_TXS = 2_500;
const TOKENS = 100;
const OWNERS = 5_000;
const PREMINE = 10n ** 15n;
const SUBSIDY = 50_00000000n;
const OWNER_COIN = 10n ** 12n;

type Owner = {
  script: Uint8Array;
  key: Uint8Array;
  coins: { txid: Uint8Array; vout: number; value: bigint }[];
};

/** A chain of blocks, each on the one before. */
export type BlockMaker = { height(): number; add(txs: readonly Transaction[]): FetchedBlock };

/** Starts a chain with its genesis in `add`'s first call. */
export function createBlockMaker(): BlockMaker {
  let height = -1;
  let prevHash: Uint8Array = new Uint8Array(32);
  return {
    height: () => height,
    add(txs) {
      height += 1;
      const all = [coinbase(height), ...txs];
      const header = serializeHeader({
        version: 0x2000_0000,
        prevHash,
        merkleRoot: merkleRoot(all.map(txidOf)),
        time: 1_700_000_000 + height * 150,
        bits: 0x207fffff,
        nonce: 0,
      });
      const writer = createWriter(1 << 20);
      writer.bytes(header);
      writer.compactSize(all.length);
      for (const tx of all) writer.bytes(serializeTransaction(tx, { witness: true }));
      prevHash = blockHashOf(header);
      const scan = getValue(scanBlock(writer.finish(), { auxpow: false, sha256 }));
      return { height, hash: prevHash, scan };
    },
  };
}

function coinbase(height: number): Transaction {
  const scriptSig = Uint8Array.of(4, height & 0xff, (height >> 8) & 0xff, (height >> 16) & 0xff, 0);
  const input = { prevTxid: new Uint8Array(32), prevVout: 0xffff_ffff, scriptSig, sequence: 0, witness: [] };
  const outputs = [{ value: SUBSIDY * 10_000n, script: witnessScript(0, new Uint8Array(20).fill(9)) }];
  return { version: 2, inputs: [input], outputs, locktime: 0, hasWitness: false, mweb: undefined };
}

/** Blocks whose every transaction carries a token transfer, after some that make tokens and coins. */
export function* makeOperationBlocks(
  profile: CoinProfile,
  transfers: number,
): Generator<{ block: FetchedBlock; operations: number }> {
  const { marker, createFees, feeScript } = profile.tokens!;
  const prefix = genesisPrefix(profile);
  const random = createRandom(4);
  const maker = createBlockMaker();
  const owners = Array.from({ length: OWNERS }, (_, i) => makeOwner(i));
  yield { block: maker.add([]), operations: 0 };
  yield { block: maker.add([fund(owners, sha256dOf(maker.height()))]), operations: 0 };

  const holdings = createHoldings(random, OWNERS);
  const tokenIds: Uint8Array[] = [];
  const created = owners.slice(0, TOKENS).map((owner, i) => {
    const terms = {
      mintable: false,
      decimals: 2,
      premine: PREMINE,
      cap: undefined,
      ticker: `T${i}`,
      metadataHash: undefined,
    };
    const payload = encodeTokenOperation({ kind: 'create', terms }, marker);
    const fee = { value: createFees[0]!.fee, script: feeScript };
    const tx = send(owner, [{ value: 0n, script: buildCarrier(payload) }, fee], []);
    tokenIds.push(tokenIdOf(tx.inputs[0]!, payload, prefix));
    holdings.issue(i, i, PREMINE);
    return tx;
  });
  yield { block: maker.add(created), operations: created.length };

  for (let made = 0; made < transfers; ) {
    const count = Math.min(BLOCK_TXS, transfers - made);
    const txs = Array.from({ length: count }, () => {
      const { from, to, amount } = holdings.transfer();
      const shares = [{ toVout: 1, amount }];
      const tokenId = tokenIds[from.token]!;
      const payload = encodeTokenOperation({ kind: 'transfer', tokenId, shares }, marker);
      return send(owners[from.owner]!, [{ value: 0n, script: buildCarrier(payload) }], [owners[to.owner]!]);
    });
    made += count;
    yield { block: maker.add(txs), operations: count };
  }
}

/** Blocks that anchor this many digests, as many to a transaction as outputs go. */
export function* makeProofBlocks(
  profile: CoinProfile,
  proofs: number,
): Generator<{ block: FetchedBlock; operations: number }> {
  const maker = createBlockMaker();
  const owners = Array.from({ length: 1 }, (_, i) => makeOwner(i));
  yield { block: maker.add([]), operations: 0 };
  yield { block: maker.add([fund(owners, sha256dOf(maker.height()))]), operations: 0 };
  for (let made = 0; made < proofs; ) {
    const txs: Transaction[] = [];
    for (let t = 0; t < 10 && made < proofs; t++) {
      const outputs: TxOutput[] = [];
      for (let o = 0; o < 500 && made < proofs; o++, made++) {
        outputs.push({ value: 0n, script: anchorScript(digestOf(made), profile.proofs.marker) });
      }
      txs.push(send(owners[0]!, outputs, []));
    }
    yield { block: maker.add(txs), operations: txs.reduce((sum, tx) => sum + tx.outputs.length - 1, 0) };
  }
}

/** The digest of a number. */
export function digestOf(number: number): Uint8Array {
  return sha256(Buffer.from(`proof ${number}`));
}

function makeOwner(number: number): Owner {
  const key = concatBytes(Uint8Array.of(2), hashBytes(Buffer.from(`owner ${number}`)));
  return { key, script: witnessScript(0, sha256(key).subarray(0, 20)), coins: [] };
}

/** Spends the coinbase of the block before to a coin for each owner. */
function fund(owners: readonly Owner[], coinbaseTxid: Uint8Array): Transaction {
  const tx: Transaction = {
    version: 2,
    inputs: [{ prevTxid: coinbaseTxid, prevVout: 0, scriptSig: new Uint8Array(0), sequence: 0, witness: [] }],
    outputs: owners.map(({ script }) => ({ value: OWNER_COIN, script })),
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
  const txid = txidOf(tx);
  for (const [vout, owner] of owners.entries()) owner.coins.push({ txid, vout, value: OWNER_COIN });
  return tx;
}

function sha256dOf(height: number): Uint8Array {
  return txidOf(coinbase(height));
}

/** A transaction of an owner's newest coin: the outputs, a little for each recipient, and change. */
function send(owner: Owner, outputs: readonly TxOutput[], recipients: readonly Owner[]): Transaction {
  const coin = owner.coins.pop()!;
  const gifts = recipients.map(({ script }) => ({ value: 1_000n, script }));
  const spent = [...outputs, ...gifts].reduce((sum, { value }) => sum + value, 0n);
  const change = { value: coin.value - spent - 200n, script: owner.script };
  const tx: Transaction = {
    version: 2,
    inputs: [
      {
        prevTxid: coin.txid,
        prevVout: coin.vout,
        scriptSig: new Uint8Array(0),
        sequence: 0xffff_fffd,
        witness: [shapedSignature(), owner.key],
      },
    ],
    outputs: [...outputs, ...gifts, change],
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
  owner.coins.push({ txid: txidOf(tx), vout: tx.outputs.length - 1, value: change.value });
  return tx;
}
