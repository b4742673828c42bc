/**
 * Bad input for every parameter of every operation of an OpenAPI document.
 *
 * Made from the document alone, so that a new route is tested without being mentioned here, and so that the same
 * requests can be sent to any server.
 */

import { findMismatches } from './document-schemas.ts';

/** One request, with what must come back: `refused` is a 4xx, `any` whatever is not a fault of the server. */
export type HostileRequest = {
  what: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  expect: 'refused' | 'any';
};

type Schema = {
  $ref?: string;
  type?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  enum?: unknown[];
  properties?: Record<string, Schema>;
};
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  example?: unknown;
};
type Operation = {
  security?: unknown[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
};
/** The part of an OpenAPI document that is read. */
export type ApiDocument = {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

/** Parts of a URL, percent-encoded already. */
export const hostileTexts: readonly string[] = [
  '',
  '%20',
  '%00',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '%2B1',
  '1.5',
  '1e3',
  '0x10',
  '01',
  '%201',
  '9'.repeat(16),
  '9'.repeat(40),
  '1'.repeat(250),
  '%5B%5D',
  '%7B%7D',
  '%F0%9F%92%A5',
  '%E2%80%AE%D7%90',
  '%EF%BC%91%EF%BC%92',
  '%FF%FE',
  '%C0%80',
  '%',
  '%zz',
  '%0D%0AX-Injected:%201',
  '..%2F..%2Fetc%2Fpasswd',
  "'%20OR%201=1--",
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '__proto__',
  'constructor',
  'g'.repeat(64),
  '0'.repeat(63),
  '0'.repeat(65),
  'a'.repeat(257),
  'a'.repeat(3000),
];

const wrongMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE'];

/**
 * All hostile requests for a document.
 *
 * @param known - values of parameters that the server at hand knows, by name, so that the other parameters of a
 * route are not hidden behind a resource that is not there, and of fields of bodies; the document's examples stand in
 * for what is missing
 * @param credentials - headers that the operations with a security scheme want
 */
export function* makeHostileRequests(
  document: ApiDocument,
  known: Readonly<Record<string, string>> = {},
  credentials: Readonly<Record<string, string>> = {},
): Generator<HostileRequest> {
  const prefix = new URL(document.servers[0]?.url ?? '/', 'http://localhost').pathname;
  for (const [template, described] of Object.entries(document.paths)) {
    const operations = Object.fromEntries(
      Object.entries(described).map(([method, each]) => [method, withKnown(each, known)]),
    );
    for (const [method, operation] of Object.entries(operations)) {
      const headers = operation.security === undefined ? {} : credentials;
      const target = { method: method.toUpperCase(), template: prefix + template, operation, headers };
      yield* makeParameterRequests(target);
      yield* makeBodyRequests(target, document);
      if (operation.security !== undefined) yield* makeStrangerRequests(target, credentials);
    }
    yield* makeMethodRequests(prefix + template, operations);
  }
  yield* makePathRequests(prefix);
}

function withKnown(operation: Operation, known: Readonly<Record<string, string>>): Operation {
  const parameters = operation.parameters.map((parameter) => {
    const example = known[parameter.name] ?? parameter.example;
    return example === undefined ? parameter : { ...parameter, example };
  });
  const content = Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => {
    const { example } = media;
    if (typeof example !== 'object' || example === null) return [type, media];
    const fields = Object.entries(example).map(([name, value]) => [name, known[name] ?? value]);
    return [type, { ...media, example: Object.fromEntries(fields) }];
  });
  if (content.length === 0) return { ...operation, parameters };
  return { ...operation, parameters, requestBody: { content: Object.fromEntries(content) } };
}

type Target = {
  method: string;
  template: string;
  operation: Operation;
  headers: Readonly<Record<string, string>>;
};

/** What can be written into a header. */
export const headerTexts = [
  '',
  ' ',
  'null',
  '\xe9\xff',
  '"',
  '\t',
  ',',
  'a'.repeat(255),
  'a'.repeat(256),
  '%00',
  '{}',
];

function* makeParameterRequests({
  method,
  template,
  operation,
  headers: credentials,
}: Target): Generator<HostileRequest> {
  const { parameters } = operation;
  const base = { method, headers: { ...credentials }, body: undefined };
  for (const parameter of parameters) {
    if (parameter.in === 'header') {
      const path = fillPath(template, parameters, {});
      for (const text of headerTexts) {
        const headers = { ...credentials, [parameter.name]: text };
        yield { ...base, what: `${parameter.name}: ${text.slice(0, 20)}`, path, headers, expect: 'any' };
      }
      continue;
    }
    for (const text of hostileTexts) {
      const path = fillPath(template, parameters, { [parameter.name]: text });
      const query = parameter.in === 'query' ? `?${parameter.name}=${text}` : '';
      // An empty part makes another path, which another operation may answer.
      const isOther = parameter.in === 'path' && text === '';
      const expect = !isOther && breaks(parameter.schema, text) ? 'refused' : 'any';
      yield { ...base, what: `${parameter.name}=${text.slice(0, 40)}`, path: path + query, expect };
    }
    if (parameter.in === 'query') {
      const path = fillPath(template, parameters, {});
      const value = encodeURIComponent(String(parameter.example ?? parameter.schema.minimum ?? '1'));
      const repeated = `?${parameter.name}=${value}&${parameter.name}=${value}`;
      const expect = expectOfQueries(path);
      yield { ...base, what: `${parameter.name} twice`, path: path + repeated, expect };
      yield {
        ...base,
        what: `${parameter.name}[]`,
        path: `${path}?${parameter.name}[]=${value}`,
        expect,
      };
    }
  }
  const path = fillPath(template, parameters, {});
  for (const query of [
    '?unknown=1',
    '?__proto__=1',
    '?constructor[prototype]=1',
    '?=',
    '?%00',
    `?${'a&'.repeat(900)}`,
  ]) {
    yield { ...base, what: `query ${query.slice(0, 30)}`, path: path + query, expect: expectOfQueries(path) };
  }
  for (const header of ['if-none-match', 'accept', 'x-forwarded-for', 'origin', 'range', 'expect']) {
    const headers = { ...credentials, [header]: `\xff${'"'.repeat(500)},*/*;q=x` };
    yield { ...base, what: `header ${header}`, path, headers, expect: 'any' };
  }
}

/** Below `/esplora` what is not known of a query is let be, as clients of that interface expect. */
function expectOfQueries(path: string): 'any' | 'refused' {
  return path.startsWith('/esplora/') ? 'any' : 'refused';
}

function* makeBodyRequests(
  { method, template, operation, headers: credentials }: Target,
  document: ApiDocument,
): Generator<HostileRequest> {
  const path = fillPath(template, operation.parameters, {});
  for (const [type, { schema, example }] of Object.entries(operation.requestBody?.content ?? {})) {
    const base = { method, path, headers: { ...credentials, 'content-type': type } };
    // Where no field is required, an empty object is no mistake.
    const mayBeEmpty =
      type === 'application/json' && findMismatches(schema as never, document, {}).length === 0;
    for (const body of hostileBodies()) {
      const expect = mayBeEmpty && /^\ufeff?\{\}$/.test(body.toString()) ? 'any' : 'refused';
      yield { ...base, what: `body ${body.subarray(0, 40)}`, body, expect };
    }
    if (type === 'application/json') {
      for (const value of hostileValues(schema, document, example)) {
        const expect = findMismatches(schema as never, document, value).length > 0 ? 'refused' : 'any';
        const body = Buffer.from(JSON.stringify(value));
        yield { ...base, what: `body ${body.subarray(0, 100)}`, body, expect };
      }
    }
    const good = Buffer.from(typeof example === 'string' ? example : JSON.stringify(example ?? {}));
    for (const wrong of [
      'text/html',
      'multipart/form-data',
      'application/jsonx',
      'x',
      ';',
      'application/json; charset=utf-7',
    ]) {
      const headers = { ...credentials, 'content-type': wrong };
      yield {
        ...base,
        what: `content type ${wrong}`,
        headers,
        body: good,
        expect: type === 'text/plain' ? 'any' : 'refused',
      };
    }
    const headers = { ...base.headers, 'content-encoding': 'gzip' };
    yield {
      ...base,
      what: 'content encoding gzip',
      headers,
      body: Buffer.from([31, 139, 8, 0]),
      expect: 'refused',
    };
    yield { ...base, what: 'no body', headers: base.headers, body: undefined, expect: 'refused' };
  }
}

/** Without a key, or with one that nobody has. */
function* makeStrangerRequests(
  { method, template, operation }: Target,
  credentials: Readonly<Record<string, string>>,
): Generator<HostileRequest> {
  const path = fillPath(template, operation.parameters, {});
  const base = { method, path, body: undefined, expect: 'refused' } as const;
  yield { ...base, what: 'no key', headers: {} };
  for (const name of Object.keys(credentials)) {
    const wrong = credentials[name]!.replace(/.{3}$/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));
    for (const text of [wrong, ...headerTexts]) {
      yield { ...base, what: `key ${text.slice(0, 20)}`, headers: { [name]: text } };
    }
  }
}

