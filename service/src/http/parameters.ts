/**
 * Strict reading of path and query parameters, and of the headers that an operation documents.
 *
 * Parameters arrive as text, so integers are converted here, and only from plain decimal digits: "1e3", " 5",
 * "0x10", "+1" and "5.0" are refused, as are unknown and repeated names.
 */

import { describePattern } from '@coinfront/protocol/pattern-words.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { TObject } from 'typebox';
import { AppError } from '../errors.ts';
import { emptyQuery, malformedQuery, type RawQuery } from './query-string.ts';

type ParameterSchema = {
  type?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  enum?: readonly string[];
  default?: unknown;
};

/** Reads one raw value, or throws `invalid_parameter`. */
type ReadValue = (raw: string) => string | number;

/** Checks all values of a path or query; returns them converted and with defaults applied. */
export type ReadParameters = (raw: Record<string, unknown>) => Record<string, string | number>;

/**
 * Builds the reader for a flat object schema of strings and integers.
 *
 * @throws Error when the schema has a property of another type: a defect of the route.
 */
export function compileParameters(schema: TObject, place: 'path' | 'query' | 'header'): ReadParameters {
  const properties = Object.entries(schema.properties as Record<string, ParameterSchema>).map(
    ([name, property]) => ({
      name,
      key: place === 'header' ? name.toLowerCase() : name,
      read: compileValue(name, property),
      fallback: property.default,
    }),
  );
  const required = new Set((schema.required ?? []) as readonly string[]);
  const known = new Set(properties.map(({ name }) => name));
  const expected = properties.length === 0 ? 'none' : [...known].join(', ');

  return (raw) => {
    const values: Record<string, string | number> = {};
    if (place === 'query' && raw !== emptyQuery) checkNames(raw);
    for (const { name, key, read, fallback } of properties) {
      const value = raw[key];
      if (value === undefined) {
        if (fallback !== undefined) values[name] = fallback as string | number;
        else if (required.has(name)) {
          throw new AppError('invalid_parameter', `The ${place} parameter "${name}" is missing.`);
        }
      } else if (typeof value === 'string') {
        values[name] = read(value);
      } else {
        throw new AppError('invalid_parameter', `The ${place} parameter "${name}" is given more than once.`);
      }
    }
    return values;
  };

  function checkNames(raw: Record<string, unknown>): void {
    if ((raw as RawQuery)[malformedQuery]) {
      const detail = 'The query is not valid: a malformed percent-encoding, or too many parts.';
      throw new AppError('invalid_parameter', detail);
    }
    for (const name in raw) {
      if (known.has(name)) continue;
      const detail = `The query parameter ${quoteReceived(name)} is unknown; known here: ${expected}.`;
      throw new AppError('invalid_parameter', detail);
    }
  }
}

function compileValue(name: string, schema: ParameterSchema): ReadValue {
  if (schema.type === 'integer') return compileInteger(name, schema);
  if (schema.type === 'string') return compileString(name, schema);
  throw new Error(`parameter ${name}: type ${schema.type} is not supported`);
}

function compileInteger(
  name: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ParameterSchema,
): ReadValue {
  return (raw) => {
    const value = /^(?:0|[1-9][0-9]{0,15})$/.test(raw) ? Number(raw) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    const range = `a whole number from ${minimum} to ${maximum}`;
    throw new AppError('invalid_parameter', `"${name}" must be ${range}, received ${quoteReceived(raw)}.`);
  };
}

function compileString(name: string, schema: ParameterSchema): ReadValue {
  const { minLength = 0, maxLength = 256, pattern, enum: allowed } = schema;
  const test = pattern === undefined ? undefined : new RegExp(pattern);
  const wanted = pattern === undefined ? '' : (describePattern(pattern) ?? `in the form ${pattern}`);
  return (raw) => {
    if (raw.length < minLength || raw.length > maxLength) {
      const lengths = minLength === maxLength ? `${minLength}` : `${minLength} to ${maxLength}`;
      throw new AppError(
        'invalid_parameter',
        `"${name}" must have ${lengths} characters, received ${raw.length}.`,
      );
    }
    if (test !== undefined && !test.test(raw)) {
      throw new AppError('invalid_parameter', `"${name}" must be ${wanted}, received ${quoteReceived(raw)}.`);
    }
    if (allowed !== undefined && !allowed.includes(raw)) {
      const list = allowed.join(', ');
      throw new AppError(
        'invalid_parameter',
        `"${name}" must be one of ${list}, received ${quoteReceived(raw)}.`,
      );
    }
    return raw;
  };
}
