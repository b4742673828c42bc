/** Commands about descriptions of tokens. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Forms, Values } from './command.ts';

const REASON_LENGTH = 500;
const aSubmission = 'the submission, such as tms_…';

export const tokenForms: Forms = {
  'tokens review list': { subject: undefined, options: [], parse: () => ok({ kind: 'review-list' }) },
  'tokens review show': {
    subject: aSubmission,
    options: ['logo'],
    parse: ({ logo }, id) =>
      ok({ kind: 'review-show', id, logoFile: typeof logo === 'string' ? logo : null }),
  },
  'tokens review approve': {
    subject: aSubmission,
    options: [],
    parse: (_, id) => ok({ kind: 'review-approve', id }),
  },
  'tokens review reject': {
    subject: aSubmission,
    options: ['reason'],
    parse: (values, id) => withReason(values, (reason) => ({ kind: 'review-reject', id, reason })),
  },
  'tokens withdraw': {
    subject: 'the token: 64 hex digits',
    options: ['reason'],
    parse: (values, tokenId) => withReason(values, (reason) => ({ kind: 'withdraw', tokenId, reason })),
  },
};

function withReason<T>(values: Values, make: (reason: string) => T): Result<T> {
  const reason = String(values.reason ?? '').trim();
  if (reason === '') return fail('A --reason is needed: the issuer reads it.');
  if (reason.length > REASON_LENGTH || !isPrintable(reason))
    return fail(`--reason has at most ${REASON_LENGTH} printable characters.`);
  return ok(make(reason));
}

function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
