/** `coin`: the wallet and the client on the command line. Keys are read from the wallet's file and stay in this process. */

import { homedir } from 'node:os';
import { commands } from './commands.ts';
import { createTerminal } from './shell/process-terminal.ts';
import { runCommandLine } from './shell/run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('interrupted')));
// A reader that has seen enough, such as head, is no failure.
process.stdout.once('error', () => process.exit());

process.exitCode = await runCommandLine(commands, process.argv.slice(2), {
  terminal: createTerminal(process),
  home: homedir(),
  signal: interruption.signal,
});
