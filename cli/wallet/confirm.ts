import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { makePrintable } from '../shell/printable.ts';

/**
 * Shows what is about to be done, and asks; with `--yes` it is shown and done.
 *
 * @throws CliError `declined`, `confirmation_needed`
 */
export async function confirm(
  { terminal, options }: Context,
  shown: readonly string[],
  question: string,
): Promise<void> {
  terminal.note(`${shown.map(makePrintable).join('\n')}\n`);
  if (options.yes) return;
  if (!terminal.isInteractive) {
    const detail = 'Nobody can be asked whether this is meant: look at it above, then give --yes.';
    throw new CliError('confirmation_needed', detail, exitCodes.declined);
  }
  const answer = await terminal.ask(`${question} Type yes: `);
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new CliError('declined', 'Not confirmed: nothing was signed.', exitCodes.declined);
}
