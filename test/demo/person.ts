import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A person at a terminal: types commands, and answers what they ask. */
export type Person = {
  /** Types a command, and waits until it has ended; gives what the terminal showed, and the exit code. */
  type(command: string): Promise<{ shown: string; code: number }>;
  leave(): Promise<void>;
};

export type PersonOptions = {
  folder: string;
  home: string;
  env: NodeJS.ProcessEnv;
  /** Begins a command somewhere else than on this machine. */
  enter?: (...command: string[]) => [string, string[]];
  /** What is typed when the terminal shows this line last, besides answers to `coin`; undefined when nothing is asked. */
  answer?: (line: string) => string | undefined;
};

const PASSPHRASE = 'a passphrase that is long enough';
/** What the shell shows when it waits for the next command. */
const PROMPT = /@@(\d+)@@ $/;
/** How a program moves the cursor about. */
const MOVEMENT = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]|\\r`, 'g');
const PATIENCE_MS = 120_000;

/** Sits a person down in a folder. */
export async function seatPerson({
  folder,
  home,
  env,
  enter,
  answer: answerMore,
}: PersonOptions): Promise<Person> {
  // What gives a shell a terminal: part of every Debian.
  const terminal = ['script', '-qfc', 'bash --norc --noprofile -i', '/dev/null'] as const;
  const [program, args] = enter?.(...terminal) ?? [terminal[0], terminal.slice(1)];
  const shell = spawn(program, args, {
    cwd: folder,
    env: { ...env, HOME: home, TERM: 'dumb', HISTFILE: '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  let words: string[] = [];
  let wake = () => {};
  shell.stdout.on('data', (chunk) => {
    shown += String(chunk);
    wake();
  });

  /** What is typed when the terminal shows this last; undefined when nothing is asked. */
  function answer(): string | undefined {
    const line = shown.slice(shown.lastIndexOf('\n') + 1);
    const asked = /type word (\d+): $/.exec(line);
    if (asked) {
      words = [...shown.matchAll(/\d+\. ([a-z]+)/g)].map(([, word]) => word!);
      return words[Number(asked[1]) - 1] ?? '';
    }
    if (/The words, in their order.*: $/.test(line)) return words.join(' ');
    if (/(Passphrase.*|The same again): $/.test(line)) return PASSPHRASE;
    if (/Type yes: $/.test(line)) return 'yes';
    return answerMore?.(line.replace(MOVEMENT, ''));
  }

  async function waitForPrompt(): Promise<number> {
    const deadline = Date.now() + PATIENCE_MS;
    // Each question has a line of its own.
    let answeredLine = -1;
    for (;;) {
      const prompt = PROMPT.exec(shown);
      if (prompt) return Number(prompt[1]);
      const typed = answer();
      const line = shown.lastIndexOf('\n');
      if (typed !== undefined && line !== answeredLine) {
        answeredLine = line;
        shell.stdin.write(`${typed}\n`);
      }
      if (Date.now() > deadline) throw new Error(`The terminal waits for something:\n${shown}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  shell.stdin.write("PS1='@@$?@@ '\n");
  await waitForPrompt();
  const person: Person = {
    async type(command) {
      shown = '';
      shell.stdin.write(`${command}\n`);
      const code = await waitForPrompt();
      return { shown: shown.replace(PROMPT, ''), code };
    },
    async leave() {
      const gone = once(shell, 'exit');
      // Whatever still waits for an answer ends with its terminal.
      shell.kill('SIGTERM');
      await gone;
      shell.stdin.destroy();
      shell.stdout.destroy();
    },
  };
  await person.type("stty cols 2000; bind 'set enable-bracketed-paste off'");
  return person;
}
