import { equalBytes } from '../bytes.ts';
import { compactDerSignature, isDerSignature } from '../der-signature.ts';
import { hash160 } from '../hash.ts';
import { minimalPushPayload, readScriptOp } from '../script-ops.ts';
import { hasHighS, verifyEcdsa } from '../secp256k1.ts';
import { SIGHASH_ALL } from '../sighash.ts';
import { fault, type MessageFault } from './verdict.ts';

/** A CHECKMULTISIG script that was recognised, with the digest that signatures in it sign. */
export type MultisigRun = {
  publicKeys: readonly Uint8Array[];
  required: number;
  scriptBytes: Uint8Array;
  digest: Uint8Array;
  isSegwit: boolean;
};

/** Checks the form of a public key: compressed, or (outside segwit) uncompressed. */
export function checkPublicKey(
  publicKey: Uint8Array,
  { isSegwit }: { isSegwit: boolean },
): MessageFault | undefined {
  const prefix = publicKey[0];
  if (publicKey.length === 33 && (prefix === 2 || prefix === 3)) return undefined;
  if (publicKey.length === 65 && prefix === 4) {
    return isSegwit ? fault('public_key', 'a public key in segwit has to be compressed') : undefined;
  }
  return fault('public_key', `a public key has another form: ${publicKey.length} bytes`);
}

/** Checks the form of a signature as scripts have it: strict DER, a low s, and ALL as its sighash. */
export function checkSignatureForm(signature: Uint8Array): MessageFault | undefined {
  if (!isDerSignature(signature)) {
    return fault('signature_encoding', 'an ECDSA signature is not strict DER with one sighash byte');
  }
  const sighash = signature.at(-1)!;
  if (sighash !== SIGHASH_ALL) return fault('sighash', `the sighash has to be ALL (1), received ${sighash}`);
  const compact = compactDerSignature(signature);
  if (compact === undefined)
    return fault('signature_encoding', 'an ECDSA signature has a number over 256 bits');
  return hasHighS(compact)
    ? fault('high_s', 'the s of an ECDSA signature is over half the order')
    : undefined;
}

/** Whether a signature, whose form was checked, is that of the key over the digest. */
export function isSignatureOf(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  const compact = compactDerSignature(signature);
  return compact !== undefined && verifyEcdsa(compact, digest, publicKey);
}

/** What every check of a single key or of several comes to when the signature is not theirs. */
export function mismatch(): MessageFault {
  return fault(
    'signature_mismatch',
    'the signature is of another key, or over another message or transaction',
  );
}

/** Checks a stack of signature, then public key (whose hash is given). */
export function checkSingleKey(
  stack: readonly Uint8Array[],
  { hash, digest, isSegwit }: { hash: Uint8Array; digest: Uint8Array; isSegwit: boolean },
): MessageFault | undefined {
  const [signature, publicKey] = stack as [Uint8Array, Uint8Array];
  const malformed = checkPublicKey(publicKey, { isSegwit }) ?? checkSignatureForm(signature);
  if (malformed) return malformed;
  if (!equalBytes(hash160(publicKey), hash)) {
    return fault('public_key_hash', 'the public key does not hash to the address');
  }
  return isSignatureOf(signature, digest, publicKey) ? undefined : mismatch();
}

/** Checks a stack of the empty dummy, then exactly the signatures that the script requires, in its keys' order. */
export function checkMultisig(
  stack: readonly Uint8Array[],
  { publicKeys, required, scriptBytes, digest, isSegwit }: MultisigRun,
): MessageFault | undefined {
  const [dummy, ...signatures] = stack;
  if (dummy === undefined || signatures.length !== required) {
    const place = isSegwit ? 'witness' : 'script_sig';
    return fault(place, `CHECKMULTISIG takes one empty element and ${required} signatures`);
  }
  if (dummy.length > 0) return fault('multisig_dummy', 'the extra element of CHECKMULTISIG is not empty');
  if (!hasMinimalPushes(scriptBytes))
    return fault('minimal_push', 'the script has a push that is not minimal');
  for (const publicKey of publicKeys) {
    const malformed = checkPublicKey(publicKey, { isSegwit });
    if (malformed) return malformed;
  }
  for (const signature of signatures) {
    const malformed = checkSignatureForm(signature);
    if (malformed) return malformed;
  }
  let matched = 0;
  for (const publicKey of publicKeys) {
    if (matched < required && isSignatureOf(signatures[matched]!, digest, publicKey)) matched += 1;
  }
  return matched === required ? undefined : mismatch();
}

/** Whether every push of bytes in the script is the shortest of those bytes. */
function hasMinimalPushes(script: Uint8Array): boolean {
  let at = 0;
  while (at < script.length) {
    const op = readScriptOp(script, at);
    if (op === undefined || (op.data !== undefined && minimalPushPayload(op) === undefined)) return false;
    at = op.next;
  }
  return true;
}
