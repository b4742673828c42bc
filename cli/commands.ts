import { commandTable } from './command-table.ts';
import { makeCompletionCommands } from './commands/completion.ts';
import type { Command } from './shell/command.ts';

const own = await Promise.all(commandTable.map(([, load]) => load()));

/** Every command: what help and completions are made from. */
export const commands: readonly Command[] = [...own, ...makeCompletionCommands(() => commands)];
