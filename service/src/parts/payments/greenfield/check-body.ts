import { describeError, listMissing, type SchemaError, showPath } from '@coinfront/protocol/schema-faults.ts';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../../../errors.ts';
import { type FieldFault, FieldFaults } from './greenfield-errors.ts';

/** Faults that one answer tells at most. */
const MAX_FAULTS = 10;

/** Makes the check of a body. It throws `FieldFaults`, or AppError `invalid_body` for what is no object. */
export function compileBody<B extends TSchema>(schema: B): (body: unknown) => Static<B> {
  const validator = Compile(schema);
  return (body) => {
    if (validator.Check(body)) return body as Static<B>;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new AppError('invalid_body', 'The body must be a JSON object.');
    }
    throw new FieldFaults(...listFaults(schema, body, validator.Errors(body)));
  };
}

/** One fault a field, of the innermost fields: what may be an object or null says of each how it is neither. */
function listFaults(schema: TSchema, body: unknown, errors: readonly SchemaError[]): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const error of errors) {
    const { instancePath } = error;
    for (const name of listMissing(error)) {
      const path = showPath(`${instancePath}/${name}`);
      faults.set(path, { path, message: 'It is missing.' });
    }
    if (error.keyword === 'required') continue;
    const path = showPath(instancePath);
    faults.set(path, { path, message: `It ${describeError(schema, body, error)}.` });
  }
  const paths = [...faults.keys()];
  const isInner = (path: string) =>
    !paths.some((each) => each.startsWith(`${path}.`) || each.startsWith(`${path}[`));
  return [...faults.values()].filter(({ path }) => isInner(path)).slice(0, MAX_FAULTS);
}
