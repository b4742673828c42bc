import { serializeSpend } from '../chain/serialize.ts';
import { type ApiOperation, jsonBody, type RequestBody } from './list-requests.ts';

/** What routes that take a transaction, or a text, are sent besides the example of their document. */
const TRANSACTION_ROUTES: Readonly<Record<string, string>> = {
  'chain /broadcast': 'raw_tx',
  'tokens /tok/preflight': 'raw_tx',
};
const TEXT_ROUTES = new Set(['esplora /tx']);
const HEX_BYTES = 999_000;
const WITNESS_ITEMS = 900_000;
const INPUTS = 20_000;
const OUTPUTS = 24_000;
const KEYS = 6_000;
const DEPTH = 20_000;

/**
 * The bodies that a route is tried with: its example with what is known of the chain in it, two that are no body of any route,
 * and where it takes a transaction, transactions that are worst in one thing each.
 */
export function createBodyLists(examples: Readonly<Record<string, object | readonly object[]>>) {
  const transactions = listTransactions();
  return (documentName: string, path: string, operation: ApiOperation): RequestBody[] => {
    const route = `${documentName} ${path}`;
    if (TEXT_ROUTES.has(route)) {
      return transactions.map(([name, hex]) => ({ name, type: 'text/plain', bytes: Buffer.from(hex) }));
    }
    const [content] = Object.values(operation.requestBody?.content ?? {});
    const example = examples[route] ?? (content?.example as object | undefined);
    const known = Array.isArray(example) ? (example as readonly object[]) : [example];
    if (example === undefined) throw new Error(`${route}: no body is known that it could be sent.`);
    const field = TRANSACTION_ROUTES[route];
    return [
      ...known.map((each, i) => jsonBody(`example ${i + 1}`, JSON.stringify(each))),
      jsonBody('many keys', `{${Array.from({ length: KEYS }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`),
      jsonBody('nested arrays', `{"a":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`),
      ...(field === undefined
        ? []
        : transactions.map(([name, hex]) => jsonBody(name, JSON.stringify({ [field]: hex })))),
    ];
  };
}

function listTransactions(): [string, string][] {
  const parent = Buffer.alloc(32, 0x11);
  const many = (count: number) =>
    Array.from({ length: count }, (_, vout) => ({ txIndex: 0, vout, number: 1, value: 1_000n }));
  const script = new Uint8Array(22).fill(1);
  const outputs = (count: number) => Array.from({ length: count }, () => ({ value: 1_000n, script }));
  const of = (inputs: number, count: number): string =>
    serializeSpend(many(inputs), outputs(count), () => parent).hex;
  const items = `fe${WITNESS_ITEMS.toString(16).padStart(8, '0').match(/../g)!.reverse().join('')}`;
  return [
    ['bytes that are no transaction', '01f9a2b3c4'.repeat(HEX_BYTES / 5)],
    ['a transaction of many inputs', of(INPUTS, 1)],
    ['a transaction of many outputs', of(1, OUTPUTS)],
    [
      'a transaction of many witness items',
      `01000000000101${'11'.repeat(32)}0000000000ffffffff01e8030000000000000151${items}${'00'.repeat(WITNESS_ITEMS)}00000000`,
    ],
  ];
}
