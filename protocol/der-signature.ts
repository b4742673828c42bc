const SIGHASH_NAMES: Record<number, string> = {
  1: 'ALL',
  2: 'NONE',
  3: 'SINGLE',
  129: 'ALL|ANYONECANPAY',
  130: 'NONE|ANYONECANPAY',
  131: 'SINGLE|ANYONECANPAY',
};

/**
 * Whether the bytes are an ECDSA signature in strict DER (BIP-66) with one sighash byte after it. The numbers
 * in it are not checked against the curve.
 */
export function isDerSignature(bytes: Uint8Array): boolean {
  const size = bytes.length;
  if (size < 9 || size > 73 || bytes[0] !== 0x30 || bytes[1] !== size - 3) return false;
  const rLength = bytes[3]!;
  if (5 + rLength >= size) return false;
  const sLength = bytes[5 + rLength]!;
  return (
    rLength + sLength + 7 === size &&
    isDerInteger(bytes, 2, rLength) &&
    isDerInteger(bytes, 4 + rLength, sLength)
  );
}

/** A positive integer, not longer than it needs to be, whose tag stands at the offset. */
function isDerInteger(bytes: Uint8Array, tagAt: number, length: number): boolean {
  const first = bytes[tagAt + 2]!;
  if (bytes[tagAt] !== 0x02 || length === 0 || (first & 0x80) !== 0) return false;
  return !(length > 1 && first === 0 && (bytes[tagAt + 3]! & 0x80) === 0);
}

/** The sighash of a DER signature as Core names it; undefined for anything else, and for undefined sighashes. */
export function findSighashName(bytes: Uint8Array): string | undefined {
  return isDerSignature(bytes) ? SIGHASH_NAMES[bytes.at(-1)!] : undefined;
}

/**
 * The numbers of a strict DER signature as 64 bytes, r then s; undefined for anything else, and for numbers over
 * 256 bits.
 */
export function compactDerSignature(bytes: Uint8Array): Uint8Array | undefined {
  if (!isDerSignature(bytes)) return undefined;
  const rLength = bytes[3]!;
  const r = bytes.subarray(4, 4 + rLength);
  const s = bytes.subarray(6 + rLength, bytes.length - 1);
  const compact = new Uint8Array(64);
  return setNumber(compact, 0, r) && setNumber(compact, 32, s) ? compact : undefined;
}

/** Puts a DER integer, without the zero that only keeps it positive, at the end of the 32 bytes from the offset. */
function setNumber(target: Uint8Array, offset: number, integer: Uint8Array): boolean {
  const digits = integer[0] === 0 ? integer.subarray(1) : integer;
  if (digits.length > 32) return false;
  target.set(digits, offset + 32 - digits.length);
  return true;
}
