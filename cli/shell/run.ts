import { CliError, describeFailure, type Failure } from './cli-error.ts';
import type { Command } from './command.ts';
import type { Context, Terminal } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { describeAll, describeCommand } from './help.ts';
import { parseArguments } from './parse-arguments.ts';
import { makePrintable, writePrintableJson } from './printable.ts';

/** The world that a command line runs in. */
export type World = Pick<Context, 'home' | 'signal'> & { readonly terminal: Terminal };

/** Runs one command line: prints its answer, or what went wrong, and gives the exit code. */
export async function runCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  { terminal, home, signal }: World,
): Promise<number> {
  const isJson = argv.includes('--json');
  try {
    const parsed = parseArguments(commands, argv);
    if (parsed.kind === 'help') {
      const [first, ...others] = parsed.commands;
      terminal.print(others.length > 0 ? describeAll(parsed.commands) : describeCommand(first!));
      return argv.length === 0 ? exitCodes.misused : exitCodes.done;
    }
    const { command, input, options } = parsed;
    const outcome = await command.run({ terminal, options, home, signal }, input);
    terminal.print(isJson ? writePrintableJson(outcome.json) : outcome.lines.map(makePrintable).join('\n'));
    return outcome.exitCode ?? exitCodes.done;
  } catch (error) {
    const described = describeFailure(error);
    // Whoever interrupts a transaction on its way has to know that it may arrive.
    const failure: Failure =
      signal.aborted && described.exitCode !== exitCodes.unknown
        ? new CliError('interrupted', 'Interrupted.', exitCodes.interrupted)
        : described;
    const { code, message, exitCode, facts } = failure;
    if (isJson) terminal.print(writePrintableJson({ error: { code, message, ...facts } }));
    else terminal.note(`${makePrintable(message)}\n`);
    return exitCode;
  }
}
