/**
 * Segwit addresses as text: BIP-173 for version 0, BIP-350 for all others. Answers name an address for each output that they show, and
 * here one takes a microsecond; a library that is used all over takes 5 to 8, for reading as for writing.
 */

const CHARSET: Uint8Array = Uint8Array.from('qpzry9x8gf2tvdw0s3jn54khce6mua7l', (char) => char.charCodeAt(0));
const GENERATOR: Int32Array = Int32Array.of(0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3);
/** By code of a character, of either case: the number that it stands for; -1 for none. */
const WORDS: Int8Array = new Int8Array(128).fill(-1);
for (const [word, code] of CHARSET.entries()) {
  WORDS[code] = word;
  WORDS[String.fromCharCode(code).toUpperCase().charCodeAt(0)] = word;
}
/** Characters of an address, at most. */
const MAX_CHARS = 90;
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
  const words = 1 + Math.ceil((program.length * 8) / 5);
  const chars = new Array<number>(words + CHECKSUM_CHARS);
  let checksum = step(checksumOf(hrp), version);
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

/** What a text says that begins with the coin's prefix and has a right checksum. */
export type SegwitText = {
  form: 'bech32' | 'bech32m';
  /** 0 to 31; undefined where the text has nothing but a checksum. */
  version: number | undefined;
  /** Undefined where the bits that fill up its last character are too many or not 0. */
  program: Uint8Array | undefined;
};

/**
 * Reads what stands behind the prefix of an untrusted text; undefined where the prefix, a character or the checksum is wrong, cases are mixed or it is too long.
 * Whether form, version and length of the program go together is for the caller to say.
 *
 * @param hrp the coin's prefix, in lower case
 */
export function decodeSegwitText(text: string, hrp: string): SegwitText | undefined {
  const prefix = hrp + SEPARATOR;
  const start = prefix.length;
  const end = text.length - CHECKSUM_CHARS;
  if (text.length > MAX_CHARS || end < start) return undefined;
  if (!text.startsWith(prefix) && !text.startsWith(prefix.toUpperCase())) return undefined;
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return undefined;
  let checksum = checksumOf(hrp);
  for (let at = start; at < text.length; at++) {
    const word = WORDS[text.charCodeAt(at)] ?? -1;
    if (word < 0) return undefined;
    checksum = step(checksum, word);
  }
  if (checksum !== BECH32 && checksum !== BECH32M) return undefined;
  const form = checksum === BECH32 ? 'bech32' : 'bech32m';
  if (end === start) return { form, version: undefined, program: undefined };
  return { form, version: WORDS[text.charCodeAt(start)]!, program: joinBits(text, start + 1, end) };
}

/** The bytes of characters of five bits each. */
function joinBits(text: string, start: number, end: number): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor(((end - start) * 5) / 8));
  let at = 0;
  let bits = 0;
  let pending = 0;
  for (let i = start; i < end; i++) {
    pending = ((pending << 5) | WORDS[text.charCodeAt(i)]!) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = pending >> bits;
  }
  return bits < 5 && (pending & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

function step(checksum: number, word: number): number {
  return ((checksum & 0x1ffffff) << 5) ^ word ^ STEPS[checksum >> 25]!;
}

function checksumOf(hrp: string): number {
  if (known.hrp !== hrp) known = { hrp, checksum: startChecksum(hrp) };
  return known.checksum;
}

/** The checksum behind the prefix: the upper bits of its characters, a zero, the lower ones. */
function startChecksum(hrp: string): number {
  const codes = Array.from(hrp, (char) => char.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)].reduce(step, 1);
}
