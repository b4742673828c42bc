import type { Context } from './context.ts';

/** An option of a command: with `value` it takes one, else it is a switch. */
export type Option = {
  /** What stands for the value in help: `<file>`. */
  readonly value?: string;
  readonly summary: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** Whether it names a file, for completions. */
  readonly file?: boolean;
};

/** What a command is given by its place. Only the last may be optional or the rest. */
export type Argument = {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  /** All that follows, one at least. */
  readonly rest?: boolean;
  readonly file?: boolean;
};

/** What a command gives: for programs and for people. */
export type Outcome = {
  /** Printed with `--json`. Amounts are decimal texts of coins. */
  readonly json: object;
  /** Printed without, one line each: what others wrote in them cannot break out of its line. */
  readonly lines: readonly string[];
  /** See `exit-codes.ts`; done unless given. */
  readonly exitCode?: number;
};

/** What was typed, by name; not given is undefined. */
export type Input = {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly args: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** A command: one row of the table that parsing, help and completions are made from. */
export type Command = {
  /** One word, two or three. */
  readonly name: string;
  readonly summary: string;
  /** More, for its help. */
  readonly details?: string;
  readonly args: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  run(context: Context, input: Input): Promise<Outcome>;
};

type OptionValues<O> = {
  readonly [K in keyof O]: (O[K] extends { value: string } ? string : boolean) | undefined;
};
type ArgumentValues<A extends readonly Argument[]> = {
  readonly [X in A[number] as X['name']]: X extends { rest: true }
    ? readonly string[]
    : X extends { optional: true }
      ? string | undefined
      : string;
};

/** Describes a command; what `run` gets is typed by its own options and arguments. */
export function defineCommand<
  const O extends Readonly<Record<string, Option>>,
  const A extends readonly Argument[],
>(command: {
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly args: A;
  readonly options: O;
  run(
    context: Context,
    input: { readonly options: OptionValues<O>; readonly args: ArgumentValues<A> },
  ): Promise<Outcome>;
}): Command {
  // The parser has checked what is given against the same description.
  return command as Command;
}
