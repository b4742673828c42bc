import { concatBytes, equalBytes } from '../bytes.ts';
import { hash160, sha256 } from '../hash.ts';
import { OP_RETURN } from '../opcodes.ts';
import { createReader } from '../reader.ts';
import { classifyScript, witnessScript } from '../script.ts';
import { parseTransaction, type Transaction } from '../transaction.ts';
import { buildToSign, type MessageClaim, withSatisfaction } from './bip322-transactions.ts';
import { checkSatisfaction } from './satisfaction.ts';
import { describeTimelock, findTimelock } from './timelock.ts';
import { fault, type MessageFault, type MessageVerdict, type SignatureForm } from './verdict.ts';

const COMPRESSED_KEY_BYTES = 33;
const EMPTY = new Uint8Array(0);

/** Verifies the simple form: `signature` is the witness stack of a `to_sign` with default values. */
export function verifyBip322Simple(signature: Uint8Array, claim: MessageClaim): MessageVerdict {
  const witness = parseWitness(signature);
  if (witness === undefined) return fault('malformed', 'the signature is not exactly one witness stack');
  const isNested = classifyScript(claim.script).kind === 'p2sh';
  const scriptSig = isNested ? nestedScriptSig(witness) : EMPTY;
  const toSign = withSatisfaction(buildToSign(claim), { scriptSig, witness });
  return judge(toSign, claim, 'bip322_simple');
}

/** Verifies the full form: `signature` is the whole `to_sign`, which may have a version and time locks. */
export function verifyBip322Full(signature: Uint8Array, claim: MessageClaim): MessageVerdict {
  const parsed = parseTransaction(signature);
  if (!parsed.ok) return fault('malformed', `the signature is not exactly one transaction: ${parsed.reason}`);
  const toSign = parsed.value;
  if (toSign.mweb !== undefined) return fault('malformed', 'the transaction has an extension (MWEB) part');
  return checkToSign(toSign, claim) ?? judge(toSign, claim, 'bip322_full');
}

/** What BIP-322 fixes of `to_sign`, beside what satisfies its input. */
function checkToSign(toSign: Transaction, claim: MessageClaim): MessageFault | undefined {
  if (toSign.inputs.length !== 1) {
    return fault('to_sign_inputs', `to_sign has one input, received ${toSign.inputs.length}`);
  }
  const expected = buildToSign(claim).inputs[0]!;
  const { prevTxid, prevVout } = toSign.inputs[0]!;
  if (prevVout !== 0 || !equalBytes(prevTxid, expected.prevTxid)) {
    return fault('to_spend', 'the signature is over another message, or for another address');
  }
  const [output, ...more] = toSign.outputs;
  const isFixed =
    output !== undefined &&
    output.value === 0n &&
    output.script.length === 1 &&
    output.script[0] === OP_RETURN;
  if (!isFixed || more.length > 0) {
    return fault(
      'to_sign_output',
      'to_sign has another output than one of value 0 with the script OP_RETURN',
    );
  }
  return undefined;
}

function judge(toSign: Transaction, { script }: MessageClaim, form: SignatureForm): MessageVerdict {
  const unsatisfied = checkSatisfaction({ tx: toSign, prevout: { value: 0n, script } });
  if (unsatisfied) return unsatisfied;
  if (toSign.version !== 0 && toSign.version !== 2) {
    return fault('version', `version ${toSign.version} of to_sign is kept for upgrades`);
  }
  const timelock = findTimelock(toSign);
  if (timelock === undefined) return { ok: true, state: 'valid', form };
  return { ok: false, state: 'timelocked', form, timelock, reason: describeTimelock(timelock) };
}

function parseWitness(bytes: Uint8Array): Uint8Array[] | undefined {
  const reader = createReader(bytes);
  const count = reader.count(1);
  const witness: Uint8Array[] = [];
  for (let i = 0; i < count && reader.failure === undefined; i++) witness.push(reader.varSlice());
  return reader.failure === undefined && reader.remaining === 0 ? witness : undefined;
}

/**
 * The scriptSig of nested segwit, which follows from the witness: the drafts of BIP-322 let the simple form leave
 * it out. Whether its program hashes to the address is checked with the rest.
 */
function nestedScriptSig(witness: readonly Uint8Array[]): Uint8Array {
  const last = witness.at(-1) ?? EMPTY;
  const isSingleKey = witness.length === 2 && last.length === COMPRESSED_KEY_BYTES;
  const program = witnessScript(0, isSingleKey ? hash160(last) : sha256(last));
  return concatBytes(Uint8Array.of(program.length), program);
}
