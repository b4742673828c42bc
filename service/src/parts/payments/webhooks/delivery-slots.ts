import { isQueue, merchantOf, originOf } from './delivery-lanes.ts';

/** How many deliveries may be under way at once. */
export type SlotLimits = { all: number; perMerchant: number; perOrigin: number };

/** Counts what is under way, so that no receiver and no merchant holds up the others. */
export type DeliverySlots = {
  free(): number;
  /** How many more of this lane may begin. */
  roomOf(lane: string): number;
  take(lane: string): void;
  release(lane: string): void;
};

/** Creates the count. */
export function createDeliverySlots(limits: SlotLimits): DeliverySlots {
  const byMerchant = new Map<string, number>();
  const byOrigin = new Map<string, number>();
  const byQueue = new Map<string, number>();
  let all = 0;
  const add = (counts: Map<string, number>, key: string, change: number): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  const change = (lane: string, by: number): void => {
    all += by;
    add(byMerchant, merchantOf(lane), by);
    add(byOrigin, originOf(lane), by);
    if (isQueue(lane)) add(byQueue, lane, by);
  };
  return {
    free: () => limits.all - all,
    roomOf: (lane) =>
      Math.min(
        limits.all - all,
        limits.perMerchant - (byMerchant.get(merchantOf(lane)) ?? 0),
        limits.perOrigin - (byOrigin.get(originOf(lane)) ?? 0),
        isQueue(lane) ? 1 - (byQueue.get(lane) ?? 0) : limits.all,
      ),
    take: (lane) => change(lane, 1),
    release: (lane) => change(lane, -1),
  };
}
