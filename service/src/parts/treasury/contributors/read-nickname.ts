import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { type Nickname, parseNickname } from '@coinfront/protocol/treasury/nickname.ts';
import { AppError } from '../../../errors.ts';
import type { NicknameRefusal } from './nickname-store.ts';

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

/** The nickname of a body that can take one away, too: null is none, and looks like nothing. */
export function readChosenNickname(
  text: string | null,
  profile: CoinProfile,
): { nickname: string | null; skeletons: readonly string[] } {
  return text === null ? { nickname: null, skeletons: [] } : readNickname(text, profile);
}

/** A nickname that is not to be had, and why. */
export function refuseNickname(refusal: NicknameRefusal): AppError {
  return new AppError('nickname_taken', `${reasons[refusal]} Choose another. Nothing was changed.`);
}

const reasons: Readonly<Record<NicknameRefusal, string>> = {
  nickname_taken: 'Another contributor has, or had, this nickname or one that looks like it.',
  nickname_rests:
    'Another contributor gave up this nickname, or one that looks like it, less than a year ago, and alone can take it again.',
};
