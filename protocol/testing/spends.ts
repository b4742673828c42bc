import { pubKeyHashScript, scriptHashScript } from '../address.ts';
import { concatBytes, getHexBytes } from '../bytes.ts';
import { buildCarrier } from '../carrier.ts';
import { hash160, sha256 } from '../hash.ts';
import type { PlacedTransaction } from '../operation.ts';
import { witnessScript } from '../script.ts';
import { type Transaction, type TxOutput, txidOf } from '../transaction.ts';
import { multisigScript, push } from './message-signer.ts';

// Spends that have the shape of real ones and no valid signature: what the sender's rule judges is the shape.

/** What spends an output. */
export type Spend = { scriptSig: Uint8Array; witness: Uint8Array[] };

/** An output that somebody owns, and the spend of it with a sighash byte. */
export type Owner = { name: string; script: Uint8Array; spend(sighash?: number): Spend };

const NONE = new Uint8Array(0);

/** A compressed public key's shape. */
export function shapedKey(seed: number): Uint8Array {
  return concatBytes(Uint8Array.of(2), sha256(Uint8Array.of(seed)));
}

/** The shape of a DER signature with its sighash byte. */
export function shapedSignature(sighash = 1): Uint8Array {
  return concatBytes(getHexBytes('3006020101020101'), Uint8Array.of(sighash));
}

/** An owner by P2PKH. */
export function p2pkhOwner(seed: number, key = shapedKey(seed)): Owner {
  return {
    name: 'p2pkh',
    script: pubKeyHashScript(hash160(key)),
    spend: (sighash) => ({ scriptSig: concatBytes(push(shapedSignature(sighash)), push(key)), witness: [] }),
  };
}

/** An owner by P2WPKH. */
export function p2wpkhOwner(seed: number, key = shapedKey(seed)): Owner {
  return {
    name: 'p2wpkh',
    script: witnessScript(0, hash160(key)),
    spend: (sighash) => ({ scriptSig: NONE, witness: [shapedSignature(sighash), key] }),
  };
}

/** An owner by P2SH-P2WPKH. */
export function nestedKeyOwner(seed: number): Owner {
  const inner = p2wpkhOwner(seed);
  return {
    name: 'p2sh-p2wpkh',
    script: scriptHashScript(hash160(inner.script)),
    spend: (sighash) => ({ ...inner.spend(sighash), scriptSig: push(inner.script) }),
  };
}

/** An owner by P2TR, key path; sighash 0 is DEFAULT. */
export function p2trOwner(seed: number): Owner {
  return {
    name: 'p2tr',
    script: witnessScript(1, sha256(Uint8Array.of(seed, 1))),
    spend: (sighash = 0) => ({
      scriptSig: NONE,
      witness: [concatBytes(new Uint8Array(64).fill(7), sighash === 0 ? NONE : Uint8Array.of(sighash))],
    }),
  };
}

/** An owner by 2-of-3 CHECKMULTISIG in P2SH, P2WSH or both. */
export function multisigOwner(seed: number, form: 'p2sh' | 'p2wsh' | 'p2sh-p2wsh'): Owner {
  const script = multisigScript(
    2,
    [seed, seed + 1, seed + 2].map((each) => shapedKey(each)),
  );
  const stack = (sighash?: number) => [NONE, shapedSignature(), shapedSignature(sighash), script];
  const inner = witnessScript(0, sha256(script));
  const name = `${form} multisig`;
  if (form === 'p2sh') {
    return {
      name,
      script: scriptHashScript(hash160(script)),
      spend: (sighash) => ({ scriptSig: concatBytes(...stack(sighash).map(push)), witness: [] }),
    };
  }
  const isNested = form === 'p2sh-p2wsh';
  return {
    name,
    script: isNested ? scriptHashScript(hash160(inner)) : inner,
    spend: (sighash) => ({ scriptSig: isNested ? push(inner) : NONE, witness: stack(sighash) }),
  };
}

/** One owner of every form that can be a sender. */
export function allOwners(seed: number): Owner[] {
  return [
    p2pkhOwner(seed),
    p2wpkhOwner(seed),
    nestedKeyOwner(seed),
    p2trOwner(seed),
    multisigOwner(seed, 'p2sh'),
    multisigOwner(seed, 'p2wsh'),
    multisigOwner(seed, 'p2sh-p2wsh'),
  ];
}

/** A transaction with one input; `nonce` makes its outpoint. */
export function shapedTransaction(spend: Spend, outputs: TxOutput[], nonce: number): Transaction {
  const prevTxid = sha256(Uint8Array.of(nonce & 0xff, (nonce >> 8) & 0xff, (nonce >> 16) & 0xff));
  return {
    version: 2,
    inputs: [{ prevTxid, prevVout: nonce & 0xff, sequence: 0xfffffffd, ...spend }],
    outputs,
    locktime: 0,
    hasWitness: spend.witness.length > 0,
    mweb: undefined,
  };
}

/** An output that carries a payload. */
export function carrierOutput(payload: Uint8Array): TxOutput {
  return { value: 0n, script: buildCarrier(payload) };
}

/** A transaction of an owner, in its place. */
export function placeTransaction(
  tx: Transaction,
  prevoutScript: Uint8Array | undefined,
  height: number,
  position: number,
): PlacedTransaction {
  return { tx, txid: txidOf(tx), height, position, prevoutScript };
}
