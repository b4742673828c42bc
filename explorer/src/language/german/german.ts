import { chain } from './chain.ts';
import { codes } from './codes.ts';
import { documents } from './documents.ts';
import { errors } from './errors.ts';
import { frame } from './frame.ts';
import { mining } from './mining.ts';
import { names } from './names.ts';
import { proofs } from './proofs.ts';
import { registry } from './registry.ts';
import { transactions } from './transactions.ts';
import { wallets } from './wallets.ts';

const relative = new Intl.RelativeTimeFormat('de-DE');
const toSecond = new Intl.DateTimeFormat('de-DE', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});
const toMinute = new Intl.DateTimeFormat('de-DE', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** German. It comes to those who read it. */
export const german = {
  id: 'de' as const,
  locale: 'de-DE',
  group: '.',
  point: ',',
  messages: {
    ...frame,
    ...chain,
    ...transactions,
    ...names,
    ...mining,
    ...registry,
    ...proofs,
    ...documents,
    ...wallets,
  },
  nouns: {
    block: ['Block', 'Blöcke'] as const,
    transaction: ['Transaktion', 'Transaktionen'] as const,
    confirmation: ['Bestätigung', 'Bestätigungen'] as const,
    input: ['Eingang', 'Eingänge'] as const,
    output: ['Ausgang', 'Ausgänge'] as const,
    level: ['Ebene', 'Ebenen'] as const,
    byte: ['Byte', 'Byte'] as const,
    'weight unit': ['Gewichtseinheit', 'Gewichtseinheiten'] as const,
    period: ['Periode', 'Perioden'] as const,
    slot: ['Zeitfenster', 'Zeitfenster'] as const,
    machine: ['Maschine', 'Maschinen'] as const,
    miner: ['Miner', 'Miner'] as const,
    transfer: ['Übertragung', 'Übertragungen'] as const,
    operation: ['Operation', 'Operationen'] as const,
    day: ['Tag', 'Tage'] as const,
    month: ['Monat', 'Monate'] as const,
    year: ['Jahr', 'Jahre'] as const,
  },
  codes,
  errors,
  formatRelative: (value: number, unit: Intl.RelativeTimeFormatUnit) => relative.format(value, unit),
  formatUtc: (date: Date, isToMinute: boolean) => (isToMinute ? toMinute : toSecond).format(date),
};

/** What there is in German: the keys of all other languages. */
export type German = typeof german;
