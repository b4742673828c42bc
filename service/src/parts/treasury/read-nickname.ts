import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { type Nickname, parseNickname } from '@coinfront/protocol/treasury/nickname.ts';
import { AppError } from '../../errors.ts';

/**
 * The nickname of a body; names of the coin are nobody's.
 *
 * @throws AppError `nickname_invalid`
 */
export function readNickname(text: string, { name, ticker, id }: CoinProfile): Nickname {
  const parsed = parseNickname(text, [name, ticker, id]);
  if (parsed.ok) return parsed.value;
  throw new AppError('nickname_invalid', `"nickname": ${parsed.reason}.`);
}

/** A nickname that somebody else has, or had and lost. */
export function nicknameTaken(): AppError {
  return new AppError(
    'nickname_taken',
    'Another contributor has this nickname, or one that looks like it. Nothing was changed.',
  );
}
