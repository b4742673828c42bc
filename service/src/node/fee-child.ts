import { bytesToHex, getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, serializeTransaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import type { FixedAnchor, SignedAnchor } from './anchor-wallet.ts';
import { findMempoolPackage, type MempoolPackage } from './mempool-entry.ts';
import type { NodeClient } from './rpc-client.ts';
import { signRaw } from './sign-raw.ts';

/** A smaller rise of the rate is not worth a transaction. */
const LEAST_RISE_PERCENT = 125n;
const SEQUENCE_FINAL = 0xffffffff;

/**
 * Makes a transaction that spends the change of one that waits, back to the same script, and pays so much that it, and all that the other one
 * builds on, pay twice the rate together: whoever mines it mines all of them. A replacement would not do: some coins' nodes take none, and what was
 * answered to clients would be gone. Undefined where another one builds on the change, or `most` leaves no room, or the node does not tell.
 *
 * @param most base units that all of them together may cost
 * @throws NodeError when the wallet cannot
 */
export async function makeFeeChild(
  client: NodeClient,
  parent: FixedAnchor,
  most: bigint,
  decimals: number,
): Promise<SignedAnchor | undefined> {
  const waiting = await findMempoolPackage(client, parent.txid, decimals);
  const change = findChange(parent.rawTxHex);
  if (waiting === undefined || waiting.descendants > 1 || change === undefined) return undefined;
  const sign = (fee: bigint) => signRaw(client, buildChild(parent.txid, change, fee));
  const { vsize } = await sign(0n);
  const fee = findFee(waiting, BigInt(vsize), most);
  if (fee === undefined || fee >= change.output.value) return undefined;
  const { rawTxHex, txid } = await sign(fee);
  return { rawTxHex, txid, coins: [`${parent.txid}:${change.vout}`] };
}

/** The fee of a child of this size; undefined where it would be too little to help. */
function findFee({ fees, vsize }: MempoolPackage, size: bigint, most: bigint): bigint | undefined {
  const before = BigInt(vsize);
  const wanted = fees + (2n * fees * size) / before + 1n;
  const fee = fees + wanted > most ? most - fees : wanted;
  const isRise = (fees + fee) * before * 100n >= fees * (before + size) * LEAST_RISE_PERCENT;
  return fee > 0n && isRise ? fee : undefined;
}

type Change = { vout: number; output: TxOutput };

/** The one output that can be spent. */
function findChange(rawTxHex: string): Change | undefined {
  const tx = parseTransaction(getHexBytes(rawTxHex));
  const found = (tx.ok ? tx.value.outputs : []).flatMap((output, vout) =>
    output.script[0] === OP_RETURN ? [] : [{ vout, output }],
  );
  return found.length === 1 ? found[0] : undefined;
}

function buildChild(parentTxid: string, { vout, output }: Change, fee: bigint): string {
  const prevTxid = getValue(parseDisplayHash(parentTxid));
  const none = new Uint8Array(0);
  const tx = {
    version: 2,
    inputs: [{ prevTxid, prevVout: vout, scriptSig: none, sequence: SEQUENCE_FINAL, witness: [] }],
    outputs: [{ value: output.value - fee, script: output.script }],
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
  return bytesToHex(serializeTransaction(tx, { witness: false }));
}
