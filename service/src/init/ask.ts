import { createInterface } from 'node:readline/promises';

/** Asks a person; without one, everything has its default. */
export type Asker = {
  /** Whether somebody answers. */
  isPresent: boolean;
  /** An answer of one line; the default where it is empty. */
  ask(question: string, byDefault?: string): Promise<string>;
  close(): void;
};

/** The person left instead of answering: by the end of the input, or by Ctrl-C. */
export class LeftError extends Error {}

/** Creates what asks; `isPresent`: there is a terminal, and somebody may be asked. */
export function createAsker(isPresent: boolean): Asker {
  if (!isPresent) return { isPresent, ask: async (_, byDefault = '') => byDefault, close() {} };
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const left = new Promise<never>((_, reject) => lines.once('close', () => reject(new LeftError())));
  // Whoever is not being asked anything may leave.
  left.catch(() => {});
  return {
    isPresent,
    async ask(question, byDefault) {
      const text = `${question}${byDefault === undefined ? '' : ` [${byDefault}]`}: `;
      const answer = await Promise.race([lines.question(text), left]);
      return answer.trim() || (byDefault ?? '');
    },
    close: () => lines.close(),
  };
}
