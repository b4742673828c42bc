import { setTimeout as delay } from 'node:timers/promises';
import { startService, type TestService, type TestServiceOptions } from '../../test/harness/service.ts';

/** The service in a process of its own that is started again whenever it has ended, as a supervisor of the system does. */
export type SupervisedService = {
  readonly service: TestService;
  /** SIGKILL; it is started again after `holdMs`. */
  kill(holdMs: number): Promise<void>;
  /** Ends it, lets something be done while it is down, and starts it again. */
  whileDown(act: () => Promise<void>): Promise<void>;
  /** Ends that nobody asked for, with what it printed, since the last time that this was asked. */
  takeOwnEnds(): string[];
  /** Starts in all. */
  starts(): number;
  stop(): Promise<void>;
};

const LOOK_MS = 30;
/** A service that does not come up is tried again after this, as supervisors do. */
const RETRY_MS = 150;
const SHOWN_CHARS = 2_000;

/**
 * Starts it and waits until it is at the node's tip.
 *
 * @param onGone told of each of its processes that has ended
 */
export async function superviseService(
  options: TestServiceOptions,
  onGone: (pid: number) => void,
): Promise<SupervisedService> {
  const service = await startService(options);
  let isWanted = true;
  let isUp = true;
  let isStopped = false;
  let starts = 1;
  let ownEnds: string[] = [];
  let pid = service.pid();

  function noteGone(): void {
    if (pid !== undefined && pid !== service.pid()) onGone(pid);
    pid = service.pid();
  }

  const supervising = (async () => {
    while (!isStopped) {
      if (isWanted && !service.isRunning()) {
        // One that does not come up says why and is tried again: what it needs may be broken at the moment.
        if (isUp) ownEnds.push(service.printed().slice(-SHOWN_CHARS));
        isUp = false;
        noteGone();
        starts++;
        const starting = service.start();
        pid = service.pid();
        isUp = await starting.then(
          () => true,
          () => false,
        );
        if (!isUp) await delay(RETRY_MS);
      }
      await delay(LOOK_MS);
    }
  })();

  async function down(act: () => Promise<unknown>): Promise<void> {
    isWanted = false;
    isUp = false;
    await service.kill();
    // One that was killed as it came up may have said so just before.
    isUp = false;
    await act();
    isWanted = true;
  }

  return {
    service,
    kill: (holdMs) => down(() => delay(holdMs)),
    whileDown: (act) => down(act),
    takeOwnEnds() {
      const taken = ownEnds;
      ownEnds = [];
      return taken;
    },
    starts: () => starts,
    async stop() {
      isStopped = true;
      isWanted = false;
      isUp = false;
      await service.kill();
      await supervising;
      noteGone();
    },
  };
}
