/** Amounts as they are shown: all decimals stay, so that columns align; those that say nothing stand back. */

import { language } from '../language/messages.ts';

/** The parts of a decimal amount. */
export type AmountParts = { sign: string; whole: string; said: string; zeros: string };

/** Takes an amount apart; what is no decimal number stays whole. */
export function splitAmount(amount: string): AmountParts {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (match === null) return { sign: '', whole: amount, said: '', zeros: '' };
  const [, sign = '', whole = '', decimals = ''] = match;
  const said = decimals.replace(/0+$/, '');
  return {
    sign,
    whole: whole.replace(/\B(?=(\d{3})+$)/g, language.group),
    said: said === '' ? '' : language.point + said,
    zeros: said === '' && decimals !== '' ? language.point + decimals : decimals.slice(said.length),
  };
}

/** An amount without the zeros at its end, for titles and sentences. */
export function formatAmountShort(amount: string): string {
  const { sign, whole, said } = splitAmount(amount);
  return sign + whole + said;
}

/** What somebody typed as an amount, as the API takes it: with the language's own sign before the decimals, or with a point. */
export function readAmount(typed: string): string {
  return typed.replace(language.point, '.');
}

/** Whether nothing is left of it. */
export function isZeroAmount(amount: string): boolean {
  return /^-?[0.]*$/.test(amount);
}

/** Base units, a whole number, as coins. */
export function formatBaseUnits(units: number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
