import type { SchemaError } from '@coinfront/protocol/schema-faults.ts';

/** What is looked at of a schema. */
export type LengthSchema = { maxLength?: number; properties?: Record<string, LengthSchema> };

/**
 * A text of a body that is longer than its schema allows, where that is seen by its length alone. A validator counts the
 * characters of what is longer one by one, and more than once: that takes megabytes far longer than all else that is done with them.
 */
export function findOverLong(schema: LengthSchema, body: unknown): SchemaError | undefined {
  if (isOverLong(schema, body)) return describe(schema, '#', '');
  if (typeof body !== 'object' || body === null) return undefined;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (isOverLong(property, (body as Record<string, unknown>)[name]))
      return describe(property, `#/properties/${name}`, `/${name}`);
  }
  return undefined;
}

function isOverLong({ maxLength }: LengthSchema, value: unknown): boolean {
  return (
    maxLength !== undefined &&
    typeof value === 'string' &&
    value.length > maxLength &&
    // Two units of such a text may be one character.
    !/[\ud800-\udfff]/.test(value)
  );
}

function describe({ maxLength }: LengthSchema, schemaPath: string, instancePath: string): SchemaError {
  return { keyword: 'maxLength', schemaPath, instancePath, params: { limit: maxLength }, message: '' };
}
