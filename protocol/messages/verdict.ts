/** How a signature was made: compact ECDSA, or BIP-322's witness stack or whole transaction. */
export type SignatureForm = 'bip137' | 'bip322_simple' | 'bip322_full';

/**
 * Every reason why a signature is not simply valid, with the rule in one sentence. `invalid`: a check failed.
 * `inconclusive`: the rules that were checked hold, but this verifier does not know them all.
 */
export const messageFaults = {
  address: { state: 'invalid', rule: 'The address is one of this coin.' },
  message: { state: 'invalid', rule: 'The message is well-formed Unicode of at most 65,536 bytes of UTF-8.' },
  signature_text: {
    state: 'invalid',
    rule: 'The signature is strict base64 of at most 16,384 characters, after smp, ful, pof or nothing.',
  },
  form: { state: 'invalid', rule: 'The form of the signature is one that the kind of address accepts.' },
  malformed: {
    state: 'invalid',
    rule: 'The decoded bytes are exactly one compact signature, witness stack or transaction.',
  },
  header: { state: 'invalid', rule: 'The first byte of a compact signature is 27 to 34.' },
  recovery: { state: 'invalid', rule: 'A public key can be recovered from a compact signature.' },
  to_sign_inputs: { state: 'invalid', rule: 'The transaction to_sign has exactly one input.' },
  to_spend: {
    state: 'invalid',
    rule: 'The input of to_sign spends output 0 of the to_spend of this message and address.',
  },
  to_sign_output: {
    state: 'invalid',
    rule: 'The transaction to_sign has exactly one output: value 0, script OP_RETURN.',
  },
  script_sig: {
    state: 'invalid',
    rule: 'The scriptSig is empty for segwit, and only the minimal pushes that the script takes otherwise.',
  },
  witness: { state: 'invalid', rule: 'The witness has exactly the elements that the script takes.' },
  script_hash: { state: 'invalid', rule: 'The redeem or witness script hashes to the address.' },
  minimal_push: { state: 'invalid', rule: 'Every push in a redeem or witness script is minimal.' },
  public_key: {
    state: 'invalid',
    rule: 'A public key is compressed, or uncompressed where there is no segwit; never hybrid.',
  },
  public_key_hash: { state: 'invalid', rule: 'The public key hashes to the address.' },
  signature_encoding: {
    state: 'invalid',
    rule: 'An ECDSA signature is strict DER with one sighash byte, a Schnorr signature has 64 or 65 bytes.',
  },
  sighash: { state: 'invalid', rule: 'The sighash type is ALL, in taproot DEFAULT or ALL.' },
  high_s: { state: 'invalid', rule: 'The s of an ECDSA signature in BIP-322 is at most half the order.' },
  multisig_dummy: { state: 'invalid', rule: 'The extra element that CHECKMULTISIG takes is empty.' },
  signature_mismatch: { state: 'invalid', rule: 'The signature is that of the key over this message.' },
  proof_of_funds: { state: 'inconclusive', rule: 'Proofs of funds (pof) are not verified here.' },
  script: {
    state: 'inconclusive',
    rule: 'The script is a single key or CHECKMULTISIG; no other script is run here.',
  },
  script_path: {
    state: 'inconclusive',
    rule: 'Taproot is signed on the key path; no script path is run here.',
  },
  annex: { state: 'inconclusive', rule: 'A taproot witness has no annex, which is reserved for upgrades.' },
  witness_version: {
    state: 'inconclusive',
    rule: 'The witness program is of version 0, or of version 1 and 32 bytes; others are for upgrades.',
  },
  version: { state: 'inconclusive', rule: 'The version of to_sign is 0 or 2; others are for upgrades.' },
} as const satisfies Record<string, { state: 'invalid' | 'inconclusive'; rule: string }>;

/** A code of {@link messageFaults}. */
export type MessageFaultCode = keyof typeof messageFaults;

/**
 * Why a signature is not valid. `reason` is one clause for people; of what was received it repeats at most numbers,
 * and the prefix of another network's address.
 */
export type MessageFault = {
  ok: false;
  state: 'invalid' | 'inconclusive';
  code: MessageFaultCode;
  reason: string;
};

/**
 * BIP-322's "time T and age S": what has to be true of the time of verification. Both undefined never occurs.
 * `notBefore` comes from nLockTime, `minAge`, counted from the confirmation of the coins, from nSequence (BIP-68).
 */
export type MessageTimelock = {
  notBefore: { height: number } | { unixSeconds: number } | undefined;
  minAge: { blocks: number } | { seconds: number } | undefined;
};

/**
 * What is known of a signed message. `ok` says the one thing most callers ask: it is valid, without condition. A
 * timelocked signature is right but holds only under its condition, which the caller has to judge.
 */
export type MessageVerdict =
  | { ok: true; state: 'valid'; form: SignatureForm }
  | { ok: false; state: 'timelocked'; form: SignatureForm; timelock: MessageTimelock; reason: string }
  | MessageFault;

/** A fault of one of the rules; the rule says whether it makes the signature invalid or inconclusive. */
export function fault(code: MessageFaultCode, reason: string): MessageFault {
  return { ok: false, state: messageFaults[code].state, code, reason };
}
