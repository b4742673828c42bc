import type { NameOperation } from '@coinfront/protocol/names/name-operation.ts';
import type { TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import type { Random } from '../../scripts/traffic/random.ts';
import type { Signer } from '../harness/signing-wallet.ts';
import { commitTo, registerOf } from '../names/name-desk.ts';

/** A token that was created, or should have been. */
export type MadeToken = { readonly id: Uint8Array; readonly issuer: Signer };

const NAMES = ['abcd.coin', 'wxyz.test', 'ab--d.coin'];
const AMOUNTS = [0n, 1n, 2n, 10n, 50n, 50n, 100n, 2n ** 63n - 1n];
/** To which output a sweep goes that stands for a burn of an amount. */
const SWEPT = new Map([
  [0n, 0],
  [2n, 1],
  [10n, 2],
]);
const TOKEN_KINDS = ['create', 'mint', 'mint', 'transfer', 'transfer', 'transfer', 'burn'] as const;
const NAME_KINDS = [
  ...(['commit', 'commit', 'commit', 'commit', 'register', 'register', 'register', 'register'] as const),
  ...(['transfer', 'transfer', 'transfer', 'transfer', 'renew', 'renew'] as const),
  ...(['reverse', 'reverse', 'records', 'records'] as const),
] as const;

/** An operation of a signer with a token: likely to be valid, and often not. Recipients are outputs 1 to 3. */
export function makeTokenOperation(
  random: Random,
  signer: Signer,
  tokens: readonly MadeToken[],
): TokenOperation {
  const own = tokens.filter(({ issuer }) => issuer === signer);
  const known = own.length > 0 && random.integer(0, 3) > 0 ? own : tokens;
  const tokenId =
    known.length === 0 || random.integer(1, 20) === 1 ? random.bytes(32) : random.pick(known.slice(-3)).id;
  const kind = tokens.length < 3 ? 'create' : random.pick(TOKEN_KINDS);
  const amount = random.pick(AMOUNTS);
  if (kind === 'create') {
    const premine = random.pick([...AMOUNTS, 1_000n, 1_000n]);
    const terms = {
      mintable: random.integer(0, 3) > 0,
      decimals: random.integer(0, 18),
      premine,
      cap: random.pick([undefined, premine, 1_500n]),
      ticker: random.pick(['GOLD', 'X9']),
      metadataHash: random.pick([undefined, random.bytes(32)]),
    };
    return { kind, terms };
  }
  if (kind === 'mint')
    return { kind, tokenId, closes: random.integer(0, 9) === 0, toVout: random.integer(0, 3), amount };
  // Sweeps in place of burns of some amounts, so that all else that chance makes is as it was before there were any.
  const swept = kind === 'burn' ? SWEPT.get(amount) : undefined;
  if (swept !== undefined) return { kind: 'sweep', toVout: swept };
  if (kind === 'burn') return { kind, tokenId, amount };
  const shares = Array.from({ length: random.integer(1, 3) }, (_, i) => ({
    toVout: random.integer(0, 9) === 0 ? random.integer(0, 30) : i + 1,
    amount: random.pick(AMOUNTS.slice(0, 6)),
  }));
  return { kind, tokenId, shares };
}

/** An operation of a signer with one of few names. */
export function makeNameOperation(random: Random, signer: Signer, others: readonly Signer[]): NameOperation {
  const name = random.integer(1, 15) === 1 ? NAMES[2]! : random.pick(NAMES.slice(0, 2));
  const kind = random.pick(NAME_KINDS);
  const periods = random.pick([0, 1, 1, 1, 2, 2, 3, 4]);
  if (kind === 'commit') return commitTo(random.integer(0, 5) === 0 ? random.pick(others) : signer, name);
  if (kind === 'register') return registerOf(name, periods);
  if (kind === 'reverse') return { kind, name: random.integer(0, 5) === 0 ? '' : name };
  if (kind === 'records') return { kind, hash: new Uint8Array(32).fill(random.integer(0, 2)), name };
  return kind === 'transfer'
    ? { kind, toVout: random.pick([0, 1, 1, 2, 3, 30]), name }
    : { kind, periods, name };
}

/** A payload that is no operation: cut off, with bytes behind it, or with an opcode or flags that there are none of. */
export function spoil(random: Random, payload: Uint8Array): Uint8Array {
  const way = random.integer(0, 3);
  if (way === 0) return payload.slice(0, random.integer(4, payload.length - 1));
  if (way === 1) return Uint8Array.of(...payload, 0).slice(0, 80);
  const spoilt = payload.slice();
  spoilt[way === 2 ? 4 : Math.min(5, payload.length - 1)] = 0xf9;
  return spoilt;
}
