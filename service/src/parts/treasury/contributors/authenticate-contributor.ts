/** Who a request's secret belongs to. */

import { AppError } from '../../../errors.ts';
import type { ContributorTable, TreasuryTables } from '../schema/treasury-tables.ts';
import type { TreasuryPartContext } from '../treasury-context.ts';
import { treasuryLimits } from '../treasury-limits.ts';
import { createSecretHash, isSameSecretHash } from './contributor-secret.ts';
import { findBySecretHash } from './contributor-store.ts';

const MINUTE_MS = 60_000;

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
  let wrong = { minute: 0, count: 0 };
  return async (secret) => {
    const hash = await hashSecret(secret);
    const row = await findBySecretHash(precious.query<TreasuryTables>(), hash);
    if (row !== undefined && isSameSecretHash(row.secret_hash, hash)) return row;
    const minute = Math.floor(now() / MINUTE_MS);
    if (wrong.minute !== minute) wrong = { minute, count: 0 };
    wrong.count += 1;
    if (wrong.count > treasuryLimits.wrongSecretsPerMinute) {
      throw new AppError('rate_limited', 'Too many wrong secrets are tried at the moment; try again later.', {
        'retry-after': String(Math.ceil(((minute + 1) * MINUTE_MS - now()) / 1000)),
      });
    }
    throw new AppError(
      'contributor_secret_invalid',
      'No contributor has this "contributor_secret". It was shown once, when the contributor was registered.',
    );
  };
}
