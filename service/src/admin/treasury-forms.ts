/** Commands about the treasury's ledger and contributors. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { findTextFault } from '../shown-text.ts';
import type { Forms, Understood, Values } from './command.ts';

const aContributor = 'the contributor, such as VC-…';

export const treasuryForms: Forms = {
  'treasury export': { subject: undefined, options: ['format', 'private'], parse: parseExport },
  'treasury reconcile': {
    subject: undefined,
    options: ['head', 'key'],
    parse: parseReconcile,
  },
  'treasury assign': { subject: 'the gift, as <txid>:<output>', options: ['to'], parse: parseAssign },
  'treasury unassign': {
    subject: 'the gift, as <txid>:<output>',
    options: [],
    parse: (_, outpoint) => parseGift(outpoint, (gift) => ok({ kind: 'gift-unassign', ...gift })),
  },
  'treasury note': {
    subject: 'the transaction that spends',
    options: ['purpose', 'payee'],
    parse: parseNote,
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

function parseReconcile({ head, key }: Values): Result<Understood> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(String(head)))
    return fail('--head is the hash of an entry: 64 hex digits.');
  const keys = key === undefined ? undefined : String(key).toLowerCase().split(',');
  if (keys !== undefined && !keys.every((each) => /^[0-9a-f]{64}$/.test(each)))
    return fail('--key is a public key of the service, 64 hex digits; several with commas.');
  return ok({ kind: 'treasury-reconcile', head: head === undefined ? undefined : String(head), keys });
}

function parseAssign({ to }: Values, outpoint: string): Result<Understood> {
  return parseGift(outpoint, (gift) =>
    typeof to === 'string'
      ? ok({ kind: 'gift-assign', ...gift, contributorId: to })
      : fail('"treasury assign" needs --to with the contributor, such as VC-…'),
  );
}

function parseGift(
  outpoint: string,
  understand: (gift: { txid: string; vout: number }) => Result<Understood>,
): Result<Understood> {
  const [, txid, vout] = /^([0-9a-f]{64}):(0|[1-9]\d{0,9})$/.exec(outpoint.toLowerCase()) ?? [];
  if (txid === undefined || vout === undefined)
    return fail('A gift is named by its txid and output: <txid>:0.');
  return understand({ txid, vout: Number(vout) });
}

/** Characters that what the operator says of a spend may have. */
const MOST_CHARACTERS = { purpose: 200, payee: 100 } as const;

function parseNote({ purpose, payee }: Values, txid: string): Result<Understood> {
  if (!/^[0-9a-f]{64}$/.test(txid)) return fail('A transaction is named by its txid: 64 hex digits.');
  if (typeof purpose !== 'string' || typeof payee !== 'string')
    return fail('"treasury note" needs --purpose and --payee.');
  for (const [name, text] of [
    ['purpose', purpose],
    ['payee', payee],
  ] as const) {
    const fault = findTextFault(text, MOST_CHARACTERS[name], true);
    if (fault !== undefined) return fail(`--${name} ${fault}.`);
  }
  return ok({ kind: 'spend-note', txid, purpose, payee });
}
