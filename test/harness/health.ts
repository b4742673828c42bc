import type { HealthJson } from '../../api/chain-state.ts';
import { waitUntil } from './litecoind.ts';
import type { TestService } from './service.ts';

/** Waits until /health says `status`, and gives the whole answer. Every answer on the way there must be a 200. */
export async function waitForHealth(
  service: TestService,
  status: HealthJson['status'],
  timeoutMs = 90_000,
): Promise<HealthJson> {
  let last: HealthJson | undefined;
  try {
    await waitUntil(
      `health is ${status}`,
      async () => {
        const answer = await service.get('/api/v1/health');
        if (answer.status !== 200) throw new Error(`Health answered ${answer.status}: ${answer.text}`);
        last = answer.json as HealthJson;
        return last.status === status;
      },
      timeoutMs,
    );
  } catch (cause) {
    throw new Error(`Health is ${JSON.stringify(last)}, not ${status}:\n${service.printed()}`, { cause });
  }
  return last!;
}
