import { commands } from '../../cli/commands.ts';
import type { Terminal } from '../../cli/shell/context.ts';
import { runCommandLine } from '../../cli/shell/run.ts';

/** What one run of `coin` printed and ended with. */
export type CoinRun = {
  readonly code: number;
  /** The answer: what a pipe gets. */
  readonly out: string;
  /** Prompts, progress and what is shown before it is confirmed. */
  readonly notes: string;
  // Tests read answers of many shapes, and a wrong field fails their expectation.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
};

export type CoinWorld = {
  readonly home: string;
  /** What a person types, in turn; without it nobody can be asked. */
  readonly typed?: readonly string[];
  /** Ctrl-C. */
  readonly signal?: AbortSignal;
};

/** Runs a command line of `coin` in this process: what `cli/main.ts` does, with a terminal of the test. */
export async function runCoin(
  { home, typed, signal = new AbortController().signal }: CoinWorld,
  ...argv: string[]
): Promise<CoinRun> {
  let out = '';
  let notes = '';
  const left = [...(typed ?? [])];
  const type = async (question: string) => {
    notes += question;
    const next = left.shift();
    if (next === undefined) throw new Error(`nothing was left to be typed at "${question}"`);
    return next;
  };
  const terminal: Terminal = {
    isInteractive: typed !== undefined,
    isWatched: typed !== undefined,
    print: (line) => {
      out += `${line}\n`;
    },
    note: (text) => {
      notes += text;
    },
    ask: type,
    askSecret: type,
  };
  const code = await runCommandLine(commands, argv, {
    terminal,
    home,
    signal,
  });
  return { code, out, notes, json: argv.includes('--json') ? JSON.parse(out) : undefined };
}
