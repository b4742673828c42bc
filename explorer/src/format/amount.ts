/** Amounts as they are shown: all decimals stay, so that columns align; those that say nothing stand back. */

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
    whole: whole.replace(/\B(?=(\d{3})+$)/g, ','),
    said: said === '' ? '' : `.${said}`,
    zeros: said === '' && decimals !== '' ? `.${decimals}` : decimals.slice(said.length),
  };
}

/** An amount without the zeros at its end, for titles and sentences. */
export function formatAmountShort(amount: string): string {
  const { sign, whole, said } = splitAmount(amount);
  return sign + whole + said;
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
