import { parseArgs } from 'node:util';
import { misuse } from './cli-error.ts';
import type { Command, Input, Option } from './command.ts';
import { type GlobalOptions, globalOptions } from './context.ts';

/** What was asked for: a command with its input, or help about some. */
export type Parsed =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly input: Input;
      readonly options: GlobalOptions;
    }
  | { readonly kind: 'help'; readonly commands: readonly Command[] };

/**
 * Reads a command line by the table of commands.
 *
 * @throws CliError `misused`
 */
export function parseArguments(commands: readonly Command[], argv: readonly string[]): Parsed {
  const { words, at } = findWords(argv);
  if (words.length === 0 || words[0] === 'help') {
    return { kind: 'help', commands: findHelped(commands, words.slice(1).join(' ')) };
  }
  const found = findCommand(commands, words);
  if (found === undefined) {
    if (words.length === 1 && argv.includes('--help')) {
      return { kind: 'help', commands: findHelped(commands, words[0]!) };
    }
    const known = commands.some(({ name }) => name.startsWith(`${words[0]} `));
    const more = known ? ` See: coin help ${words[0]}` : ' See: coin help';
    if (known && words.length === 1) throw misuse(`"coin ${words[0]}" needs to know what to do.${more}`);
    throw misuse(`"${words.slice(0, known ? 2 : 1).join(' ')}" is no command.${more}`);
  }
  const { command, wordCount } = found;
  const taken = new Set(at.slice(0, wordCount));
  const { values, positionals } = parseStrictly(
    command,
    argv.filter((_, index) => !taken.has(index)),
  );
  if (values.help) return { kind: 'help', commands: [command] };
  const { own, shared } = splitOptions(values);
  checkChoices(command, own);
  return {
    kind: 'run',
    command,
    options: shared,
    input: { options: own, args: readArguments(command, positionals) },
  };
}

/** A command and those below it; all when there is none of the name. */
function findHelped(commands: readonly Command[], name: string): readonly Command[] {
  const found = commands.filter((each) => each.name === name || each.name.startsWith(`${name} `));
  return found.length > 0 ? found : commands;
}

/** The words before any option of the command: options that all commands take may stand before its name. */
export function findWords(argv: readonly string[]): { words: string[]; at: number[] } {
  const words: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const each = argv[index]!;
    if (each.startsWith('-')) {
      const option = (globalOptions as Readonly<Record<string, Option>>)[each.replace(/^--/, '')];
      if (option?.value !== undefined) index += 1;
      else if (option === undefined && !each.includes('=')) break;
      continue;
    }
    words.push(each);
    at.push(index);
  }
  return { words, at };
}

function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; wordCount: number } | undefined {
  for (const wordCount of [3, 2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, wordCount).join(' '));
    if (command !== undefined && words.length >= wordCount) return { command, wordCount };
  }
  return undefined;
}

type Values = Record<string, string | boolean | undefined>;

function parseStrictly(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  const described: Readonly<Record<string, Option>> = { ...globalOptions, ...command.options };
  const options = Object.fromEntries(
    Object.entries(described).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    });
    return { values: values as Values, positionals };
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw misuse(`${sentence}. See: coin help ${command.name}`);
  }
}

function splitOptions(values: Values): { own: Values; shared: GlobalOptions } {
  const isShared = ([name]: [string, unknown]) => name in globalOptions;
  const entries = Object.entries(values);
  return {
    own: Object.fromEntries(entries.filter((each) => !isShared(each))),
    shared: Object.fromEntries(entries.filter(isShared)) as GlobalOptions,
  };
}

function checkChoices(command: Command, own: Values): void {
  for (const [name, value] of Object.entries(own)) {
    const choices = command.options[name]?.choices;
    if (choices === undefined || choices.includes(String(value))) continue;
    throw misuse(`--${name} is one of ${choices.join(', ')}; received "${value}".`);
  }
}

function readArguments(command: Command, given: readonly string[]): Input['args'] {
  const args: Record<string, string | readonly string[]> = {};
  for (const [index, { name, optional, rest }] of command.args.entries()) {
    const value = given[index];
    if (value === undefined) {
      if (optional) break;
      throw misuse(`"coin ${command.name}" needs <${name}>. See: coin help ${command.name}`);
    }
    args[name] = rest ? given.slice(index) : value;
  }
  const takesAll = command.args.at(-1)?.rest === true;
  if (!takesAll && given.length > command.args.length) {
    throw misuse(`"coin ${command.name}" does not take "${given[command.args.length]}".`);
  }
  return args;
}
