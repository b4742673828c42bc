import type { SpendBudget } from '../../../http/rate-limit.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Session } from './session.ts';

/** Charges sessions for what they ask, from the same budgets as requests over HTTP. */
export type Charge = {
  /** Before a call is answered. @throws RpcError `tooMuch` */
  before(session: Session, units: number): void;
  /** What was found out afterwards; the next minutes pay for it. What was paid too much is credit of the session. */
  after(session: Session, units: number): void;
};

/** Units that are taken at once: a call costs a small part of one. */
const UNITS_AT_ONCE = 1;
/** What sums of hundredths are off by at most. */
const ROUNDING = 1e-6;

/** @param spend undefined where there is no limit */
export function createCharge(spend: SpendBudget | undefined): Charge {
  return {
    before(session, units) {
      if (spend === undefined) return;
      if (session.credit + ROUNDING < units) {
        const wanted = Math.max(UNITS_AT_ONCE, Math.ceil(units - session.credit));
        const budget = spend(session.client, wanted, Date.now());
        if (!budget.allowed)
          throw new RpcError(
            'tooMuch',
            `excessive resource usage: each client has ${budget.limit} request units a minute; try again in ${budget.retrySeconds} s`,
          );
        session.credit += wanted;
      }
      session.credit -= units;
    },
    after(session, units) {
      if (spend === undefined) return;
      session.credit -= units;
      if (session.credit > -UNITS_AT_ONCE) return;
      const owed = Math.floor(-session.credit);
      spend.owe(session.client, owed, Date.now());
      session.credit += owed;
    },
  };
}
