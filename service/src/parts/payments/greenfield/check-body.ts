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
    throw new FieldFaults(...listFaults(validator.Errors(body)));
  };
}

type SchemaError = { keyword: string; instancePath: string; message: string; params: object };

/** One fault a field, of the innermost fields: what may be an object or null says of each how it is neither. */
function listFaults(errors: readonly SchemaError[]): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const { keyword, instancePath, message, params } of errors) {
    const missing =
      keyword === 'required' ? (params as { requiredProperties: string[] }).requiredProperties : [''];
    for (const name of missing) {
      const path = writePath(name === '' ? instancePath : `${instancePath}/${name}`);
      const fault = keyword === 'anyOf' ? 'It is not valid' : `It ${message}`;
      faults.set(path, { path, message: name === '' ? `${fault}.` : 'It is missing.' });
    }
  }
  const paths = [...faults.keys()];
  const isInner = (path: string) =>
    !paths.some((each) => each.startsWith(`${path}.`) || each.startsWith(`${path}[`));
  return [...faults.values()].filter(({ path }) => isInner(path)).slice(0, MAX_FAULTS);
}

/** `/checkout/paymentMethods/0` as `checkout.paymentMethods[0]`, as far as it can be repeated. */
function writePath(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((name) => (/^[0-9]+$/.test(name) ? `[${name}]` : `.${/^[\w-]{1,40}$/.test(name) ? name : '…'}`))
    .join('')
    .replace(/^\./, '');
}