/** Bodies that are no good JSON object, or an empty one. */
export function hostileBodies(): Buffer[] {
  const texts = [
    '',
    '\0',
    'null',
    '[]',
    '{',
    '"',
    '0',
    '{}',
    '\ufeff{}',
    '💥',
    '['.repeat(20_000),
    'NaN',
    '{"__proto__":1}',
  ];
  const bodies = texts.map((text) => Buffer.from(text));
  bodies.push(Buffer.from([0xff, 0xfe, 0x00]), Buffer.alloc(3_000_000, 'a'));
  return bodies;
}

/** Values that a field may be given. */
export const hostileJson: readonly unknown[] = [
  ...[null, 1, -1, 1e308, true],
  // The last is half of a character.
  ...['', ' ', '💥', '\0', '\ud800'],
  ...[[], {}, ['a'], { a: 1 }],
  'a'.repeat(100_000),
];

/** The example with one thing changed. */
function* hostileValues(schema: Schema, document: ApiDocument, example: unknown): Generator<unknown> {
  const good = (example ?? {}) as Record<string, unknown>;
  yield { ...good, unknown_field: 1 };
  yield [good];
  const title = schema.$ref?.split('/').at(-1);
  const { properties } = (title === undefined ? schema : document.components.schemas[title]) as Schema;
  for (const name of Object.keys(properties ?? {})) {
    for (const value of hostileJson) {
      yield { ...good, [name]: value };
    }
  }
}

