import { type Command, defineCommand } from '../shell/command.ts';
import { writeBashCompletion, writeZshCompletion } from '../shell/completions.ts';

/** The commands that write completions of all commands, themselves among them. */
export function makeCompletionCommands(list: () => readonly Command[]): readonly Command[] {
  const make = (shell: string, write: (commands: readonly Command[]) => string) =>
    defineCommand({
      name: `completion ${shell}`,
      summary: `print completions for ${shell}: source <(coin completion ${shell})`,
      args: [],
      options: {},
      async run() {
        const script = write(list());
        return { json: { shell, script }, lines: script.trimEnd().split('\n') };
      },
    });
  return [make('bash', writeBashCompletion), make('zsh', writeZshCompletion)];
}
