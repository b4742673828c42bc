import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';

/**
 * The text of a settings' file, as both Node's `--env-file` and systemd's `EnvironmentFile=` read it: values with other than plain
 * characters stand between single quotes, within which neither changes anything.
 *
 * @throws Error for a value with a quote or a line end: the callers' values are URLs and paths, in which these can be encoded
 */
export function writeEnvText(settings: ReadonlyMap<string, string>): string {
  const lines = [...settings].map(([name, value]) => {
    if (/['\n\r\0]/.test(value)) throw new Error(`${name} must not have a single quote or a line end.`);
    return `${name}=${/^[\w./:@,+-]*$/.test(value) ? value : `'${value}'`}`;
  });
  return `# Settings of Coinfront; docs/configuration.md describes all of them.\n${lines.join('\n')}\n`;
}

/** Writes a file that only its owner reads, whole or not at all. One that is there stays, unless it shall be replaced. */
export function writeEnvFile(
  file: string,
  text: string,
  { replace }: { replace: boolean },
): Result<undefined> {
  if (!replace) {
    try {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      return ok(undefined);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return fail(describeThere(file));
    }
  }
  const next = `${file}.${process.pid}`;
  writeFileSync(next, text, { flag: 'wx', mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
  return ok(undefined);
}

/** Why nothing was written. */
export function describeThere(file: string): string {
  return `${file} is there already. Nothing was written: --force replaces it, --env names another one.`;
}
