/** An answer, read whole. */
export type ClientAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Answers have many shapes, and a wrong field is found by what is compared with it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
};

/** Speaks to the service. No answer, or half of one, is undefined: what became of the request is not known then. */
export type Client = {
  get(path: string): Promise<ClientAnswer | undefined>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<ClientAnswer | undefined>;
  /** The same as the merchant. */
  getAsMerchant(path: string): Promise<ClientAnswer | undefined>;
  postAsMerchant(
    path: string,
    body: object,
    headers?: Record<string, string>,
  ): Promise<ClientAnswer | undefined>;
  /** Answers so far, by status; `none` where there was none. */
  readonly counts: ReadonlyMap<string, number>;
  /** Answers that no fault excuses, since the last time that this was asked. */
  takeFaults(): string[];
};

const TIMEOUT_MS = 15_000;
/** What the service says when something that it needs is broken; every other answer of 500 and above is its own fault. */
const UNAVAILABLE = 503;

export function createClient(origin: string, apiKey: string): Client {
  const counts = new Map<string, number>();
  let faults: string[] = [];
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

  async function ask(path: string, init: RequestInit): Promise<ClientAnswer | undefined> {
    try {
      const response = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      const { status, headers } = response;
      count(String(status));
      const isJson = headers.get('content-type')?.includes('json') ?? false;
      if (status >= 500 && status !== UNAVAILABLE)
        faults.push(`${init.method ?? 'GET'} ${path} answered ${status}: ${text.slice(0, 300)}`);
      return { status, headers, text, json: isJson ? parse(path, text, faults) : undefined };
    } catch {
      count('none');
      return undefined;
    }
  }
  const key = { 'x-coin-pay-api-key': apiKey };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    get: (path) => ask(path, {}),
    post,
    getAsMerchant: (path) => ask(path, { headers: key }),
    postAsMerchant: (path, body, headers = {}) => post(path, body, { ...key, ...headers }),
    counts,
    takeFaults() {
      const taken = faults;
      faults = [];
      return taken;
    },
  };
}

function parse(path: string, text: string, faults: string[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    faults.push(`${path} answered JSON that cannot be read: ${text.slice(0, 300)}`);
    return undefined;
  }
}
