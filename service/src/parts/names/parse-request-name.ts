import { NAME_FAULTS, type ParsedName, parseName } from '@coinfront/protocol/names/name-syntax.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import { AppError } from '../../errors.ts';

/**
 * The name that a request gives.
 *
 * @throws AppError `name_invalid`
 */
export function parseRequestName(text: string, rules: NameRules): ParsedName {
  const parsed = parseName(text, rules);
  if (parsed.ok) return parsed.value;
  const endings = parsed.reason === 'name_tld' ? ` They are: ${rules.tlds.join(', ')}.` : '';
  throw new AppError(
    'name_invalid',
    `${quoteReceived(text)} is no name (${parsed.reason}): ${NAME_FAULTS[parsed.reason]}${endings}`,
  );
}
