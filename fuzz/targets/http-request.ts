import type { FastifyInstance } from 'fastify';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

type Media = { example?: unknown };
type Operation = {
  parameters: { name: string; in: string; schema: { minimum?: number }; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
};
/** The part of an OpenAPI document that is read. */
export type Document = { servers?: { url: string }[]; paths: Record<string, Record<string, Operation>> };

/** What was answered, and what was thrown behind it, where anything unforeseen was. */
export type Answered = { status: number; type: string; body: string; thrown: unknown };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
];

/** Requests as text: method, URL and content type in one line, the body behind it. */
export function writeRequest(method: string, url: string, type = '', body = ''): Uint8Array {
  return utf8(`${method} ${url} ${type}\n${body}`);
}

/** The examples of a document, one request an operation. */
export function listExamples(document: Document, known: Readonly<Record<string, string>> = {}): Uint8Array[] {
  const prefix = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  return Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, { parameters, requestBody }]) => {
      const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
        const { example, schema } = parameters.find((each) => each.name === name)!;
        return encodeURIComponent(String(known[name] ?? example ?? schema.minimum ?? '0'.repeat(64)));
      });
      const query = parameters
        .filter((each) => each.in === 'query' && each.example !== undefined)
        .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
      const url = `${prefix}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
      const [media] = Object.entries(requestBody?.content ?? {});
      if (media === undefined) return writeRequest(method.toUpperCase(), url);
      const [type, { example }] = media;
      const body = typeof example === 'string' ? example : JSON.stringify(example ?? {});
      return writeRequest(method.toUpperCase(), url, type, body);
    }),
  );
}

/** Sends what an input says. */
export async function sendRequest(
  app: FastifyInstance,
  input: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<{ statusCode: number; type: string; body: string }> {
  const end = input.indexOf(0x0a);
  const line = toText(end < 0 ? input : input.subarray(0, end));
  const [method = '', target = '', type = ''] = line.split(' ');
  // What no HTTP parser would let through is written as it would arrive.
  const url = `/${target.replace(/^[/\\]+/, '')}`.replace(/[^\x21-\x7e]|\\/gu, (char) =>
    encodeURIComponent(char),
  );
  const body = end < 0 ? undefined : Buffer.from(input.subarray(end + 1));
  const response = await app.inject({
    method: (METHODS.includes(method) ? method : 'GET') as 'GET',
    url,
    headers: { ...headers, ...(TYPES.includes(type) ? { 'content-type': type } : {}) },
    ...(body === undefined || body.length === 0 ? {} : { payload: body }),
  });
  return {
    statusCode: response.statusCode,
    type: String(response.headers['content-type'] ?? ''),
    body: response.body,
  };
}

/** Holds an answer to the law of errors. */
export function judge({ status, type, body, thrown }: Answered): void {
  if (status >= 500 && thrown !== undefined) throw thrown;
  demand(status < 500 || status === 503, `answered ${status}: ${body.slice(0, 200)}`);
  demand(!/\bat .+\.(ts|js):\d+|node_modules|\/src\//.test(body), 'no stack and no path is shown');
  if (status < 400 || body === '') return;
  demand(
    /^(application\/(problem\+)?json|text\/(plain|html))/.test(type),
    `a refusal has a form, not "${type}"`,
  );
  if (type.startsWith('application/')) JSON.parse(body);
}

/** Families of bodies that grow, for one operation. */
export function growBodies(method: string, url: string, type = 'application/json'): FuzzTarget['growing'] {
  const of = (make: (bytes: number) => string) => (bytes: number) =>
    writeRequest(method, url, type, make(bytes));
  return {
    'nested lists': of((bytes) => '['.repeat(bytes)),
    'nested objects': of((bytes) => '{"a":'.repeat(bytes / 5)),
    'an array': of((bytes) => `[${'1,'.repeat(bytes / 2)}1]`),
    keys: of((bytes) => `{${Array.from({ length: bytes / 10 }, (_, i) => `"k${i}":1`).join(',')}}`),
    'one text': of((bytes) => `{"a":"${'x'.repeat(bytes)}"}`),
    escapes: of((bytes) => `{"a":"${'\\u0061'.repeat(bytes / 6)}"}`),
    marks: of((bytes) => `{"a":"\ufb01${'\u0301'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4)}"}`),
    spaces: of((bytes) => `${' '.repeat(bytes)}{}`),
    words: of((bytes) => `{"a":"${'abandon '.repeat(bytes / 8)}"}`),
  };
}
