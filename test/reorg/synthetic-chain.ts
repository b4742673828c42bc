import { parseHeader } from '@coinfront/protocol/block.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { concatBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import {
  serializeTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import fc from 'fast-check';
import { sha256 } from '../../service/src/indexer/encoding/hashes.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';
import { carrierScript, type OpenCoin, openScript, spendCoins } from '../harness/open-transactions.ts';
import { assembleBlock } from './assemble-block.ts';

/** A block that no node has seen, and all that can be spent after it. */
export type SyntheticBlock = {
  readonly fetched: FetchedBlock;
  readonly parent: SyntheticBlock | undefined;
  readonly coins: readonly OpenCoin[];
};

/** Choices from which a transaction is made, whatever there is to spend: numbers are taken modulo what they choose from. */
export type TxPlan = {
  readonly inputs: readonly number[];
  /** `script` chooses among few kinds, `share` how much of what is left is paid. */
  readonly outputs: readonly { readonly script: number; readonly share: number }[];
};

export type BlockPlan = {
  readonly coinbase: readonly { script: number; share: number }[];
  readonly txs: readonly TxPlan[];
};

const outputPlan = fc.record({ script: fc.nat(15), share: fc.nat(10) });

/** Plans of blocks: few scripts, so that most are paid again and again, and some only once. */
export function blockPlanArbitrary(txs: { minLength?: number; maxLength: number }): fc.Arbitrary<BlockPlan> {
  const tx = fc.record({
    inputs: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 3 }),
    outputs: fc.array(outputPlan, { minLength: 1, maxLength: 4 }),
  });
  return fc.record({
    coinbase: fc.array(outputPlan, { minLength: 1, maxLength: 3 }),
    txs: fc.array(tx, { size: 'max', ...txs }),
  });
}

const SUBSIDY = 2n ** 54n;
const LONG_SCRIPT = new Uint8Array(10_001).fill(0x51);

/**
 * Builds a block on another, right in all that the indexer looks at: links, ids, merkle root, prevouts; without work or
 * valid scripts, which are the node's affair.
 *
 * @param salt makes blocks of the same plan and parent differ
 */
export function buildBlock(
  parent: SyntheticBlock | undefined,
  plan: BlockPlan,
  salt: number,
): SyntheticBlock {
  const height = parent ? parent.fetched.height + 1 : 0;
  const coins = [...(parent?.coins ?? [])];
  const txs: Transaction[] = [];
  let made = 0;
  const makeScript = (choice: number): Uint8Array =>
    chooseScript(choice, height * 4_096 + salt * 256 + made++);

  const addTx = (tx: Transaction): void => {
    const txid = txidOf(tx);
    txs.push(tx);
    tx.outputs.forEach(({ value, script }, vout) => {
      if (height > 0 && !isUnspendable(script)) coins.push({ txid, vout, value });
    });
  };
  addTx({
    version: 1,
    inputs: [
      {
        prevTxid: new Uint8Array(32),
        prevVout: 0xffffffff,
        scriptSig: Uint8Array.of(2, height, height >>> 8, 1, salt),
        sequence: 0,
        witness: [],
      },
    ],
    outputs: divide(SUBSIDY, plan.coinbase, makeScript),
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  });
  for (const { inputs, outputs } of plan.txs) {
    const spent = inputs.flatMap((choice) =>
      coins.length === 0 ? [] : coins.splice(choice % coins.length, 1),
    );
    if (spent.length === 0) continue;
    const value = spent.reduce((sum, coin) => sum + coin.value, 0n);
    addTx(spendCoins(spent, divide(value, outputs, makeScript), salt).tx);
  }
  return {
    fetched: assembleBlock(parent?.fetched, {
      height,
      time: 1_600_000_000 + height * 60 + salt,
      nonce: salt,
      txs,
    }),
    parent,
    coins,
  };
}

/** Six scripts that come again and again, new ones, and those that cannot be spent or are odd. */
function chooseScript(choice: number, unique: number): Uint8Array {
  if (choice < 6) return openScript(choice);
  if (choice < 11) return openScript(1_000_000 + unique);
  if (choice === 11) return carrierScript('again');
  if (choice === 12) return carrierScript(`once ${unique}`);
  if (choice === 13) return new Uint8Array(0);
  if (choice === 14) return LONG_SCRIPT;
  return Uint8Array.of(0x51);
}

/** Pays tenths of what is left to one after another; what remains is the fee. */
function divide(
  value: bigint,
  plans: readonly { script: number; share: number }[],
  makeScript: (choice: number) => Uint8Array,
): TxOutput[] {
  let left = value;
  return plans.map(({ script, share }) => {
    const part = (left * BigInt(share)) / 10n;
    left -= part;
    return { value: part, script: makeScript(script) };
  });
}

/** A block like this one with a transaction that spends what nobody has. */
export function poisonBlock(block: SyntheticBlock): FetchedBlock {
  const { raw } = block.fetched.scan;
  const bad = spendCoins(
    [{ txid: new Uint8Array(32).fill(7), vout: 0, value: 1n }],
    [{ value: 1n, script: openScript(0) }],
  );
  const { scan, height, hash } = block.fetched;
  const writer = createWriter(16);
  writer.compactSize(scan.txCount + 1);
  const txs = raw.subarray(scan.txOffset[0]!, scan.txOffset[scan.txCount]!);
  const poisoned = concatBytes(
    raw.subarray(0, 80),
    writer.finish(),
    txs,
    serializeTransaction(bad.tx, { witness: true }),
  );
  getValue(parseHeader(poisoned.subarray(0, 80)));
  return { height, hash, scan: getValue(scanBlock(poisoned, { auxpow: false, sha256 })) };
}

/** The chain that ends with a block, from genesis on. */
export function chainOf(tip: SyntheticBlock | undefined): SyntheticBlock[] {
  const chain: SyntheticBlock[] = [];
  for (let block = tip; block; block = block.parent) chain.push(block);
  return chain.reverse();
}
