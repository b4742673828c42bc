/** Who a request's secret belongs to. */

import { AppError } from '../../errors.ts';
import { createRateLimiter } from '../../http/rate-limit.ts';
import { createSecretHash, isSameSecretHash } from './contributor-secret.ts';
import { findBySecretHash } from './contributor-store.ts';
import type { TreasuryPartContext } from './treasury-context.ts';
import { treasuryLimits } from './treasury-limits.ts';
import type { ContributorTable, TreasuryTables } from './treasury-tables.ts';

/**
 * Finds the contributor of a secret.
 *
 * @throws AppError `contributor_secret_invalid`, `rate_limited`
 */
export type Authenticate = (secret: string) => Promise<ContributorTable>;

/** Creates the function; wrong secrets of all clients together are counted, however many addresses they come from. */
export function createAuthenticate({
  precious,
  now,
}: Pick<TreasuryPartContext, 'precious' | 'now'>): Authenticate {
  const hashSecret = createSecretHash(precious);
  const spendWrong = createRateLimiter(treasuryLimits.wrongSecretsPerMinute);
  return async (secret) => {
    const hash = await hashSecret(secret);
    const row = await findBySecretHash(precious.query<TreasuryTables>(), hash);
    if (row !== undefined && isSameSecretHash(row.secret_hash, hash)) return row;
    const budget = spendWrong('all', 1, now());
    if (!budget.allowed) {
      throw new AppError('rate_limited', 'Too many wrong secrets are tried at the moment; try again later.', {
        'retry-after': String(budget.resetSeconds),
      });
    }
    throw new AppError(
      'contributor_secret_invalid',
      'No contributor has this "contributor_secret". It was shown once, when the contributor was registered.',
    );
  };
}
