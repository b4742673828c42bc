/** Types of answers as declarations that an editor can show: each field with its description. */

/** As much of JSON Schema as the service's answers use. */
export type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/**
 * The type that a schema describes, with its descriptions as doc comments.
 *
 * @param known - the type as it can be named otherwise, which stands where the schema says something that is not known here
 */
export function writeType(schema: Schema, known: string, indent = ''): string {
  const type = writePlain(schema, known, indent);
  if (type === undefined) return known;
  return schema.nullable === true ? `${type} | null` : type;
}

function writePlain(schema: Schema, known: string, indent: string): string | undefined {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `(${schema.enum.map((each) => JSON.stringify(each)).join(' | ')})`;
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.items && `(${writeType(schema.items, `NonNullable<${known}>[number]`, indent)})[]`;
    case 'object':
      return schema.properties && writeObject(schema, schema.properties, known, indent);
    default:
      return undefined;
  }
}

function writeObject(
  { required = [] }: Schema,
  properties: Readonly<Record<string, Schema>>,
  known: string,
  indent: string,
): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, property]) => {
    const quoted = JSON.stringify(name);
    const place = `NonNullable<${known}>[${quoted}]`;
    const isRequired = required.includes(name);
    const type = writeType(property, isRequired ? place : `Exclude<${place}, undefined>`, inner);
    const comment = property.description && `${inner}/** ${escapeComment(property.description)} */`;
    return [...(comment ? [comment] : []), `${inner}${quoted}${isRequired ? '' : '?'}: ${type};`];
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function escapeComment(text: string): string {
  return text.replaceAll('*/', '*\\/').replaceAll('\n', ' ');
}

const alias = /^(export type (\w+) =) Static<typeof (\w+)>;$/gm;

/**
 * Replaces `export type X = Static<typeof Y>;` in the source of a module of `api/` by the type itself.
 *
 * @param exported - what the module exports
 * @param check - takes, for each type replaced, its name and the one it had
 */
export function describeTypes(
  source: string,
  exported: Readonly<Record<string, unknown>>,
  check: (name: string, schema: string) => void,
): string {
  return source.replace(alias, (whole, start: string, name: string, schema: string) => {
    const known = `Static<typeof ${schema}>`;
    const type = exported[schema] === undefined ? known : writeType(exported[schema] as Schema, known);
    if (type === known) return whole;
    check(name, schema);
    return `${start} ${type};`;
  });
}
