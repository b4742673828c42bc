/** Scripts in words. They are untrusted: however long one is, a bounded part of it is read, and a bounded number of sentences is said. */

import { opcodeName } from '@coinfront/protocol/opcodes.ts';
import { classifyScript, findMultisig } from '@coinfront/protocol/script.ts';
import { readScriptOp, type ScriptOp } from '@coinfront/protocol/script-ops.ts';
import { t } from '../language/messages.ts';
import { formatCount, formatCountOf, formatDecimal } from './number.ts';
import { formatExact, type Zone } from './time.ts';

/** Consensus runs nothing longer, but for taproot, whose scripts are read up to here. */
const MOST_BYTES = 10_000;
const MOST_OPS = 2_000;
const MOST_SENTENCES = 12;
const LOCKTIME_IS_TIME = 500_000_000;
const SEQUENCE_OFF = 2 ** 31;
const SEQUENCE_IS_TIME = 1 << 22;
const SEQUENCE_STEP_S = 512;
const KEY_BYTES = [32, 33, 65];

/** One step with the number that it pushes, where it is one. */
type Step = { name: string; data: Uint8Array | undefined; number: number | undefined };

/** What a scriptPubKey asks of who spends it; nothing of kinds that their address explains. @param zone that times are written in */
export function explainOutput(script: Uint8Array, zone: Zone): string[] {
  const info = classifyScript(script);
  switch (info.kind) {
    case 'p2pk':
      return [t('One key must sign; it stands in the output itself.')];
    case 'p2sh':
    case 'p2wsh':
      return [t('Pays to the hash of a script. The script is shown when it is spent.')];
    case 'p2tr':
      return [t('Taproot: spent by one signature, or by one of its scripts, which is shown then.')];
    case 'p2a':
      return [t('Anchor: anybody can spend it, to pay for the transaction with a child.')];
    case 'witness_unknown':
      return [
        t('Witness program of version {version}, which is not explained here.', { version: info.version }),
      ];
    case 'multisig':
    case 'nonstandard':
      return explainScript(script, zone);
    default:
      return [];
  }
}

/** What a script asks for that runs: of an output, or behind a hash. */
export function explainScript(script: Uint8Array, zone: Zone): string[] {
  if (script.length > MOST_BYTES)
    return [t('A script of {count} bytes, too long to be explained.', { count: formatCount(script.length) })];
  const multisig = findMultisig(script);
  if (multisig !== undefined) return [sayKeys(multisig.required, multisig.publicKeys.length)];
  const steps = readSteps(script);
  if (steps === undefined) return [t('The script is not well formed.')];
  const sentences = new Set<string>();
  if (steps.some(({ name }) => name === 'IF' || name === 'NOTIF'))
    sentences.add(t('There are several ways to spend it: one of them is enough.'));
  for (const [at, step] of steps.entries()) {
    const sentence = explainStep(steps, at, step, zone);
    if (sentence !== undefined) sentences.add(sentence);
    if (sentences.size === MOST_SENTENCES) break;
  }
  return [...sentences];
}

function explainStep(steps: readonly Step[], at: number, { name }: Step, zone: Zone): string | undefined {
  const before = steps[at - 1];
  switch (name) {
    case 'CHECKLOCKTIMEVERIFY':
      return sayLocktime(before?.number, zone);
    case 'CHECKSEQUENCEVERIFY':
      return saySequence(before?.number);
    case 'CHECKMULTISIG':
    case 'CHECKMULTISIGVERIFY':
      return sayMultisig(steps, at);
    case 'NUMEQUAL':
    case 'NUMEQUALVERIFY':
    case 'GREATERTHANOREQUAL':
      return sayAddedKeys(steps, at);
    case 'SHA256':
    case 'HASH256':
    case 'HASH160':
    case 'RIPEMD160':
      // A key is named by its hash in the same way; it says DUP first.
      return steps[at + 2]?.name.startsWith('EQUAL') && before?.name !== 'DUP'
        ? t('The preimage of a {name} hash must be shown.', { name })
        : undefined;
    case 'CHECKSIG':
    case 'CHECKSIGVERIFY':
      return steps.some((step) => step.name === 'CHECKSIGADD') ? undefined : t('A signature is needed.');
    default:
      return undefined;
  }
}

/** `m keys n CHECKMULTISIG`. */
function sayMultisig(steps: readonly Step[], at: number): string | undefined {
  const count = steps[at - 1]?.number;
  const required = count === undefined ? undefined : steps[at - 2 - count]?.number;
  if (count === undefined || required === undefined || required > count) return undefined;
  const keys = steps.slice(at - 1 - count, at - 1);
  return keys.length === count && keys.every(isKey) ? sayKeys(required, count) : undefined;
}

/** `key CHECKSIG key CHECKSIGADD … m NUMEQUAL`, as taproot has it. */
function sayAddedKeys(steps: readonly Step[], at: number): string | undefined {
  const required = steps[at - 1]?.number;
  let count = 0;
  for (let i = at - 2; i >= 1 && steps[i]!.name === 'CHECKSIGADD' && isKey(steps[i - 1]!); i -= 2) count += 1;
  const first = steps[at - 2 - 2 * count];
  if (count === 0 || required === undefined || first?.name !== 'CHECKSIG') return undefined;
  return sayKeys(required, count + 1);
}

function isKey({ data }: Step): boolean {
  return data !== undefined && KEY_BYTES.includes(data.length);
}

function sayKeys(required: number, count: number): string {
  return t('{required} of {count} keys must sign (multisig).', { required, count });
}

function sayLocktime(locktime: number | undefined, zone: Zone): string | undefined {
  if (locktime === undefined || locktime < 0) return undefined;
  if (locktime < LOCKTIME_IS_TIME) return t('Not before block {height}.', { height: formatCount(locktime) });
  return t('Not before {time}.', { time: formatExact(new Date(locktime * 1_000).toISOString(), zone) });
}

function saySequence(sequence: number | undefined): string | undefined {
  if (sequence === undefined || sequence < 0 || sequence >= SEQUENCE_OFF) return undefined;
  const value = sequence & 0xffff;
  if ((sequence & SEQUENCE_IS_TIME) === 0)
    return t('Not before {length} after the output was mined.', { length: formatCountOf(value, 'block') });
  const hours = (value * SEQUENCE_STEP_S) / 3_600;
  const length =
    hours < 48
      ? t('{count} hours', { count: formatDecimal(hours.toFixed(1)) })
      : t('{count} days', { count: formatDecimal((hours / 24).toFixed(1)) });
  return t('Not before {length} after the output was mined.', { length });
}

function readSteps(script: Uint8Array): Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < script.length && steps.length < MOST_OPS; ) {
    const op = readScriptOp(script, at);
    if (op === undefined) return undefined;
    steps.push({ name: opcodeName(op.opcode).replace(/^OP_/, ''), data: op.data, number: readNumber(op) });
    at = op.next;
  }
  return steps;
}

/** The number that a step pushes: little endian, the top bit of the last byte is the sign; five bytes at most. */
function readNumber({ opcode, data }: ScriptOp): number | undefined {
  if (opcode >= 0x51 && opcode <= 0x60) return opcode - 0x50;
  if (data === undefined || data.length > 5) return undefined;
  const last = data.at(-1) ?? 0;
  const magnitude = data.reduce(
    (sum, byte, i) => sum + (i === data.length - 1 ? byte & 0x7f : byte) * 256 ** i,
    0,
  );
  return (last & 0x80) === 0 ? magnitude : -magnitude;
}
