import { describeFirstFault } from '@coinfront/protocol/schema-faults.ts';
import fc from 'fast-check';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { findOverLong, type LengthSchema } from './over-long.ts';

const text = Type.String({ minLength: 2, maxLength: 5 });
const body = Type.Object({ raw: text, note: Type.Optional(Type.String({ maxLength: 3 })) });

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é'), maxLength: 9 }),
  fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud800'), maxLength: 9 }),
);

test('what is called too long the validator refuses, and in the same words', () => {
  const refusals = new Set<string>();
  const compare = (schema: typeof text | typeof body, value: unknown): void => {
    const validator = Compile(schema);
    const found = findOverLong(schema as LengthSchema, value);
    if (found === undefined) return;
    expect(validator.Check(value)).toBe(false);
    const told = describeFirstFault(schema, value, [found], 'The body');
    expect(
      validator.Errors(value).map((error) => describeFirstFault(schema, value, [error], 'The body')),
    ).toContain(told);
    refusals.add(told);
  };
  fc.assert(fc.property(anyText, (value) => compare(text, value)));
  fc.assert(fc.property(anyText, anyText, (raw, note) => compare(body, { raw, note })));
  expect([...refusals].sort().map((told) => told.replace(/, received .*/, ''))).toEqual(
    expect.arrayContaining([
      '"note" must have at most 3 characters',
      '"raw" must have 2 to 5 characters',
      'The body must have 2 to 5 characters',
    ]),
  );
});

test('a text is judged by its length where each of its units is a character', () => {
  expect(findOverLong(body as LengthSchema, { raw: 'aaaaaa' })).toMatchObject({ instancePath: '/raw' });
  expect(findOverLong(body as LengthSchema, { raw: 'aaaaa', note: 'aaaa' })).toMatchObject({
    instancePath: '/note',
  });
  expect(findOverLong(body as LengthSchema, { raw: '😀😀😀' })).toBeUndefined();
  expect(findOverLong(body as LengthSchema, { raw: 'aaaaa' })).toBeUndefined();
  expect(findOverLong(body as LengthSchema, null)).toBeUndefined();
  expect(findOverLong(body as LengthSchema, ['aaaaaa'])).toBeUndefined();
});
