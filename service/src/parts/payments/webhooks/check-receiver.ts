import type { Result } from '@coinfront/protocol/result.ts';
import { AppError } from '../../../errors.ts';

/**
 * The normalised form of a URL that events can be sent to.
 *
 * @param field its name in the body
 * @throws AppError `webhook_url_refused`
 */
export function checkReceiver(field: string, url: string, check: (url: string) => Result<string>): string {
  const checked = check(url);
  if (checked.ok) return checked.value;
  throw new AppError('webhook_url_refused', `"${field}" ${checked.reason}.`);
}
