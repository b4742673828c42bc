import { setTimeout as delay } from 'node:timers/promises';
import { getStatus } from '@coinfront/sdk/chain/get-status.ts';
import type { Context } from '../shell/context.ts';
import { createProgress } from '../shell/progress.ts';
import type { Session } from './connect.ts';

const askEveryMs = 2_000;

/** Waits until the service's tip has a height. Ends by Ctrl-C only. */
export async function waitForBlock(
  { terminal, signal }: Context,
  { client }: Session,
  height: number,
): Promise<void> {
  const progress = createProgress(terminal);
  try {
    for (;;) {
      const { index } = await getStatus(client);
      if (index.height >= height) return;
      progress.show(`waiting for block ${height}, the tip is ${index.height} …`);
      await delay(askEveryMs, undefined, { signal });
    }
  } finally {
    progress.end();
  }
}
