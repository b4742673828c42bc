/** The checksum of output descriptors (BIP-380): eight characters behind `#`. */

const INPUT_CHARSET =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM_CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
const LOW_35_BITS = 0x7ffffffffn;
const CHECKSUM_LENGTH = 8;

function step(sum: bigint, symbol: number): bigint {
  const top = Number(sum >> 35n);
  const next = ((sum & LOW_35_BITS) << 5n) ^ BigInt(symbol);
  return GENERATOR.reduce((mixed, term, bit) => ((top >> bit) & 1 ? mixed ^ term : mixed), next);
}

/** The checksum of a descriptor without one; undefined where it has a character that no descriptor has. */
export function checksumOfDescriptor(text: string): string | undefined {
  let sum = 1n;
  let groups = 0;
  let pending = 0;
  for (const character of text) {
    const at = INPUT_CHARSET.indexOf(character);
    if (at === -1) return undefined;
    sum = step(sum, at & 31);
    groups = groups * 3 + (at >> 5);
    pending += 1;
    if (pending < 3) continue;
    sum = step(sum, groups);
    groups = 0;
    pending = 0;
  }
  if (pending > 0) sum = step(sum, groups);
  for (let i = 0; i < CHECKSUM_LENGTH; i++) sum = step(sum, 0);
  sum ^= 1n;
  return Array.from(
    { length: CHECKSUM_LENGTH },
    (_, i) => CHECKSUM_CHARSET[Number((sum >> BigInt(5 * (CHECKSUM_LENGTH - 1 - i))) & 31n)],
  ).join('');
}
