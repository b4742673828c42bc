/** Bounds of alerts. docs/nodes.md names each. */

/** How far the time of a request may be from ours. */
export const REQUEST_AGE_MS = 600_000;
/** Requests a day (UTC) of one client: each may have something sent somewhere. */
export const requestsPerDay = 100;
/** Alerts of one node that wait: of more, the oldest give way. */
export const MAX_WAITING = 200;
/** For so long alerts are kept that were delivered, or not. */
export const KEPT_MS = 7 * 86_400_000;
