import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildUrl } from './client/build-url.ts';
import type { Call, Client } from './client/client.ts';

type Media = Record<string, { schema: unknown }>;
type Described = {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header' }[];
  requestBody?: { content: Media };
  security?: unknown;
  responses: Record<string, { description: string; content?: Media }>;
};
type Operation = Described & { method: string; path: string };
type OperationFunction = (client: Client, params: object) => Promise<unknown>;
type Found = { name: string; source: string; call: Call; run: OperationFunction };

const root = join(import.meta.dirname, '..');
const notOperations = ['client', 'wallet', 'verify', 'hash'];
/** Beside the functions of webhooks: what their receivers verify with. */
const notCalls = ['verify-webhook.ts', 'verify-return.ts', 'signatures.ts'];
const operations = readOperations();
const functions = await findFunctions();

/** Every operation of the committed documents, with the path that clients call. */
function readOperations(): Operation[] {
  const folder = join(root, 'docs/openapi');
  return readdirSync(folder).flatMap((file) => {
    const document = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      servers: [{ url: string }];
      paths: Record<string, Record<string, Described>>;
    };
    const prefix = document.servers[0].url;
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path: prefix + path,
      })),
    );
  });
}

/** Every function of the SDK that sends a call, with the call it sends. */
async function findFunctions(): Promise<Found[]> {
  const found: Found[] = [];
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter(
      (each) => each.isDirectory() && !notOperations.includes(each.name) && each.name !== 'node_modules',
    )
    .map(({ name }) => name);
  for (const folder of folders) {
    for (const file of readdirSync(join(import.meta.dirname, folder))) {
      if (file.endsWith('.test.ts') || notCalls.includes(file)) continue;
      const path = join(import.meta.dirname, folder, file);
      const exported = Object.entries((await import(path)) as Record<string, OperationFunction>);
      expect(exported, file).toHaveLength(1);
      const [name, run] = exported[0]!;
      const call = await record(run, {});
      found.push({ name, run, call, source: readFileSync(path, 'utf8') });
    }
  }
  return found;
}

/** Runs a function on a client that only remembers what is asked of it. */
async function record(run: OperationFunction, params: object): Promise<Call> {
  const calls: Call[] = [];
  const client = { baseUrl: '', request: async (call: Call) => void calls.push(call) } as unknown as Client;
  await run(client, params);
  expect(calls).toHaveLength(1);
  return calls[0]!;
}

function functionsOf({ method, path }: Operation): Found[] {
  return functions.filter(({ call }) => call.method === method && call.path === path);
}

/** The names in each type of `error-codes.ts`, with those of the types that it is made of. */
const groups = new Map<string, string[]>();
for (const [, name, text] of readFileSync(
  join(import.meta.dirname, 'client/error-codes.ts'),
  'utf8',
).matchAll(/export type (\w+) =([^;]+);/g)) {
  groups.set(name!, expandCodes(text!));
}

function expandCodes(text: string): string[] {
  const words = [...text.matchAll(/'(\w+)'|(\w+ErrorCode)/g)];
  return words.flatMap(([, code, group]) => (code === undefined ? groups.get(group!)! : [code]));
}

describe.each(operations)('$method $path', (operation) => {
  const { method, path, parameters, requestBody, responses, security } = operation;

  test('has one function', () => {
    expect(functionsOf(operation).map(({ name }) => name)).toHaveLength(1);
  });

  test('is sent with its parameters, body, key and kind of answer', async () => {
    const { run } = functionsOf(operation)[0]!;
    const given = Object.fromEntries(parameters.map(({ name }) => [name, `value of ${name}`]));
    const isText = Object.keys(requestBody?.content ?? {})[0] === 'text/plain';
    // A body that is a list is the one parameter that it is made of.
    const isList = JSON.stringify(requestBody ?? '').includes('"schema":{"type":"array"');
    const fields = isList ? { raw_txs: ['00'] } : { field: 'of the body' };
    const body = requestBody === undefined ? {} : isText ? { raw_tx: '00' } : fields;
    const call = await record(run, {
      ...given,
      ...body,
      ...('Idempotency-Key' in given ? { idempotency_key: given['Idempotency-Key'] } : {}),
    });
    const encoded = (name: string) => encodeURIComponent(given[name]!);
    const named = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
    const query = named('query').map((name) => `${encodeURIComponent(name)}=${encoded(name)}`);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(name));
    expect(buildUrl('https://coin.example', call)).toBe(
      `https://coin.example${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    );
    const sent = 'Idempotency-Key' in given ? { 'Idempotency-Key': given['Idempotency-Key'] } : undefined;
    expect(call.headers).toEqual(sent);
    if (requestBody === undefined) expect(call.body).toBeUndefined();
    else expect(call.body).toEqual(isText ? '00' : isList ? ['00'] : expect.objectContaining(body));
    expect(call.authorised ?? false).toBe(security !== undefined);
    const success = Object.entries(responses).find(([status]) => status < '300')![1];
    const type = Object.keys(success.content!)[0]!;
    const answer = type === 'application/json' ? 'json' : type.startsWith('text/') ? 'text' : 'bytes';
    expect(call.answer ?? 'json').toBe(answer);
    expect(call.method).toBe(method);
  });

  test('types the errors that are documented, and has an example', () => {
    const { name, source } = functionsOf(operation)[0]!;
    const errors = Object.entries(responses).filter(([status]) => status >= '400');
    const areTexts = errors.every(([, { content }]) => content?.['text/plain'] !== undefined);
    const documented = errors.flatMap(([, { description }]) =>
      [...description.matchAll(/`(\w+)`/g)].map((match) => match[1]!),
    );
    const typed = expandCodes(/Error = CoinfrontError<([^;]*)>;/.exec(source)![1]!);
    const expected = [...groups.get('ClientErrorCode')!, ...(areTexts ? [] : documented)];
    expect([...new Set(typed)].sort()).toEqual([...new Set(expected)].sort());
    const example = source.slice(source.indexOf('@example'));
    expect(example).toContain(` ${name}(client`);
  });
});

test('no function calls what the documents do not have', () => {
  const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  expect(functions.filter(({ call }) => !known.has(`${call.method} ${call.path}`))).toEqual([]);
});
