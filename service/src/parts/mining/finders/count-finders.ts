/** Who found blocks, as far as coinbases say. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { readCoinbaseTag } from '@coinfront/protocol/coinbase-tag.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';

/** What a coinbase says of who found its block. */
export type CoinbaseMarks = { tag: string | undefined; payee: Uint8Array | undefined };

/** A block with its marks. */
export type MarkedBlock = CoinbaseMarks & { height: number; time: number; paid: bigint };

/** Blocks of one tag, or of one address without a tag. */
export type Finder = {
  tag: string | undefined;
  /** Whom all of them pay most; undefined where they differ. */
  payee: Uint8Array | undefined;
  isPool: boolean;
  blocks: number;
  paid: bigint;
  last: MarkedBlock;
};

/** Scripts that are longer are nobody's address. */
const MAX_PAYEE_BYTES = 100;

/** Reads the tag of a coinbase, and whom it pays most of what can be spent. */
export function readMarks({ inputs, outputs }: Transaction): CoinbaseMarks {
  const sums = new Map<string, { script: Uint8Array; value: bigint }>();
  for (const { value, script } of outputs) {
    if (value === 0n || script.length > MAX_PAYEE_BYTES || isUnspendable(script)) continue;
    const key = bytesToHex(script);
    sums.set(key, { script, value: value + (sums.get(key)?.value ?? 0n) });
  }
  let most: { script: Uint8Array; value: bigint } | undefined;
  for (const each of sums.values()) if (most === undefined || each.value > most.value) most = each;
  const [input] = inputs;
  return { tag: input && readCoinbaseTag(input.scriptSig), payee: most && Uint8Array.from(most.script) };
}

/**
 * Counts blocks by who found them: by their tag, or else by whom they pay most. All tags that have the pool's are the pool's.
 *
 * @returns most blocks first, then the latest ones
 */
export function countFinders(blocks: readonly MarkedBlock[], poolTag: string | undefined): Finder[] {
  const byKey = Map.groupBy(blocks, ({ tag, payee }) => {
    if (tag === undefined) return `to ${payee === undefined ? '' : bytesToHex(payee)}`;
    return `tag ${isPoolTag(tag, poolTag) ? poolTag : tag}`;
  });
  const finders = [...byKey.values()].map((found): Finder => {
    const last = found.reduce((a, b) => (b.height > a.height ? b : a));
    const isPool = isPoolTag(last.tag, poolTag);
    const payees = new Set(found.map(({ payee }) => payee && bytesToHex(payee)));
    return {
      tag: isPool ? poolTag : last.tag,
      payee: payees.size === 1 ? last.payee : undefined,
      isPool,
      blocks: found.length,
      paid: found.reduce((sum, { paid }) => sum + paid, 0n),
      last,
    };
  });
  return finders.sort((a, b) => b.blocks - a.blocks || b.last.height - a.last.height);
}

function isPoolTag(tag: string | undefined, poolTag: string | undefined): boolean {
  return tag !== undefined && poolTag !== undefined && tag.includes(poolTag);
}
