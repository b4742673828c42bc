/** A serialiser that refuses what does not fit its schema exactly; the real one drops unknown fields silently. */

import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

type Json = Record<string, unknown>;

/** Makes every JSON response of the server fail that has a missing, unknown or ill-typed field. */
export function requireStrictResponses(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    const validator = Compile(spellOutNull(schema as Json) as TSchema);
    return (data: unknown) => {
      const [first] = validator.Errors(data);
      if (first !== undefined) throw new Error(`response: ${first.instancePath} ${first.message}`);
      return JSON.stringify(data);
    };
  });
}

/** OpenAPI's `nullable` as a union that JSON Schema knows. */
export function spellOutNull(schema: Json): Json {
  const { nullable, ...rest } = schema;
  for (const key of ['items', 'additionalProperties']) {
    if (typeof rest[key] === 'object' && rest[key] !== null) rest[key] = spellOutNull(rest[key] as Json);
  }
  if (rest.properties !== undefined) {
    const entries = Object.entries(rest.properties as Record<string, Json>);
    rest.properties = Object.fromEntries(entries.map(([name, each]) => [name, spellOutNull(each)]));
  }
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}
