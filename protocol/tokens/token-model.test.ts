import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { FEE_SCRIPT, tokenContext } from '../testing/protocol-rules.ts';
import { carrierOutput, p2wpkhOwner, placeTransaction, shapedTransaction } from '../testing/spends.ts';
import { createTokenLedger } from '../testing/token-ledger.ts';
import { encodeTokenOperation } from './token-operation.ts';
import type { SingleOperation } from './token-rules.ts';

// The rules of docs/protocols/tokens.md once more, written against the whole history instead of a state.

const OWNERS = [1, 2, 3].map((seed) => p2wpkhOwner(seed));
/** Outputs behind the carrier: one for each owner, then the fee, then a second carrier of nothing. */
const FEE_VOUT = OWNERS.length + 1;
const DATA_VOUT = FEE_VOUT + 1;
const MOST = 2n ** 63n - 1n;
const FIRST = 100;
const TOKENS = 3;

/** A valid operation of the past: what each holder gained or lost, and what was minted. */
type Past = {
  token: number;
  moves: readonly [holder: number, amount: bigint][];
  minted: bigint;
  burned: bigint;
  closes: boolean;
};
/** A token by its place among those created. */
type Made = { issuer: number; cap: bigint; mintable: boolean };

type Step = {
  kind: SingleOperation['kind'];
  sender: number;
  token: number;
  vouts: readonly number[];
  amounts: readonly bigint[];
  cap: bigint | undefined;
  flag: boolean;
  /** Beside what a CREATE costs. */
  more: bigint;
};

const amount = fc.constantFrom(0n, 1n, 2n, 3n, 5n, 10n, 50n, 100n, MOST - 100n, MOST - 1n, MOST);
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'mint', 'mint', 'transfer', 'transfer', 'transfer', 'transfer', 'burn'),
  sender: fc.constantFrom(0, 0, 0, 1, 2),
  token: fc.nat(TOKENS),
  vouts: fc.array(fc.constantFrom(0, 1, 1, 2, 2, 3, 3, FEE_VOUT, DATA_VOUT, DATA_VOUT + 1, 255), {
    minLength: 1,
    maxLength: 3,
  }),
  amounts: fc.array(amount, { minLength: 3, maxLength: 3 }),
  cap: fc.constantFrom(undefined, undefined, 0n, 100n, MOST),
  flag: fc.constantFrom(true, true, true, false),
  more: fc.constantFrom(0n, 0n, 1n, -1n),
});

/** Whose script an output has: owners by number, the fee script behind them; undefined for none that can hold. */
const holderAt = (vout: number): number | undefined => (vout >= 1 && vout <= FEE_VOUT ? vout - 1 : undefined);
const scriptOf = (holder: number): Uint8Array => OWNERS[holder]?.script ?? FEE_SCRIPT;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, each) => all + each, 0n);

function balanceOf(history: readonly Past[], token: number, holder: number): bigint {
  const moves = history.flatMap((past) => (past.token === token ? past.moves : []));
  return sum(moves.flatMap(([whose, each]) => (whose === holder ? [each] : [])));
}

const costAt = (height: number): bigint => (height < 110 ? 1_000n : 2_000n);

/** What a step does to the history; undefined when it is invalid. */
function judge(
  history: readonly Past[],
  made: readonly Made[],
  { kind, sender, token, vouts, amounts, cap, flag, more }: Step,
): { past: Past; made?: Made } | undefined {
  const own = history.filter((past) => past.token === token);
  const first = amounts[0]!;
  const nothing = { token, minted: 0n, burned: 0n, closes: false };
  if (kind === 'create') {
    if (more < 0n || first > (cap ?? MOST) || (!flag && first === 0n)) return undefined;
    const past = { ...nothing, token: made.length, moves: [[sender, first]] as const, minted: first };
    return {
      past: { ...past, moves: [[sender, first]] },
      made: { issuer: sender, cap: cap ?? MOST, mintable: flag },
    };
  }
  const about = made[token];
  if (about === undefined) return undefined;
  if (kind === 'burn') {
    if (first === 0n || first > balanceOf(history, token, sender)) return undefined;
    return { past: { ...nothing, moves: [[sender, -first]], burned: first } };
  }
  if (kind === 'mint') {
    const to = holderAt(vouts[0]!);
    const closes = !flag;
    const isOpen = about.mintable && !own.some((past) => past.closes);
    if (to === undefined || about.issuer !== sender || !isOpen || (first === 0n && !closes)) return undefined;
    if (sum(own.map(({ minted }) => minted)) + first > about.cap) return undefined;
    return { past: { ...nothing, moves: [[to, first]], minted: first, closes } };
  }
  const given = vouts.map((vout, i) => [holderAt(vout), amounts[i]!] as const);
  if (given.some(([to, each]) => to === undefined || each === 0n)) return undefined;
  if (new Set(vouts).size < vouts.length) return undefined;
  const all = sum(given.map(([, each]) => each));
  if (all > balanceOf(history, token, sender)) return undefined;
  return {
    past: {
      ...nothing,
      moves: [[sender, -all], ...given.map(([to, each]) => [to!, each] as [number, bigint])],
    },
  };
}

