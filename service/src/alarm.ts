/** A pause that can be cut short, also by a ring that came before the pause began. */
export type Alarm = {
  ring(): void;
  wait(longestMs: number): Promise<void>;
  /** Whether it has rung since the last pause. */
  readonly hasRung: boolean;
};

import { pause } from './pause.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Creates an alarm; the signal rings it for good. */
export function createAlarm(signal: AbortSignal): Alarm {
  let hasRung = false;
  let wake: AbortController | undefined;
  return {
    get hasRung() {
      return hasRung;
    },
    ring() {
      hasRung = true;
      wake?.abort();
    },
    async wait(longestMs) {
      if (!hasRung) {
        wake = new AbortController();
        const cut = AbortSignal.any([signal, wake.signal]);
        await pause(Math.min(longestMs, LONGEST_TIMER_MS), cut);
      }
      hasRung = false;
    },
  };
}