function* makeMethodRequests(
  template: string,
  operations: Record<string, Operation>,
): Generator<HostileRequest> {
  const [operation] = Object.values(operations);
  const path = fillPath(template, operation?.parameters ?? [], {});
  for (const method of wrongMethods) {
    if (method.toLowerCase() in operations) continue;
    yield { what: `method ${method}`, method, path, headers: {}, body: undefined, expect: 'refused' };
  }
}

function* makePathRequests(prefix: string): Generator<HostileRequest> {
  const base = { method: 'GET', headers: {}, body: undefined, expect: 'refused' } as const;
  for (const text of hostileTexts) {
    yield { ...base, what: `path ${text.slice(0, 40)}`, path: `${prefix}/no-such-thing/${text}` };
  }
  // `/` is a page.
  for (const path of [
    '//',
    '/..',
    `${prefix}/../${prefix}`,
    `${prefix}/`,
    '/%2e%2e/%2e%2e/',
    '*',
    `/${'a/'.repeat(900)}`,
  ]) {
    yield { ...base, what: `path ${path.slice(0, 40)}`, path };
  }
}

function fillPath(
  template: string,
  parameters: readonly Parameter[],
  values: Record<string, string>,
): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.name === name);
    return (
      values[name] ??
      encodeURIComponent(String(parameter?.example ?? parameter?.schema.minimum ?? '0'.repeat(64)))
    );
  });
}

/** Whether a parameter's schema forbids this text. */
function breaks(
  { type, pattern, minimum, maximum, minLength, maxLength, enum: allowed }: Schema,
  text: string,
): boolean {
  let value: string;
  try {
    value = decodeURIComponent(text);
  } catch {
    return true;
  }
  if (type === 'integer') {
    return (
      !/^(0|[1-9][0-9]*)$/.test(value) ||
      Number(value) < (minimum ?? 0) ||
      Number(value) > (maximum ?? Infinity)
    );
  }
  if (allowed !== undefined && !allowed.includes(value)) return true;
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return true;
  return value.length < (minLength ?? 0) || value.length > (maxLength ?? Infinity);
}
