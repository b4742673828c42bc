/**
 * What a validator has against a value, in words: what was wrong, what was received, what to do.
 *
 * A received text is repeated only where it is too short to be a key.
 */

import { describePattern } from './pattern-words.ts';
import { quoteReceived } from './quote-received.ts';

/** One error of TypeBox' validator. Its own message speaks of schemas. */
export type SchemaError = {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
};

type Schema = {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  pattern?: string;
  properties?: Record<string, unknown>;
  anyOf?: readonly Schema[];
} & Record<
  'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'maxProperties',
  number
>;

/** What is told of a fault; `quote` is false where a received text may be a secret. */
export type Telling = { readonly quote?: boolean; readonly at?: string };

/** Characters of a received text that are repeated; no private key has so few. */
const mostQuoted = 40;
/** Fields that are named where one is unknown. */
const mostNamed = 30;

/**
 * The first fault of a value as a sentence without its full stop.
 *
 * @param whole what the value is, as in "The body"
 * @param telling.at where the value is in what was sent, a JSON pointer
 * @example '"price.amount" must be text, received the number 5; put it in quotes'
 */
export function describeFirstFault(
  schema: unknown,
  value: unknown,
  errors: readonly SchemaError[],
  whole: string,
  telling: Telling = {},
): string {
  const { at = '' } = telling;
  const [first] = errors;
  if (first === undefined) return `${whole} is not valid`;
  if (first.keyword === 'required') {
    const missing = listMissing(first).map((name) => `"${showPath(`${at}${first.instancePath}/${name}`)}"`);
    return `${joinWords(missing, 'and')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  }
  const path = showPath(at + first.instancePath);
  return `${path === '' ? whole : `"${path}"`} ${describeError(schema, value, first, telling)}`;
}

/**
 * What is wrong with each field, a sentence without its full stop each, for whoever mends a file by hand. An option of a union
 * is not told apart.
 */
export function describeFaults(
  schema: unknown,
  value: unknown,
  errors: readonly SchemaError[],
  whole: string,
): string[] {
  const sentences = new Map<string, string>();
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'additionalProperties') continue;
    // Each option of a union has an error of its own at the same place.
    const place = error.keyword === 'required' ? `${error.instancePath}/` : error.instancePath;
    if (!sentences.has(place)) sentences.set(place, describeFirstFault(schema, value, [error], whole));
  }
  return [...sentences.values()];
}

/** Names of the fields that an object lacks. */
export function listMissing(error: SchemaError): readonly string[] {
  return (error.params as { requiredProperties?: readonly string[] }).requiredProperties ?? [];
}

/** `/links/0/url` as `links[0].url`, as far as it can be repeated: names of fields are the sender's words, too. */
export function showPath(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((name) => (/^[0-9]+$/.test(name) ? `[${name}]` : `.${/^[\w-]{1,40}$/.test(name) ? name : '…'}`))
    .join('')
    .replace(/^\./, '');
}

/** What one error says of its field, as in "must be text, received the number 5". */
export function describeError(
  schema: unknown,
  value: unknown,
  error: SchemaError,
  { quote = true }: Telling = {},
): string {
  const found = follow(value, error.instancePath);
  const at = follow(schema, error.schemaPath) as Schema;
  const received = `received ${describeReceived(found, quote && !/secret|key/i.test(error.instancePath))}`;
  switch (error.keyword) {
    case 'required':
      return `lacks ${joinWords(listMissing(error), 'and')}`;
    case 'boolean':
    case 'additionalProperties':
      return describeUnknown(schema, error);
    case 'minLength':
    case 'maxLength':
      return `must have ${describeRange(at.minLength, at.maxLength)} characters, received ${(found as string).length}`;
    case 'minItems':
    case 'maxItems':
      return `must have ${describeRange(at.minItems, at.maxItems)} entries, received ${(found as unknown[]).length}`;
    case 'maxProperties':
      return `must have at most ${at.maxProperties} fields, received ${Object.keys(found as object).length}`;
    case 'uniqueItems':
      return 'has an entry twice; give each once';
    default: {
      const union = /^(.*)\/anyOf\/\d+$/.exec(error.schemaPath)?.[1];
      const wanted = union === undefined ? at : (follow(schema, union) as Schema);
      const remedy = error.keyword === 'type' ? describeRemedy(at, found) : '';
      return `must be ${describeWanted(wanted)}, ${received}${remedy}`;
    }
  }
}

/** A field that is not there to be set, and those that are. */
function describeUnknown(schema: unknown, { keyword, schemaPath, instancePath }: SchemaError): string {
  const owner = keyword === 'boolean' ? schemaPath.slice(0, schemaPath.lastIndexOf('/')) : schemaPath;
  const known = Object.keys((follow(schema, owner) as Schema).properties ?? {});
  if (known.length === 0) return 'is not a known field; there is none here';
  const name = unescapePointer(instancePath.slice(instancePath.lastIndexOf('/') + 1));
  const alike = known.find((each) => plainName(each) === plainName(name));
  if (alike !== undefined) return `is not a known field; it is called "${alike}"`;
  const named = known.slice(0, mostNamed).join(', ');
  return `is not a known field; known here: ${named}${known.length > mostNamed ? ', …' : ''}`;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function describeWanted(schema: Schema): string {
  if (schema.anyOf !== undefined) return joinWords(schema.anyOf.map(describeWanted), 'or');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    const [first, ...more] = schema.enum;
    return more.length === 0 ? JSON.stringify(first) : `one of ${schema.enum.join(', ')}`;
  }
  switch (schema.type) {
    case 'string':
      return schema.pattern === undefined
        ? 'text'
        : (describePattern(schema.pattern) ?? `in the form ${schema.pattern}`);
    case 'integer':
      return `a whole number${describeBounds(schema)}`;
    case 'number':
      return `a number${describeBounds(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'null':
      return 'null';
    default:
      return 'something else';
  }
}

function describeBounds({ minimum, maximum }: Schema): string {
  return minimum === undefined && maximum === undefined ? '' : ` ${describeSpan(minimum, maximum)}`;
}

function describeSpan(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return `of at least ${least}`;
  return least === undefined ? `of at most ${most}` : `from ${least} to ${most}`;
}

function describeRange(least = 0, most: number | undefined = undefined): string {
  if (most === undefined) return `at least ${least}`;
  if (least === most) return String(most);
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

function describeReceived(value: unknown, quote: boolean): string {
  switch (typeof value) {
    case 'string':
      return quote && value.length <= mostQuoted
        ? quoteReceived(value)
        : `a text of ${value.length} characters`;
    case 'number':
      return `the number ${value}`;
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
    default:
      return String(value);
  }
}

/** How a value of the right meaning and the wrong type is written. */
function describeRemedy({ type }: Schema, value: unknown): string {
  if (type === 'string' && typeof value === 'number') return '; put it in quotes';
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber && typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(value))
    return '; leave out the quotes';
  if (type === 'boolean' && (value === 'true' || value === 'false')) return '; leave out the quotes';
  return '';
}

/** What is at the end of a JSON pointer (RFC 6901). */
function follow(root: unknown, pointer: string): unknown {
  let at = root;
  for (const part of pointer.split('/').slice(1))
    at = (at as Record<string, unknown> | undefined)?.[unescapePointer(part)];
  return at;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function joinWords(texts: readonly string[], word: 'and' | 'or'): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} ${word} ${last}`;
}
