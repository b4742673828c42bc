/** Checks bodies against the schemas of an OpenAPI document. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { spellOutNull } from '../http/nullable.ts';

type Json = Record<string, unknown>;
type Components = { components: { schemas: Json } };

/** What is wrong with a body, one line each; `schema` may refer to the components of `document`. */
export function findMismatches(schema: Json, document: Components, body: unknown): string[] {
  const validator = Compile(spellOutNull(resolveSchema(schema, document)) as TSchema);
  return validator.Errors(body).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A schema with its references written out. */
function resolveSchema(schema: Json, document: Components): Json {
  if (typeof schema.$ref === 'string') {
    return resolveSchema(document.components.schemas[schema.$ref.split('/').at(-1)!] as Json, document);
  }
  if (Array.isArray(schema.allOf) && schema.nullable === true) {
    return { ...resolveSchema(schema.allOf[0] as Json, document), nullable: true };
  }
  const copy: Json = { ...schema };
  if (typeof schema.items === 'object') copy.items = resolveSchema(schema.items as Json, document);
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties as Record<string, Json>);
    copy.properties = Object.fromEntries(entries.map(([key, each]) => [key, resolveSchema(each, document)]));
  }
  return copy;
}
