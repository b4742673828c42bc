import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError } from './cli-error.ts';
import type { Terminal } from './context.ts';
import { exitCodes } from './exit-codes.ts';

/** What {@link createTerminal} needs of a process. */
export type Streams = {
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean };
};

/** The terminal of a process: the answer on stdout, all else on stderr. */
export function createTerminal({ stdin, stdout, stderr }: Streams): Terminal {
  const isWatched = stderr.isTTY === true;
  return {
    isInteractive: stdin.isTTY === true && isWatched,
    isWatched,
    print: (line) => void stdout.write(`${line}\n`),
    note: (text) => void stderr.write(text),
    ask: (question) => askLine(stdin, stderr, question),
    async askSecret(question) {
      // What is typed is echoed to here: nowhere.
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      const answer = askLine(stdin, nowhere, '');
      // Only now: what is typed before the terminal stops echoing would be shown.
      stderr.write(question);
      try {
        return await answer;
      } finally {
        stderr.write('\n');
      }
    },
  };
}

function askLine(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<string> {
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  return new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new CliError('interrupted', 'Interrupted.', exitCodes.interrupted)));
    lines.once('close', () => reject(new CliError('declined', 'Nothing was typed.', exitCodes.declined)));
    lines.question(question, resolve);
  }).finally(() => lines.close());
}
