import type { Argument, Command, Option } from './command.ts';
import { globalOptions } from './context.ts';

/** The help of everything: what `coin` without a command prints. */
export function describeAll(commands: readonly Command[]): string {
  const rows = commands.map((command) => [showUse(command), command.summary] as const);
  return [
    'Usage: coin <command> …',
    '',
    ...alignRows(rows),
    '',
    'Options of all commands:',
    ...describeOptions(globalOptions),
    '',
    'More: coin help <command>. A walk-through and exit codes: docs/wallet.md.',
  ].join('\n');
}

/** The help of one command. */
export function describeCommand(command: Command): string {
  const args = command.args.map((each) => [`<${each.name}>`, each.summary] as const);
  return [
    `Usage: coin ${showUse(command)}`,
    '',
    `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`,
    ...(command.details === undefined ? [] : ['', command.details]),
    ...(args.length === 0 ? [] : ['', ...alignRows(args)]),
    ...(Object.keys(command.options).length === 0 ? [] : ['', ...describeOptions(command.options)]),
    '',
    'Options of all commands:',
    ...describeOptions(globalOptions),
  ].join('\n');
}

function showUse({ name, args }: Command): string {
  return [name, ...args.map(showArgument)].join(' ');
}

function showArgument({ name, optional, rest }: Argument): string {
  const shown = rest ? `<${name}> …` : `<${name}>`;
  return optional ? `[${shown}]` : shown;
}

function describeOptions(options: Readonly<Record<string, Option>>): string[] {
  return alignRows(
    Object.entries(options).map(([name, { value, summary, choices }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      summary + (choices === undefined ? '' : `: ${choices.join(', ')}`),
    ]),
  );
}

/** Two columns; a long left one has its right one below. */
function alignRows(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(32, Math.max(...rows.map(([left]) => left.length)));
  return rows.flatMap(([left, right]) =>
    left.length > width
      ? [`  ${left}`, `  ${' '.repeat(width)}  ${right}`]
      : [`  ${left.padEnd(width)}  ${right}`],
  );
}
