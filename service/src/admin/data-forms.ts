/** Commands about the set-up and its data: index, backup, doctor. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { type Forms, parseBounded, type Understood, type Values } from './command.ts';

const limits = { keep: { min: 1, max: 10_000 }, atMost: { min: 1, max: 10_000_000 } };

export const dataForms: Forms = {
  'verify-index': { subject: undefined, options: [], parse: () => ok({ kind: 'verify-index' }) },
  'build-index': { subject: undefined, options: [], parse: () => ok({ kind: 'build-index' }) },
  doctor: { subject: undefined, options: [], parse: () => ok({ kind: 'doctor' }) },
  backup: { subject: undefined, options: ['to', 'keep'], parse: parseBackup },
  restore: {
    subject: 'the folder of the backup',
    options: ['replace', 'check', 'leased-since', 'nothing-leased-since'],
    parse: parseRestore,
  },
  'payments retire-leased-since': {
    subject: 'the time at which the copy was made, such as 2026-03-01T12:00:00Z',
    options: ['at-most'],
    parse: parseRetire,
  },
};

function parseBackup({ to, keep }: Values): Result<Understood> {
  if (typeof to !== 'string' || to === '') return fail('"backup" needs --to <folder>.');
  const kept = parseBounded('keep', keep, limits.keep);
  return kept.ok ? ok({ kind: 'backup', within: to, keep: kept.value }) : kept;
}

function parseRestore(values: Values, folder: string): Result<Understood> {
  const isNothing = values['nothing-leased-since'] === true;
  const given = values['leased-since'];
  if (isNothing && given !== undefined)
    return fail('Give --leased-since or --nothing-leased-since, not both.');
  const atMost = parseBounded('leased-since', given, limits.atMost);
  if (!atMost.ok) return atMost;
  return ok({
    kind: 'restore',
    folder,
    replace: values.replace === true,
    isCheck: values.check === true,
    leased: isNothing ? 'nothing' : { atMost: atMost.value },
  });
}

function parseRetire(values: Values, time: string): Result<Understood> {
  // Without a zone it would be a time of the machine, which may be hours off.
  const sinceMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.test(time)
    ? Date.parse(time)
    : Number.NaN;
  if (Number.isNaN(sinceMs)) return fail(`"${time}" is no time in UTC such as 2026-03-01T12:00:00Z.`);
  const atMost = parseBounded('at-most', values['at-most'], limits.atMost);
  return atMost.ok ? ok({ kind: 'retire-leased-since', sinceMs, atMost: atMost.value }) : atMost;
}