test('the rules say of any operations what their text says of the whole history', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 5, maxLength: 16, size: 'max' }),
      (blocks) => {
        const ledger = createTokenLedger(tokenContext);
        const history: Past[] = [];
        const made: Made[] = [];
        const ids: Uint8Array[] = [];
        for (const [i, steps] of blocks.entries()) {
          const height = FIRST + i;
          for (const [position, each] of steps.entries()) {
            const verdict = judge(history, made, each);
            const fee = each.kind === 'create' ? costAt(height) + each.more : 1n;
            const outputs = [
              carrierOutput(encodeTokenOperation(operationOf(each, ids), tokenContext.rules.marker)),
              ...OWNERS.map(({ script }) => ({ value: 1n, script })),
              { value: fee, script: FEE_SCRIPT },
              { value: 0n, script: Uint8Array.of(0x6a) },
            ];
            const owner = OWNERS[each.sender]!;
            const tx = shapedTransaction(owner.spend(), outputs, i * 256 + position);
            const placed = placeTransaction(tx, owner.script, height, position);
            const [entry] = ledger.connectBlock(sha256(Uint8Array.of(i, position)), [placed]);
            expect('event' in entry!, `${each.kind} at ${height}`).toBe(verdict !== undefined);
            const key = `${each.kind} ${verdict !== undefined}`;
            seen.set(key, (seen.get(key) ?? 0) + 1);
            if (verdict === undefined) continue;
            history.push(verdict.past);
            if (verdict.made) made.push(verdict.made);
            if (verdict.made && 'event' in entry! && entry.event.kind === 'create')
              ids.push(entry.event.tokenId);
          }
        }
        for (const [token, id] of ids.entries()) {
          const own = history.filter((past) => past.token === token);
          const balances = [0, 1, 2, 3].map((holder) => balanceOf(history, token, holder));
          expect([0, 1, 2, 3].map((holder) => ledger.balanceOf(id, scriptOf(holder)))).toEqual(balances);
          const record = ledger.findToken(id)!;
          expect(bytesToHex(record.issuer)).toBe(bytesToHex(scriptOf(made[token]!.issuer)));
          expect([record.minted, record.burned, record.holders]).toEqual([
            sum(own.map(({ minted }) => minted)),
            sum(own.map(({ burned }) => burned)),
            balances.filter((each) => each > 0n).length,
          ]);
          expect(record.mintingOpen).toBe(made[token]!.mintable && !own.some(({ closes }) => closes));
        }
      },
    ),
    { numRuns: 300 },
  );
  for (const kind of ['create', 'mint', 'transfer', 'burn'])
    for (const verdict of ['true', 'false'])
      expect(seen.get(`${kind} ${verdict}`), `${kind} ${verdict}`).toBeGreaterThan(5);
});

function operationOf(
  { kind, token, vouts, amounts, cap, flag }: Step,
  ids: readonly Uint8Array[],
): SingleOperation {
  const tokenId = ids[token] ?? new Uint8Array(32).fill(9);
  const first = amounts[0]!;
  if (kind === 'create') {
    const terms = { mintable: flag, decimals: 0, premine: first, cap, ticker: 'A', metadataHash: undefined };
    return { kind, terms };
  }
  if (kind === 'mint') return { kind, tokenId, closes: !flag, toVout: vouts[0]!, amount: first };
  if (kind === 'burn') return { kind, tokenId, amount: first };
  return { kind, tokenId, shares: vouts.map((toVout, i) => ({ toVout, amount: amounts[i]! })) };
}
