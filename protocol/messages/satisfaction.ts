import { pubKeyHashScript } from '../address.ts';
import { equalBytes } from '../bytes.ts';
import { hash160, sha256 } from '../hash.ts';
import { classifyScript, type ScriptInfo } from '../script.ts';
import { minimalPushPayload, readScriptOp } from '../script-ops.ts';
import { verifySchnorr } from '../secp256k1.ts';
import {
  legacySighashAll,
  SIGHASH_ALL,
  SIGHASH_DEFAULT,
  segwitSighashAll,
  taprootKeySighash,
} from '../sighash.ts';
import type { Transaction, TxOutput } from '../transaction.ts';
import { checkMultisig, checkSingleKey, mismatch } from './ecdsa-rules.ts';
import { fault, type MessageFault } from './verdict.ts';

/** Longest element that a script may push. */
const MAX_ELEMENT_BYTES = 520;
/** Longest script that is run, also as witness script. */
const MAX_SCRIPT_BYTES = 10_000;
const TAPROOT_ANNEX_TAG = 0x50;

/** A transaction whose only input spends the output. */
export type Spend = { tx: Transaction; prevout: TxOutput };

/**
 * Checks that the only input satisfies the output it spends by BIP-322's required rules: undefined when it does.
 * Known are single keys (P2PKH, P2WPKH, P2SH-P2WPKH, the key path of P2TR) and CHECKMULTISIG in P2SH, P2WSH and
 * P2SH-P2WSH; everything else is inconclusive. At most 20 signatures are verified.
 */
export function checkSatisfaction({ tx, prevout }: Spend): MessageFault | undefined {
  const info = classifyScript(prevout.script);
  const { scriptSig, witness } = tx.inputs[0]!;
  if (info.kind === 'p2pkh') return checkPubKeyHash(tx, prevout.script, info.hash);
  if (info.kind === 'p2sh') return checkScriptHash(tx, prevout, info.hash);
  if (info.kind === 'p2wpkh' || info.kind === 'p2wsh' || info.kind === 'p2tr') {
    if (scriptSig.length > 0)
      return fault('script_sig', 'the scriptSig of a native segwit input is not empty');
    return info.kind === 'p2tr'
      ? checkTaproot(tx, prevout, info.outputKey, witness)
      : checkWitnessV0(tx, prevout.value, info);
  }
  if (info.kind === 'witness_unknown' || info.kind === 'p2a') {
    return fault('witness_version', 'the address is a witness program that is kept for upgrades');
  }
  return fault('script', 'the address has a script that is not run here');
}

function checkPubKeyHash(tx: Transaction, script: Uint8Array, hash: Uint8Array): MessageFault | undefined {
  const { scriptSig, witness } = tx.inputs[0]!;
  const pushes = readMinimalPushes(scriptSig);
  if (pushes?.length !== 2) {
    return fault('script_sig', 'the scriptSig for P2PKH is not two minimal pushes, signature and public key');
  }
  if (witness.length > 0) return fault('witness', 'an input without segwit has a witness');
  const digest = legacySighashAll(tx, 0, script);
  return checkSingleKey(pushes, { hash, digest, isSegwit: false });
}

function checkScriptHash(tx: Transaction, prevout: TxOutput, hash: Uint8Array): MessageFault | undefined {
  const { scriptSig, witness } = tx.inputs[0]!;
  const pushes = readMinimalPushes(scriptSig);
  if (pushes === undefined || pushes.some(({ length }) => length > MAX_ELEMENT_BYTES)) {
    return fault('script_sig', 'the scriptSig for P2SH is not only minimal pushes of up to 520 bytes');
  }
  const redeemScript = pushes.pop();
  if (redeemScript === undefined) return fault('script_sig', 'the scriptSig for P2SH is empty');
  if (!equalBytes(hash160(redeemScript), hash)) {
    return fault('script_hash', 'the redeem script does not hash to the address');
  }
  const script = classifyScript(redeemScript);
  if (script.kind === 'p2wpkh' || script.kind === 'p2wsh') {
    if (pushes.length > 0)
      return fault('script_sig', 'the scriptSig of nested segwit has more than one push');
    return checkWitnessV0(tx, prevout.value, script);
  }
  if (script.kind !== 'multisig')
    return fault('script', 'the address has a redeem script that is not run here');
  if (witness.length > 0) return fault('witness', 'an input without segwit has a witness');
  const digest = legacySighashAll(tx, 0, redeemScript);
  return checkMultisig(pushes, { ...script, scriptBytes: redeemScript, digest, isSegwit: false });
}

function checkWitnessV0(
  tx: Transaction,
  value: bigint,
  program: Extract<ScriptInfo, { hash: Uint8Array }>,
): MessageFault | undefined {
  const { witness } = tx.inputs[0]!;
  if (program.kind === 'p2wpkh') {
    if (witness.length !== 2) {
      return fault('witness', `the witness for P2WPKH has 2 elements, received ${witness.length}`);
    }
    const digest = segwitSighashAll(tx, 0, { scriptCode: pubKeyHashScript(program.hash), value });
    return checkSingleKey(witness, { hash: program.hash, digest, isSegwit: true });
  }
  const scriptBytes = witness.at(-1);
  if (scriptBytes === undefined || scriptBytes.length > MAX_SCRIPT_BYTES) {
    return fault('witness', 'the witness for P2WSH does not end in a script of up to 10,000 bytes');
  }
  if (!equalBytes(sha256(scriptBytes), program.hash)) {
    return fault('script_hash', 'the witness script does not hash to the address');
  }
  const script = classifyScript(scriptBytes);
  if (script.kind !== 'multisig')
    return fault('script', 'the address has a witness script that is not run here');
  const digest = segwitSighashAll(tx, 0, { scriptCode: scriptBytes, value });
  return checkMultisig(witness.slice(0, -1), { ...script, scriptBytes, digest, isSegwit: true });
}

function checkTaproot(
  tx: Transaction,
  prevout: TxOutput,
  outputKey: Uint8Array,
  witness: readonly Uint8Array[],
): MessageFault | undefined {
  const [signature] = witness;
  if (signature === undefined) return fault('witness', 'the witness for P2TR is empty');
  if (witness.length > 1) {
    return witness.at(-1)![0] === TAPROOT_ANNEX_TAG
      ? fault('annex', 'the witness has an annex, which is reserved for upgrades')
      : fault('script_path', 'the witness takes a script path, which is not run here');
  }
  if (signature.length !== 64 && signature.length !== 65) {
    return fault(
      'signature_encoding',
      `a Schnorr signature has 64 or 65 bytes, received ${signature.length}`,
    );
  }
  const hashType = signature.length === 64 ? SIGHASH_DEFAULT : SIGHASH_ALL;
  if (signature.length === 65 && signature[64] !== SIGHASH_ALL) {
    return fault('sighash', `the sighash has to be DEFAULT or ALL (1), received ${signature[64]}`);
  }
  const digest = taprootKeySighash(tx, 0, [prevout], hashType);
  return verifySchnorr(signature.subarray(0, 64), digest, outputKey) ? undefined : mismatch();
}

/** What a script of minimal pushes puts on the stack; undefined for any other script. */
function readMinimalPushes(script: Uint8Array): Uint8Array[] | undefined {
  const pushes: Uint8Array[] = [];
  let at = 0;
  while (at < script.length) {
    const op = readScriptOp(script, at);
    const payload = op && minimalPushPayload(op);
    if (op === undefined || payload === undefined) return undefined;
    pushes.push(payload);
    at = op.next;
  }
  return pushes;
}
