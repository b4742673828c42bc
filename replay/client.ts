import { setTimeout as delay } from 'node:timers/promises';
import { Unreadable } from './bytes.ts';

/** The server cannot be asked now: after all tries, no answer that says anything. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Asks a server; every answer is bounded in time and size. */
export type Client = {
  /** Undefined: 404 or 410. `status` of another refusal is in {@link Refused}. */
  bytes(path: string, mostBytes: number): Promise<Uint8Array | undefined>;
  text(path: string, mostBytes?: number): Promise<string | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: what a server says is checked where it is used
  json(path: string): Promise<any>;
};

/** The server refuses what was asked for. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(path: string, status: number) {
    super(`${path} answers ${status}`);
    this.status = status;
  }
}

const TIMEOUT_MS = 60_000;
const TRIES = 8;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
const TEXT_BYTES = 1_000;
const JSON_BYTES = 4_000_000;

/** @param base - without a slash at its end */
export function createClient(base: string): Client {
  async function bytes(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
    let pause = FIRST_PAUSE_MS;
    let last = '';
    for (let i = 0; i < TRIES; i++) {
      const answer = await ask(base + path, mostBytes).catch((error: Error) => {
        if (error instanceof Unreadable) throw error;
        last = String(error.cause ?? error.message);
      });
      if (answer?.status === 200) return answer.body;
      if (answer?.status === 404 || answer?.status === 410) return undefined;
      const isBusy = answer === undefined || answer.status === 429 || answer.status >= 500;
      if (!isBusy) throw new Refused(path, answer.status);
      if (answer) last = `it answers ${answer.status}`;
      await delay(Math.min(Math.max(pause, answer?.waitMs ?? 0), LONGEST_PAUSE_MS));
      pause *= 2;
    }
    throw new Unavailable(`${base}${path}: ${last}`);
  }

  async function text(path: string, mostBytes = TEXT_BYTES): Promise<string | undefined> {
    const body = await bytes(path, mostBytes);
    return body && Buffer.from(body).toString();
  }

  return {
    bytes,
    text,
    async json(path) {
      const body = await text(path, JSON_BYTES);
      try {
        return body === undefined ? undefined : JSON.parse(body);
      } catch {
        throw new Unreadable(`${path} answers no JSON`);
      }
    },
  };
}

async function ask(url: string, mostBytes: number) {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > mostBytes) throw new Unreadable(`${url} answers more than ${mostBytes} bytes`);
    parts.push(part);
  }
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return {
    status: response.status,
    body: new Uint8Array(Buffer.concat(parts)),
    waitMs: Number.isFinite(seconds) ? seconds * 1_000 : 0,
  };
}
