/** Opcodes that the program speaks of by name. */
export const OP_0 = 0x00;
export const OP_PUSHDATA1 = 0x4c;
export const OP_PUSHDATA2 = 0x4d;
export const OP_PUSHDATA4 = 0x4e;
export const OP_1NEGATE = 0x4f;
export const OP_1 = 0x51;
export const OP_16 = 0x60;
export const OP_RETURN = 0x6a;
export const OP_DUP = 0x76;
export const OP_EQUAL = 0x87;
export const OP_EQUALVERIFY = 0x88;
export const OP_HASH160 = 0xa9;
export const OP_CHECKSIG = 0xac;
export const OP_CHECKMULTISIG = 0xae;

const FIRST_NAMED = 0x61;

/** Names of the opcodes from 0x61 on, in order, as Bitcoin Core prints them. */
const NAMES = (
  'NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER ' +
  '2ROT 2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SUBSTR LEFT RIGHT SIZE INVERT AND OR ' +
  'XOR EQUAL EQUALVERIFY RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD ' +
  'LSHIFT RSHIFT BOOLAND BOOLOR NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL ' +
  'GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR CHECKSIG ' +
  'CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY NOP4 NOP5 ' +
  'NOP6 NOP7 NOP8 NOP9 NOP10 CHECKSIGADD'
).split(' ');

/** The name of an opcode that pushes no bytes that follow it, as Bitcoin Core prints it. */
export function opcodeName(opcode: number): string {
  if (opcode === OP_0) return '0';
  if (opcode === OP_1NEGATE) return '-1';
  if (opcode === 0x50) return 'OP_RESERVED';
  if (opcode >= OP_1 && opcode <= OP_16) return String(opcode - OP_1 + 1);
  if (opcode === 0xff) return 'OP_INVALIDOPCODE';
  const name = NAMES[opcode - FIRST_NAMED];
  return name === undefined ? 'OP_UNKNOWN' : `OP_${name}`;
}
