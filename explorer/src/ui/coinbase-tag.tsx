import { t } from '../language/messages.ts';

/** What a miner wrote into the coinbase of a block, as what it is: anybody can write anything there. */
export function CoinbaseTag({ tag }: { tag: string | null }) {
  if (tag === null) return null;
  return (
    <span class="foreign-line" title={t('Coinbase tag, not verified: {tag}', { tag })}>
      “{tag}”
    </span>
  );
}
