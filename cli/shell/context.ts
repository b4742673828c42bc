/** What every command may use of the world around it. */

/** Where a command reads and writes. Prompts and progress go beside the answer, so that the answer can be piped. */
export type Terminal = {
  /** Whether a person is there to be asked. */
  readonly isInteractive: boolean;
  /** Whether somebody watches what goes beside the answer. */
  readonly isWatched: boolean;
  /** One line of the answer. */
  print(line: string): void;
  /** Text beside the answer, as it is. */
  note(text: string): void;
  /** Asks for a line. */
  ask(question: string): Promise<string>;
  /** Asks for a line that is not shown. */
  askSecret(question: string): Promise<string>;
};

/** Options that every command takes. */
export const globalOptions = {
  wallet: { value: '<file>', summary: 'the wallet (default: ~/.coin/wallet.json)', file: true },
  service: { value: '<url>', summary: "the service (default: the wallet's own)" },
  json: { summary: 'print one JSON object' },
  yes: { summary: 'answer all questions with yes' },
  'passphrase-file': { value: '<file>', summary: 'read the passphrase from a file', file: true },
  'passphrase-fd': { value: '<number>', summary: 'read the passphrase from an open file descriptor' },
  'gap-limit': {
    value: '<number>',
    summary: 'unused addresses in a row that end a search (default: 20)',
  },
  help: { summary: 'describe the command' },
} as const;

export type GlobalOptions = {
  readonly [K in keyof typeof globalOptions]?:
    | ((typeof globalOptions)[K] extends { value: string } ? string : boolean)
    | undefined;
};

export type Context = {
  readonly terminal: Terminal;
  readonly options: GlobalOptions;
  /** The folder that `~` stands for. */
  readonly home: string;
  /** Ends what the command does. */
  readonly signal: AbortSignal;
};
