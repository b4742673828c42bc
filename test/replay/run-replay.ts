import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

// biome-ignore lint/suspicious/noExplicitAny: lines of several shapes, and a wrong field fails its expectation
export type ReplayLine = { readonly event: string } & Record<string, any>;

export type ReplayEnd = {
  readonly code: number | null;
  readonly lines: readonly ReplayLine[];
  readonly stderr: string;
};

/** `npm run replay`, at work. */
export type Replay = {
  /** The first line that is so, printed or to come. @throws Error when it ends without one */
  waitFor(is: (line: ReplayLine) => boolean): Promise<ReplayLine>;
  readonly ended: Promise<ReplayEnd>;
  /** Interrupts it, as Ctrl-C does. */
  stop(): Promise<ReplayEnd>;
};

const program = new URL('../../replay/main.ts', import.meta.url).pathname;

/** Starts it as a process of its own, with `--json`. */
export function startReplay(...args: readonly string[]): Replay {
  const child = spawn(process.execPath, [program, '--json', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: ReplayLine[] = [];
  let stderr = '';
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const each of waiting.splice(0)) each();
  };
  const reader = createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    wake();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  let isOver = false;
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(([[code]]): ReplayEnd => {
    isOver = true;
    wake();
    return { code, lines, stderr };
  });
  return {
    ended,
    async waitFor(is) {
      for (;;) {
        const line = lines.find(is);
        if (line) return line;
        if (isOver) throw new Error(`It ended: ${stderr}${JSON.stringify(lines.at(-1))}`);
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
      }
    },
    async stop() {
      child.kill('SIGINT');
      return await ended;
    },
  };
}

/** Runs it to its end. */
export function runReplay(...args: readonly string[]): Promise<ReplayEnd> {
  return startReplay(...args).ended;
}
