type Json = Record<string, unknown>;

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
