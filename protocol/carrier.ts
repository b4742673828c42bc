import { startsWithBytes } from './bytes.ts';
import { OP_1NEGATE, OP_16, OP_PUSHDATA1, OP_RETURN } from './opcodes.ts';
import { minimalPushPayload, readScriptOp } from './script-ops.ts';
import type { TxOutput } from './transaction.ts';

/** Longest payload of a data carrier, in bytes. */
export const MAX_CARRIER_BYTES = 80;

/**
 * The payload of a data carrier (docs/protocols/carrier.md): `6a`, exactly one minimal push of at most 80 bytes,
 * and nothing after it. Anything else carries nothing: also OP_1 to OP_16 and OP_1NEGATE, which push no bytes of
 * their own, and the one-byte pushes that those replace, which are not minimal.
 *
 * @returns a view on the script
 */
export function readCarrier(script: Uint8Array): Uint8Array | undefined {
  if (script[0] !== OP_RETURN || script.length > MAX_CARRIER_BYTES + 3) return undefined;
  const op = readScriptOp(script, 1);
  if (op === undefined || op.next !== script.length) return undefined;
  if (op.opcode >= OP_1NEGATE && op.opcode <= OP_16) return undefined;
  const payload = minimalPushPayload(op);
  return payload && payload.length <= MAX_CARRIER_BYTES ? payload : undefined;
}

/**
 * The data-carrier script of a payload.
 * @throws RangeError outside 2 to 80 bytes (no script carries some payloads of one byte, and no protocol needs one).
 */
export function buildCarrier(payload: Uint8Array): Uint8Array {
  if (payload.length < 2 || payload.length > MAX_CARRIER_BYTES) {
    throw new RangeError(`a data carrier takes 2 to ${MAX_CARRIER_BYTES} bytes, received ${payload.length}`);
  }
  const push =
    payload.length < OP_PUSHDATA1
      ? Uint8Array.of(payload.length)
      : Uint8Array.of(OP_PUSHDATA1, payload.length);
  return Uint8Array.of(OP_RETURN, ...push, ...payload);
}

/** What the outputs of a transaction carry for one protocol. The payload begins with the marker. */
export type FoundPayload =
  | { kind: 'none' }
  | { kind: 'one'; vout: number; payload: Uint8Array }
  | { kind: 'several'; vouts: number[] };

/** Looks for the outputs whose payload begins with a protocol's marker (4 bytes). */
export function findPayload(outputs: readonly TxOutput[], marker: Uint8Array): FoundPayload {
  let found: FoundPayload = { kind: 'none' };
  for (let vout = 0; vout < outputs.length; vout++) {
    const payload = readCarrier(outputs[vout]!.script);
    if (payload === undefined || !startsWithBytes(payload, marker)) continue;
    if (found.kind === 'none') found = { kind: 'one', vout, payload };
    else if (found.kind === 'one') found = { kind: 'several', vouts: [found.vout, vout] };
    else found.vouts.push(vout);
  }
  return found;
}
