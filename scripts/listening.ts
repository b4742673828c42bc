import type { ChildProcess } from 'node:child_process';

/**
 * Waits for the word of a process of ours that it listens, over the IPC channel that it was spawned with. Whatever answers
 * on its port before that may be somebody else's server, which is to get nothing of ours.
 *
 * @returns its base address; undefined when it ended, or could not be started, before it listened
 */
export async function awaitListening(child: ChildProcess): Promise<string | undefined> {
  return await new Promise((resolve) => {
    child.once('exit', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
    child.on('message', (message) => {
      const address = (message as { listening?: unknown } | null)?.listening;
      if (typeof address === 'string') resolve(address);
    });
  });
}
