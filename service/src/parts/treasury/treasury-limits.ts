/** What one client, one contributor and one day may use of the treasury. docs/treasury.md names each. */
export const treasuryLimits = {
  /** Contributors that are registered a day (UTC): each is a row that is kept for good. */
  contributorsPerDay: 10_000,
  /** Of these, by one client; networks around it have a few times as many, and none a tenth of the day's. */
  contributorsPerClient: 50,
  /** Intents of one contributor that are not closed and have no contribution: each holds an exact amount. */
  unpaidIntents: 200,
  /**
   * Exact amounts that one client, and a /48 as a whole, is given a day (UTC). Held for 60 days at most, they are fewer than one
   * requested amount has, so nobody takes all of them from others.
   */
  exactAmountsPerDay: 150,
  /** Wrong secrets that all clients together may try in a minute, of one process. */
  wrongSecretsPerMinute: 1_000,
  /** Request units: what reads or checks a secret, what makes a contributor. */
  secretCost: 5,
  registerCost: 20,
  verifyCost: 5,
  claimCost: 10,
} as const;

/** Seconds that an intent lives unless it says otherwise. */
export const defaultExpirySeconds = 86_400;
/** For how long after its expiry an intent is still credited, and its amount is nobody else's: 30 days. */
export const gracePeriodMs = 30 * 86_400_000;
/** How much longer its amount is held: clocks of processes differ. */
export const holdMarginMs = 60_000;
