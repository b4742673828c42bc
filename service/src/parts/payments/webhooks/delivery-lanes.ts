/** Lanes: what shares the bounds of one receiver, as text. */

/**
 * What shares the bounds of one receiver: a merchant's deliveries to one scheme, host and port.
 *
 * @param queue the endpoint whose deliveries are sent one after another; null where their order does not matter
 */
export function laneOf(merchantId: string, url: string, queue: string | null = null): string {
  return [merchantId, new URL(url).origin, ...(queue === null ? [] : [queue])].join(' ');
}

/** Whether deliveries of a lane are sent one after another. */
export function isQueue(lane: string): boolean {
  return lane.split(' ').length > 2;
}

/** Scheme, host and port of a lane. */
export function originOf(lane: string): string {
  return lane.split(' ')[1]!;
}

/** Merchant of a lane. */
export function merchantOf(lane: string): string {
  return lane.slice(0, lane.indexOf(' '));
}
