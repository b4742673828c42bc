import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { OP_0, OP_1, OP_1NEGATE, OP_16, OP_PUSHDATA4, opcodeName } from '@coinfront/protocol/opcodes.ts';
import { readScriptOp } from '@coinfront/protocol/script-ops.ts';

const pushNames = ['OP_PUSHDATA1', 'OP_PUSHDATA2', 'OP_PUSHDATA4'];

/** Names that Esplora writes shorter than Core. */
const shortNames: Readonly<Record<string, string>> = {
  OP_CHECKLOCKTIMEVERIFY: 'OP_CLTV',
  OP_CHECKSEQUENCEVERIFY: 'OP_CSV',
};

/** A script in Esplora's words, which say how each push is encoded. */
export function disassembleForEsplora(script: Uint8Array): string {
  const words: string[] = [];
  for (let at = 0; at < script.length; ) {
    const op = readScriptOp(script, at);
    if (op === undefined) {
      words.push('<push past end>');
      break;
    }
    words.push(nameOf(op.opcode));
    if (op.data !== undefined && op.opcode !== OP_0) words.push(bytesToHex(op.data));
    at = op.next;
  }
  return words.join(' ');
}

function nameOf(opcode: number): string {
  if (opcode === OP_0) return 'OP_0';
  if (opcode === OP_1NEGATE) return 'OP_PUSHNUM_NEG1';
  if (opcode >= OP_1 && opcode <= OP_16) return `OP_PUSHNUM_${opcode - OP_1 + 1}`;
  if (opcode <= OP_PUSHDATA4) return pushNames[opcode - OP_PUSHDATA4 + 2] ?? `OP_PUSHBYTES_${opcode}`;
  const name = opcodeName(opcode);
  return shortNames[name] ?? name;
}
