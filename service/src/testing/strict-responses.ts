/** A serialiser that refuses what does not fit its schema exactly; the real one drops unknown fields silently. */

import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { spellOutNull } from '../http/nullable.ts';

/** Makes every JSON response of the server fail that has a missing, unknown or ill-typed field. */
export function requireStrictResponses(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    const validator = Compile(spellOutNull(schema as Record<string, unknown>) as TSchema);
    return (data: unknown) => {
      const [first] = validator.Errors(data);
      if (first !== undefined) throw new Error(`response: ${first.instancePath} ${first.message}`);
      return JSON.stringify(data);
    };
  });
}
