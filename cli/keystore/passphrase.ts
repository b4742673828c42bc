import { readFileSync } from 'node:fs';
import { CliError, misuse } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';

const minPassphraseChars = 8;

/**
 * The passphrase of a wallet that exists: of a file, a descriptor, or a person.
 *
 * @throws CliError `passphrase_needed`
 */
export async function readPassphrase(context: Context): Promise<string> {
  const given = readGivenPassphrase(context);
  if (given !== undefined) return given;
  if (!context.terminal.isInteractive) throw passphraseNeeded();
  return await context.terminal.askSecret('Passphrase: ');
}

/**
 * The passphrase of a wallet that is made; a person types it twice.
 *
 * @throws CliError `passphrase_needed`, `passphrase_weak`, `passphrase_mismatch`
 */
export async function readNewPassphrase(context: Context): Promise<string> {
  const given = readGivenPassphrase(context);
  if (given !== undefined) return checkStrength(given);
  if (!context.terminal.isInteractive) throw passphraseNeeded();
  const { terminal } = context;
  const passphrase = checkStrength(await terminal.askSecret('Passphrase for the wallet file: '));
  if ((await terminal.askSecret('The same again: ')) === passphrase) return passphrase;
  throw new CliError('passphrase_mismatch', 'The two are not the same.', exitCodes.locked);
}

function readGivenPassphrase({ options }: Context): string | undefined {
  const file = options['passphrase-file'];
  if (file !== undefined) return readSecretFile(file);
  const descriptor = options['passphrase-fd'];
  if (descriptor === undefined) return undefined;
  if (!/^[0-9]{1,4}$/.test(descriptor)) throw misuse('--passphrase-fd is a number, such as 3.');
  return readSecretFile(Number(descriptor));
}

/** The one line of a file or descriptor: a line break at its end is none of it. */
export function readSecretFile(file: string | number): string {
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
}

function checkStrength(passphrase: string): string {
  if ([...passphrase].length >= minPassphraseChars) return passphrase;
  const detail = `A passphrase has at least ${minPassphraseChars} characters; four random words are good.`;
  throw new CliError('passphrase_weak', detail, exitCodes.locked);
}

function passphraseNeeded(): CliError {
  const detail = 'Nobody can be asked for the passphrase: give --passphrase-file or --passphrase-fd.';
  return new CliError('passphrase_needed', detail, exitCodes.locked);
}
