/** How an operation is called with curl and with the SDK. */

import type { OpenApiParameter, PlacedOperation } from '../data/open-api.ts';

/** Values of parameters by their names; what is empty is left out. */
export type Values = Readonly<Record<string, string>>;

/** A service, and where the paths of one of its documents begin. */
export type Base = { origin: string; prefix: string };

/**
 * Reads what a document says of its server.
 *
 * @param serverUrl a path, or an address where the operator has named one
 * @param ownOrigin of the page
 */
export function readBase(serverUrl: string, ownOrigin: string): Base {
  const { origin, pathname } = new URL(serverUrl === '' ? '/' : serverUrl, ownOrigin);
  return { origin, prefix: pathname.replace(/\/$/, '') };
}

/** The parameters of an operation that are part of its address. */
export function listAddressed({ operation }: PlacedOperation): OpenApiParameter[] {
  return (operation.parameters ?? []).filter(({ in: where }) => where === 'path' || where === 'query');
}

/** The path and query of a call; a parameter of the path without a value stays as it is written in the document. */
export function writePath(placed: PlacedOperation, prefix: string, values: Values): string {
  const filled = placed.path.replace(/\{([^}]+)\}/g, (whole, name: string) =>
    values[name] ? encode(values[name]) : whole,
  );
  const query = listAddressed(placed).flatMap(({ name, in: where }) =>
    where === 'query' && values[name] ? [`${encode(name)}=${encode(values[name])}`] : [],
  );
  return `${prefix}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/** The call as a command of a shell. */
export function writeCurl(
  placed: PlacedOperation,
  { origin, prefix }: Base,
  values: Values,
  body: unknown,
): string {
  const { method, operation } = placed;
  const url = `${origin}${writePath(placed, prefix, values)}`;
  const parts = [method === 'GET' ? `curl "${url}"` : `curl -X ${method} "${url}"`];
  if (needsKey(placed)) parts.push(`-H 'X-COIN-Pay-API-Key: YOUR_KEY'`);
  if (body !== undefined) {
    const type = Object.keys(operation.requestBody?.content ?? {})[0] ?? 'application/json';
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    parts.push(`-H 'Content-Type: ${type}'`, `-d '${text.replaceAll("'", `'\\''`)}'`);
  }
  return parts.join(' \\\n  ');
}

/** The call in TypeScript. */
export function writeTypeScript(
  placed: PlacedOperation,
  name: string,
  { origin }: Base,
  values: Values,
  body: unknown,
): string {
  const params = Object.fromEntries(
    listAddressed(placed).flatMap(({ name: each, schema }) =>
      values[each]
        ? [[each, /^(integer|number)$/.test(schema?.type ?? '') ? Number(values[each]) : values[each]]]
        : [],
    ),
  );
  const fields =
    typeof body === 'string'
      ? { raw_tx: body }
      : Array.isArray(body)
        ? { raw_txs: body }
        : ((body ?? {}) as object);
  const given = { ...params, ...fields };
  const settings = needsKey(placed)
    ? `{ baseUrl: '${origin}', apiKey: 'YOUR_KEY' }`
    : `{ baseUrl: '${origin}' }`;
  const argument = Object.keys(given).length === 0 ? '' : `, ${writeValue(given)}`;
  return `import { createClient, ${name} } from '@coinfront/sdk';

const client = createClient(${settings});
const answer = await ${name}(client${argument});`;
}

/** Whether only a merchant may call it. */
export function needsKey({ operation }: PlacedOperation): boolean {
  return (operation.security ?? []).length > 0;
}

/** A value as it is written in a program. */
function writeValue(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, each]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : writeValue(name);
    return `${key}: ${writeValue(each)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** A surrogate without its other half, which no address can have, becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
