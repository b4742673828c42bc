import { parseBlock, parseHeader, serializeBlock, serializeHeader } from '@coinfront/protocol/block.ts';
import { checkBlock } from '@coinfront/protocol/block-check.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { parseTransaction, transactionSizes, txidOf } from '@coinfront/protocol/transaction.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { demand, type FuzzTarget, hex } from '../target.ts';

const OUTPUT = `01${'00'.repeat(8)}00`;
const PLAIN_TX = hex(`0100000001${'00'.repeat(32)}ffffffff00ffffffff${OUTPUT}00000000`);
const WITNESS_TX = hex(`01000000000101${'11'.repeat(36)}00ffffffff${OUTPUT}02000000000000`);
/** Litecoin's integrating transaction, behind which an extension block stands. */
const HOGEX = hex(`02000000000801${'22'.repeat(32)}0000000000ffffffff${OUTPUT}0000000000`);
const AUXPOW_BIT = 0x100;

/** The first byte says whether the coin is merged-mined. */
export const blockTarget: FuzzTarget = {
  name: 'block',
  reads: 'raw blocks and headers, merged-mined and with an extension block',
  form: 'bytes',
  maxBytes: 4_096,
  seeds: [
    writeBlock([PLAIN_TX]),
    writeBlock([PLAIN_TX, WITNESS_TX]),
    writeBlock([PLAIN_TX, HOGEX], { behind: Uint8Array.of(1, 2, 3) }),
    writeBlock([PLAIN_TX, WITNESS_TX, HOGEX], { behind: Uint8Array.of(0) }),
    writeBlock([PLAIN_TX], { isMergedMined: true }),
  ],
  check(input) {
    const auxpow = input[0] === 1;
    const bytes = input.subarray(1);
    const header = parseHeader(bytes.subarray(0, 80));
    if (header.ok)
      demand(isSame(serializeHeader(header.value), bytes.subarray(0, 80)), 'headers are written as read');

    const scanned = scanBlock(bytes, { auxpow, sha256 });
    const parsed = parseBlock(bytes, { auxpow });
    if (parsed.ok) demand(isSame(serializeBlock(parsed.value), bytes), 'a block is written as it was read');
    if (!scanned.ok) return;
    const scan = scanned.value;
    checkBlock(scan, new Uint8Array(32));
    demand(parsed.ok, 'what is indexed can be parsed');
    demand(scan.txCount === parsed.value.transactions.length, 'both count the same transactions');
    for (const [i, tx] of parsed.value.transactions.entries()) {
      const { txid, weight, txOffset } = scan;
      demand(isSame(txidOf(tx), txid.subarray(32 * i, 32 * i + 32)), 'both find the same txid');
      demand(transactionSizes(tx).weight === weight[i], 'both find the same weight');
      const alone = parseTransaction(bytes.subarray(txOffset[i], txOffset[i + 1]));
      demand(alone.ok, 'each transaction that is stored can be parsed alone');
    }
  },
  growing: {
    transactions: (bytes) => writeBlock(repeat(PLAIN_TX, bytes)),
    'witness transactions': (bytes) => writeBlock([PLAIN_TX, ...repeat(WITNESS_TX, bytes)]),
    'extension block': (bytes) =>
      writeBlock([PLAIN_TX, HOGEX], { behind: new Uint8Array(Math.ceil(bytes)).fill(1) }),
  },
};

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a).equals(b);
}

function repeat(tx: Uint8Array, bytes: number): Uint8Array[] {
  return Array<Uint8Array>(Math.ceil(bytes / tx.length)).fill(tx);
}

function writeBlock(
  txs: readonly Uint8Array[],
  { behind, isMergedMined = false }: { behind?: Uint8Array; isMergedMined?: boolean } = {},
): Uint8Array {
  const writer = createWriter();
  writer.u8(isMergedMined ? 1 : 0);
  writer.i32(isMergedMined ? AUXPOW_BIT : 1);
  writer.bytes(new Uint8Array(76));
  if (isMergedMined) {
    writer.bytes(PLAIN_TX);
    writer.bytes(new Uint8Array(32));
    for (const steps of [1, 0]) {
      writer.compactSize(steps);
      writer.bytes(new Uint8Array(32 * steps));
      writer.u32(0);
    }
    writer.bytes(new Uint8Array(80));
  }
  writer.compactSize(txs.length);
  for (const tx of txs) writer.bytes(tx);
  if (behind) writer.bytes(behind);
  return writer.finish();
}
