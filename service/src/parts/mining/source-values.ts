/** Reads values that cannot be trusted: what is not exactly of its kind is undefined. */

type Fields = Readonly<Record<string, unknown>>;

/** Deepest nesting of JSON that is parsed. */
const MAX_DEPTH = 16;
const MAX_ADDRESS_LENGTH = 120;
/** Above every hashrate and difficulty there will ever be, below where arithmetic on them overflows. */
const MAX_NUMBER = 1e30;
const MAX_MILLI_HASHES = 10n ** 33n;
const MAX_TIME_SECONDS = 32_503_680_000;

const suffixExponents: Readonly<Record<string, number>> = {
  '': 0,
  K: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
  Z: 21,
};

/** Parses JSON of bounded depth; undefined when it is none. The caller has bounded its length. */
export function parseSourceJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of an object; none when it is no object. */
export function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The elements of an array, at most so many; undefined when it is no array. */
export function readItems(value: unknown, most: number): unknown[] | undefined {
  return Array.isArray(value) ? value.slice(0, most) : undefined;
}

/** A number from 0 on. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MAX_NUMBER ? value : undefined;
}

/** A number from 0 on, or its decimal text. */
export function readNumberOrText(value: unknown): number | undefined {
  return typeof value === 'string' && /^[0-9]{1,24}(\.[0-9]{1,12})?$/.test(value)
    ? readNumber(Number(value))
    : readNumber(value);
}

/** A whole number from 0 on. */
export function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Unix seconds, above 0: pools write 0 for never. Gives milliseconds. */
export function readUnixTime(value: unknown): number | undefined {
  const seconds = readNumber(value);
  return seconds === undefined || seconds === 0 || seconds > MAX_TIME_SECONDS
    ? undefined
    : Math.floor(seconds * 1000);
}

/** Text that can be an address or a miner's name. */
export function readAddress(value: unknown): string | undefined {
  return typeof value === 'string' &&
    value.length <= MAX_ADDRESS_LENGTH &&
    /^[A-Za-z0-9][A-Za-z0-9:._-]*$/.test(value)
    ? value
    : undefined;
}

/** The name of a machine: what follows the miner's own name, if that can be shown. */
export function readWorkerName(value: unknown, miner: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const own = value.startsWith(miner) ? value.slice(miner.length).replace(/^[._]/, '') : value;
  return /^[!-~]{1,64}$/.test(own) ? own : undefined;
}

/** A moment as text of ISO 8601; taken for UTC where it does not say. Gives milliseconds. */
export function readIsoTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/.exec(value);
  if (match === null) return undefined;
  const [, whole, fraction = '', zone = 'Z'] = match;
  const ms = Date.parse(`${whole}${fraction.slice(0, 4)}${zone}`);
  return ms > 0 ? ms : undefined;
}

/** Hashes per second as a number, to thousandths. */
export function readHashrate(value: unknown): bigint | undefined {
  const number = readNumberOrText(value);
  return number === undefined ? undefined : BigInt(Math.round(number * 1000));
}

/** Hashes per second as ckpool writes them: "0", "1.23T", "617M". Thousandths of hashes per second, exactly. */
export function parseSuffixedHashrate(value: unknown): bigint | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^([0-9]{1,21})(?:\.([0-9]{1,12}))?([KMGTPEZ]?)$/.exec(value);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', suffix = ''] = match;
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(suffixExponents[suffix]! + 3);
  const milli = scaled / 10n ** BigInt(fraction.length);
  return milli <= MAX_MILLI_HASHES ? milli : undefined;
}

/** An address of which only both ends are shown. */
export function shortenAddress(address: string): string {
  return address.length <= 16 ? address : `${address.slice(0, 8)}…${address.slice(-6)}`;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isText) {
      if (char === '\\') i++;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{' || char === '[') {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === '}' || char === ']') depth--;
  }
  return false;
}
