import { setTimeout as delay } from 'node:timers/promises';

const DAY_MS = 86_400_000;
const ROOM_MS = 20_000;
/** Timers may come a little early. */
const MARGIN_MS = 100;

/** Budgets are those of a day in UTC, which must not end within a test of one: waits for the next where it is about to. */
export async function awaitRoomInDay(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < ROOM_MS) await delay(leftMs + MARGIN_MS);
}
