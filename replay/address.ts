import { concat, doubleSha256, isEqual, Unreadable } from './bytes.ts';

/** How a coin writes addresses: fields of its profile. */
export type AddressForms = {
  readonly p2pkh_versions: readonly number[];
  readonly p2sh_versions: readonly number[];
  readonly bech32_hrp: string | null;
};

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32M = 0x2bc830a3;

/** The script that an address stands for. @throws Unreadable */
export function findScript(address: string, forms: AddressForms): Uint8Array {
  const lower = address.toLowerCase();
  const isSegwit = forms.bech32_hrp !== null && lower.startsWith(`${forms.bech32_hrp}1`);
  if (isSegwit) return findWitnessScript(lower, forms.bech32_hrp);
  const [version, ...hash] = readBase58(address);
  if (hash.length === 20 && forms.p2pkh_versions.includes(version!))
    return Uint8Array.of(0x76, 0xa9, 0x14, ...hash, 0x88, 0xac);
  if (hash.length === 20 && forms.p2sh_versions.includes(version!))
    return Uint8Array.of(0xa9, 0x14, ...hash, 0x87);
  throw new Unreadable(`no address of the coin: ${address}`);
}

function readBase58(text: string): Uint8Array {
  let number = 0n;
  for (const character of text) {
    const digit = BASE58.indexOf(character);
    if (digit < 0) throw new Unreadable(`no address: ${text}`);
    number = number * 58n + BigInt(digit);
  }
  const hex = number.toString(16);
  const digits = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const zeros = /^1*/.exec(text)![0].length;
  const bytes = concat(new Uint8Array(zeros), number === 0n ? new Uint8Array() : digits);
  const [body, checksum] = [bytes.subarray(0, -4), bytes.subarray(-4)];
  if (!isEqual(doubleSha256(body).subarray(0, 4), checksum)) throw new Unreadable(`no address: ${text}`);
  return body;
}

/** BIP-173 and BIP-350. */
function findWitnessScript(address: string, hrp: string): Uint8Array {
  const words = [...address.slice(hrp.length + 1)].map((character) => BECH32.indexOf(character));
  const expanded = [...hrp].map((character) => character.charCodeAt(0));
  const checked = [...expanded.map((code) => code >> 5), 0, ...expanded.map((code) => code & 31), ...words];
  const version = words[0]!;
  if (words.includes(-1) || words.length < 8 || polymod(checked) !== (version === 0 ? 1 : BECH32M))
    throw new Unreadable(`no address: ${address}`);
  const bits = words
    .slice(1, -6)
    .map((word) => word.toString(2).padStart(5, '0'))
    .join('');
  const program = Array.from({ length: Math.floor(bits.length / 8) }, (_, i) =>
    Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2),
  );
  return Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length, ...program);
}

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [i, generator] of GENERATORS.entries()) if ((top >>> i) & 1) sum ^= generator;
  }
  return sum >>> 0;
}
