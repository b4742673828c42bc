import { useTicker } from '../data/coin.ts';
import { splitAmount } from '../format/amount.ts';

/** An amount with all its decimals. `unit` is the coin's ticker unless given; an empty one shows none. */
export function Amount({ value, unit, signed }: { value: string; unit?: string; signed?: boolean }) {
  const ticker = useTicker();
  const { sign, whole, said, zeros } = splitAmount(value);
  const shownUnit = unit ?? ticker;
  const isGain = signed === true && sign === '' && !/^[0.]*$/.test(value);
  return (
    <span class={isGain ? 'amount gain' : 'amount'}>
      {isGain ? '+' : sign === '-' ? '−' : ''}
      {whole}
      {said}
      {zeros !== '' && <span class="zeros">{zeros}</span>}
      {shownUnit !== '' && <span class="unit"> {shownUnit}</span>}
    </span>
  );
}
