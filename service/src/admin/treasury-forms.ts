/** Commands about the treasury's ledger and contributors. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { Forms, Understood, Values } from './command.ts';

const aContributor = 'the contributor, such as VC-…';

export const treasuryForms: Forms = {
  'treasury export': { subject: undefined, options: ['format', 'private'], parse: parseExport },
  'treasury reconcile': {
    subject: undefined,
    options: ['head'],
    parse: parseReconcile,
  },
  'treasury contributors list': {
    subject: undefined,
    options: [],
    parse: () => ok({ kind: 'contributor-list' }),
  },
  'treasury contributors hide': {
    subject: aContributor,
    options: [],
    parse: (_, id) => ok({ kind: 'contributor-hide', id }),
  },
  'treasury contributors show': {
    subject: aContributor,
    options: [],
    parse: (_, id) => ok({ kind: 'contributor-show', id }),
  },
  'treasury contributors ban-nickname': {
    subject: aContributor,
    options: [],
    parse: (_, id) => ok({ kind: 'nickname-ban', id }),
  },
};

function parseExport({ format, private: isPrivate }: Values): Result<Understood> {
  if (format !== 'csv' && format !== 'jsonl')
    return fail('"treasury export" needs --format csv or --format jsonl.');
  return ok({ kind: 'treasury-export', format, isPrivate: isPrivate === true });
}

function parseReconcile({ head }: Values): Result<Understood> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(String(head)))
    return fail('--head is the hash of an entry: 64 hex digits.');
  return ok({ kind: 'treasury-reconcile', head: head === undefined ? undefined : String(head) });
}
