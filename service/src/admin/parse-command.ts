/** What the operator typed, as a command. */

import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { type Command, type Forms, options, type Values } from './command.ts';
import { dataForms } from './data-forms.ts';
import { merchantForms } from './merchant-forms.ts';
import { registryForms } from './registry-forms.ts';
import { tokenForms } from './token-forms.ts';
import { treasuryForms } from './treasury-forms.ts';

const forms: Forms = { ...merchantForms, ...tokenForms, ...treasuryForms, ...registryForms, ...dataForms };

/** Reads the arguments; a reason says what is wrong with them. */
export function parseCommand(args: readonly string[]): Result<Command> {
  let given: { values: Values; positionals: string[] };
  try {
    given = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    return fail((error as Error).message);
  }
  const { values, positionals } = given;
  const { named, subject, rest } = splitPositionals(positionals);
  const form = forms[named];
  if (form === undefined) return fail(`"${named}" is no command.`);
  const unknown = Object.keys(values).find((name) => name !== 'json' && !form.options.includes(name));
  if (unknown !== undefined) return fail(`"${named}" has no option --${unknown}.`);
  if (rest.length > 0 || (subject !== undefined && form.subject === undefined))
    return fail(`"${named}" got more arguments than it has.`);
  if (form.subject !== undefined && subject === undefined) return fail(`"${named}" needs ${form.subject}.`);
  const parsed = form.parse(values, subject ?? '');
  return parsed.ok ? ok({ ...parsed.value, json: values.json === true }) : parsed;
}

/** Of what there is a list, and more that is done to one of it: such commands have three words. */
const listed: readonly string[] = ['tokens review', 'treasury contributors'];

/** Commands of one word. */
const single: readonly string[] = ['backup', 'restore', 'verify-index', 'build-index', 'doctor'];

/** What is done, of three words, of two or of one; then what it is done to. */
function splitPositionals(given: readonly string[]) {
  const isListed = listed.includes(given.slice(0, 2).join(' '));
  const length = isListed ? 3 : single.includes(given[0] ?? '') ? 1 : 2;
  const words = isListed ? [...given.slice(0, 2), given[2] ?? 'list'] : given.slice(0, length);
  const [subject, ...rest] = given.slice(length);
  return { named: words.join(' '), subject, rest };
}
