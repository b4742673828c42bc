import { OP_1, OP_1NEGATE, OP_16, OP_PUSHDATA1, OP_PUSHDATA2, OP_PUSHDATA4 } from './opcodes.ts';

/** One step of a script: its opcode, the bytes it pushes (undefined for all others), and where the next begins. */
export type ScriptOp = { opcode: number; data: Uint8Array | undefined; next: number };

/** The operation at an offset; undefined at the end and where a push runs over the end. */
export function readScriptOp(script: Uint8Array, offset: number): ScriptOp | undefined {
  const opcode = script[offset];
  if (opcode === undefined) return undefined;
  const body = offset + 1;
  if (opcode > OP_PUSHDATA4) return { opcode, data: undefined, next: body };
  if (opcode < OP_PUSHDATA1) return readPush(script, opcode, body, opcode);

  const lengthBytes = opcode === OP_PUSHDATA1 ? 1 : opcode === OP_PUSHDATA2 ? 2 : 4;
  if (body + lengthBytes > script.length) return undefined;
  let length = 0;
  for (let i = lengthBytes - 1; i >= 0; i--) length = length * 256 + script[body + i]!;
  return readPush(script, opcode, body + lengthBytes, length);
}

function readPush(script: Uint8Array, opcode: number, start: number, length: number): ScriptOp | undefined {
  const next = start + length;
  return next > script.length ? undefined : { opcode, data: script.subarray(start, next), next };
}

/** Whether the rest of a script is well-formed and only pushes (OP_RESERVED counts as one, as in Core). */
export function isPushOnly(script: Uint8Array, offset = 0): boolean {
  let at = offset;
  while (at < script.length) {
    const op = readScriptOp(script, at);
    if (op === undefined || op.opcode > OP_16) return false;
    at = op.next;
  }
  return true;
}

/** What the last operation of a script pushes; undefined where it pushes nothing, or the script is cut short. The redeem script of a P2SH input. */
export function findLastPush(script: Uint8Array): Uint8Array | undefined {
  let data: Uint8Array | undefined;
  for (let at = 0; at < script.length; ) {
    const op = readScriptOp(script, at);
    if (op === undefined) return undefined;
    data = op.data;
    at = op.next;
  }
  return data;
}

/**
 * What one operation puts on the stack when it is the shortest push of those bytes (BIP-62 rule 3), else
 * undefined: small numbers by their own opcodes, up to 75 bytes directly, above by the shortest PUSHDATA.
 */
export function minimalPushPayload({ opcode, data }: ScriptOp): Uint8Array | undefined {
  if (opcode === OP_1NEGATE) return Uint8Array.of(0x81);
  if (opcode >= OP_1 && opcode <= OP_16) return Uint8Array.of(opcode - OP_1 + 1);
  if (data === undefined) return undefined;
  return opcode === shortestPushOpcode(data) ? data : undefined;
}

function shortestPushOpcode(data: Uint8Array): number {
  const first = data[0];
  if (data.length === 1 && first === 0x81) return OP_1NEGATE;
  if (data.length === 1 && first! >= 1 && first! <= 16) return OP_1 + first! - 1;
  if (data.length < OP_PUSHDATA1) return data.length;
  if (data.length <= 0xff) return OP_PUSHDATA1;
  return data.length <= 0xffff ? OP_PUSHDATA2 : OP_PUSHDATA4;
}
