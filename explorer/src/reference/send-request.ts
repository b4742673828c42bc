/** One request of the reference's "Try it", with an answer that is bounded. */

/** What came. */
export type Answered = {
  status: number;
  /** Until the whole answer was there, or what is shown of it. */
  milliseconds: number;
  headers: readonly (readonly [name: string, value: string])[];
  /** JSON is indented; undefined for bytes that are no text. */
  text: string | undefined;
  bytes: number;
  /** Whether there is more than what was read. */
  isCut: boolean;
};

/** Bytes that are read at most. */
export const mostBytes = 100_000;
const LONGEST_MS = 20_000;

/** Headers that tell something of the answer, in the order in which they are shown. */
const shownHeaders = [
  'content-type',
  'etag',
  'cache-control',
  'x-chain-height',
  'x-chain-tip',
  'x-chain-visibility',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'vary',
];

/**
 * Sends a `GET`.
 *
 * @param options.etag sent as If-None-Match
 */
export async function sendRequest(
  path: string,
  { etag, signal }: { etag?: string | undefined; signal: AbortSignal },
): Promise<Answered> {
  const started = performance.now();
  const answer = await fetch(path, {
    headers: { accept: '*/*', ...(etag === undefined ? {} : { 'if-none-match': etag }) },
    // What the browser has kept would be another answer than the one that a program gets.
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
  });
  const { bytes, isCut } = await readSome(answer.body);
  const type = answer.headers.get('content-type') ?? '';
  return {
    status: answer.status,
    milliseconds: Math.round(performance.now() - started),
    headers: shownHeaders.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    text:
      /^text\/|json/.test(type) || bytes.length === 0 ? indent(new TextDecoder().decode(bytes)) : undefined,
    bytes: bytes.length,
    isCut,
  };
}

async function readSome(body: Response['body']): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > mostBytes) {
      await reader.cancel();
      break;
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return { bytes: all.slice(0, mostBytes), isCut: length > mostBytes };
}

/** JSON over several lines; anything else as it is, also JSON that was cut. */
function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
