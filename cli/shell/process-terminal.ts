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
    ask: async (question) => askLine(await loadReadline(), stdin, stderr, question),
    async askSecret(question) {
      const { Writable } = await import('node:stream');
      const readline = await loadReadline();
      // What is typed is echoed to here: nowhere.
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      const answer = askLine(readline, stdin, nowhere, '');
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

/** Most commands ask nothing, and start sooner without it. */
const loadReadline = () => import('node:readline');

function askLine(
  { createInterface }: Awaited<ReturnType<typeof loadReadline>>,
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
