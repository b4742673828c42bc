import { listRawOutputs } from '@coinfront/protocol/raw-outputs.ts';
import { signalsReplaceability } from '@coinfront/protocol/relay-rules.ts';
import { findSender } from '@coinfront/protocol/sender.ts';
import { allOwners, shapedTransaction } from '@coinfront/protocol/testing/spends.ts';
import {
  isCoinbase,
  isHogEx,
  parseTransaction,
  serializeTransaction,
  transactionSizes,
  txidOf,
  wtxidOf,
} from '@coinfront/protocol/transaction.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { demand, type FuzzTarget, hex } from '../target.ts';

const outputs = [
  { value: 5_000n, script: hex(`0014${'11'.repeat(20)}`) },
  { value: 0n, script: hex('6a0401020304') },
];

const seeds = allOwners(1).map((owner, i) =>
  serializeTransaction(shapedTransaction(owner.spend(), outputs, i), { witness: true }),
);

/** A raw transaction, as a node or a client sends it. */
export const transactionTarget: FuzzTarget = {
  name: 'transaction',
  reads: 'raw transactions',
  form: 'bytes',
  maxBytes: 4_096,
  seeds: [...seeds, hex(`02000000000801${'00'.repeat(60)}`)],
  check(input) {
    const parsed = parseTransaction(input);
    if (!parsed.ok) return;
    const tx = parsed.value;
    demand(
      Buffer.from(serializeTransaction(tx, { witness: true })).equals(input),
      'a transaction is written as it was read',
    );
    const sizes = transactionSizes(tx);
    demand(sizes.strippedSize <= sizes.size && sizes.size <= input.length, 'no size passes the bytes');
    if (!tx.hasWitness && tx.mweb === undefined)
      demand(Buffer.from(txidOf(tx)).equals(wtxidOf(tx)), 'without witness both ids are one');
    // What is stored are transactions of blocks, which have no extension of their own.
    if (tx.mweb === undefined) {
      const again = listRawOutputs(input);
      demand(
        again.length === tx.outputs.length &&
          again.every(({ value, script }, i) => {
            const output = tx.outputs[i]!;
            return value === output.value && Buffer.from(script).equals(output.script);
          }),
        'both readers of outputs agree',
      );
    }
    signalsReplaceability(tx);
    isHogEx(tx);
    if (!isCoinbase(tx)) for (const { script } of tx.outputs) findSender(tx, script);
  },
  growing: {
    inputs: (bytes) => build(bytes / 41, 1),
    outputs: (bytes) => build(1, bytes / 9),
    'witness items': (bytes) => buildWitness(bytes),
  },
};

function build(inputs: number, outputCount: number): Uint8Array {
  const writer = createWriter();
  writer.u32(2);
  const spends = Math.max(1, Math.floor(inputs));
  writer.compactSize(spends);
  for (let i = 0; i < spends; i++) {
    writer.bytes(new Uint8Array(36).fill(i));
    writer.u8(0);
    writer.u32(i);
  }
  const payments = Math.max(1, Math.floor(outputCount));
  writer.compactSize(payments);
  for (let i = 0; i < payments; i++) {
    writer.u64(BigInt(i));
    writer.u8(0);
  }
  writer.u32(0);
  return writer.finish();
}

function buildWitness(bytes: number): Uint8Array {
  const writer = createWriter();
  writer.u32(2);
  writer.u16(0x0100);
  writer.u8(1);
  writer.bytes(new Uint8Array(36).fill(1));
  writer.u8(0);
  writer.u32(0);
  writer.u8(1);
  writer.u64(0n);
  writer.u8(0);
  writer.compactSize(bytes);
  writer.bytes(new Uint8Array(bytes));
  writer.u32(0);
  return writer.finish();
}
