import { createInterface } from 'node:readline/promises';

/** Asks a person; without one, everything has its default. */
export type Asker = {
  /** Whether somebody answers. */
  isPresent: boolean;
  /** An answer of one line; the default where it is empty. */
  ask(question: string, byDefault?: string): Promise<string>;
  close(): void;
};

export function createAsker(isPresent: boolean): Asker {
  if (!isPresent) return { isPresent, ask: async (_, byDefault = '') => byDefault, close() {} };
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return {
    isPresent,
    async ask(question, byDefault) {
      const answer = await lines.question(`${question}${byDefault === undefined ? '' : ` [${byDefault}]`}: `);
      return answer.trim() || (byDefault ?? '');
    },
    close: () => lines.close(),
  };
}
