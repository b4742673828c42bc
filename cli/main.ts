/** `coin`: the wallet and the client on the command line. Keys are read from the wallet's file and stay in this process. */

import { homedir } from 'node:os';
import { findCommands } from './command-table.ts';
import { exitCodes } from './shell/exit-codes.ts';
import { createTerminal } from './shell/process-terminal.ts';
import { runCommandLine } from './shell/run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('interrupted')));
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as head, is no failure.
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(
    `What was to be done is done, but the answer could not be written: ${error.message}\n`,
  );
  process.exit(exitCodes.unwritten);
});

const argv = process.argv.slice(2);
process.exitCode = await runCommandLine(await findCommands(argv), argv, {
  terminal: createTerminal(process),
  home: homedir(),
  signal: interruption.signal,
});
