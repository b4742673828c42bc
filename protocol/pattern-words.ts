/** What the patterns of the schemas ask for, in words: nobody has to read a regular expression to send a request. */

const words: Readonly<Record<string, string>> = {
  '^[0-9a-fA-F]+$': 'hexadecimal digits',
  '^\\s*[0-9a-fA-F]+\\s*$': 'hexadecimal digits',
  '^([0-9a-f]{2}){1,10000}$': 'bytes in hexadecimal digits, small letters',
  '^([0-9a-f]{2})*$': 'bytes in hexadecimal digits, small letters',
  '^([0-9]{1,9}|[0-9a-fA-F]{64})$': 'a height, or a hash of 64 hexadecimal digits',
  '^(0[23][0-9a-fA-F]{64}|[0-9a-fA-F]{64})$': 'a public key of 66 hexadecimal digits, or of 64 for P2TR',
  '^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64}){0,24}$': '1 to 25 ids of transactions, 64 hexadecimal digits each',
  '^[0-9]{1,8}(\\.[0-9]{1,8})?$': 'an amount of coins, with up to 8 decimals',
  '^[A-Za-z0-9_-]+$': 'letters, digits, "_" and "-"',
  '^[a-z0-9][a-z0-9-]{0,31}$': 'up to 32 small letters, digits and "-", with none of these first',
  '^[a-z0-9][a-z0-9._-]{0,31}$': 'up to 32 small letters, digits and ".", "_", "-", with none of these first',
  '^[ -~]+$': 'printable ASCII characters',
  '^[^\\x00-\\x1f\\x7f-\\x9f]+$': 'text without control characters',
  '^[^\\x00-\\x1f\\x7f]+$': 'text without control characters',
  '^[^/\\\\\\x00-\\x1f]+$': 'a file name without slashes and control characters',
  '^[a-z0-9]{2,16}$': '2 to 16 small letters and digits',
  '^[a-z0-9]{1,16}$': '1 to 16 small letters and digits',
  '^[a-z0-9-]{1,32}$': '1 to 32 small letters, digits and "-"',
  '^[a-z][a-z0-9]{0,15}$': '1 to 16 small letters and digits, a letter first',
  '^[a-z][a-z0-9+.-]{0,31}$': '1 to 32 small letters, digits and "+", ".", "-", a letter first',
  '^[a-z0-9.-]+$': 'small letters, digits, "." and "-"',
  '^[A-Z]{3}$': 'three capital letters',
  '^[A-Z0-9]{1,12}$': '1 to 12 capital letters and digits',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': 'a day such as 2026-03-01',
  '^https://[^\\s]+$': 'an address that begins with https://',
};

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';

/** Kinds of patterns, with what their captured numbers and names say. */
const kinds: readonly (readonly [RegExp, (...captured: string[]) => string])[] = [
  [/^\^\[0-9a-fA-F\]\{(\d+)\}\$$/, (digits) => `${digits} hexadecimal digits`],
  [/^\^\[0-9a-f\]\{(\d+)\}\$$/, (digits) => `${digits} hexadecimal digits in small letters`],
  [
    /^\^\[0-9\]\{1,(\d+)\}\(\\\.\[0-9\]\{1,(\d+)\}\)\?\$$/,
    (whole, decimals) =>
      `a decimal number such as 0.5, up to ${whole} digits and ${decimals} behind the point`,
  ],
  [
    /^\^(\w+[-_])\[0-9A-HJKMNP-TV-Z\]\{(\d+)\}\$$/,
    (prefix, length) => `${prefix} and ${length} digits and capital letters, I, L, O and U not among them`,
  ],
  [
    /^\^(\w+_)\[A-Za-z0-9_-\]\{(\d+)\}\$$/,
    (prefix, length) => `${prefix} and ${length} letters, digits, "_" and "-"`,
  ],
  [
    /^\^\(\?:([a-z|]+)\)\(\?:,\(\?:[a-z|]+\)\)\*\$$/,
    (names) => `one of ${names.replaceAll('|', ', ')}, or several with commas between`,
  ],
];

/** What a text has to be to match; undefined for a pattern that nobody has put into words yet. */
export function describePattern(pattern: string): string | undefined {
  if (words[pattern] !== undefined) return words[pattern];
  const dated = pattern.replaceAll('\\d', '[0-9]');
  if (dated.startsWith(`^${day}(T`))
    return 'a day such as 2026-03-01, or a moment in UTC such as 2026-03-01T12:00:00Z';
  if (dated.startsWith(`^${day}T`)) return 'a moment in UTC such as 2026-03-01T12:00:00Z';
  for (const [kind, describe] of kinds) {
    const [, ...captured] = kind.exec(pattern) ?? [];
    if (captured.length > 0) return describe(...captured);
  }
  return undefined;
}
