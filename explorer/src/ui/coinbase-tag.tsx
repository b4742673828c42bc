/** What a miner wrote into the coinbase of a block, as what it is: anybody can write anything there. */
export function CoinbaseTag({ tag }: { tag: string | null }) {
  if (tag === null) return null;
  return (
    <span class="foreign-line" title={`Coinbase tag, not verified: ${tag}`}>
      “{tag}”
    </span>
  );
}
