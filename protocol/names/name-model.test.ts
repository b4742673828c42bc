import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { createNameLedger } from '../testing/name-ledger.ts';
import { nameContext as base, FEE_SCRIPT } from '../testing/protocol-rules.ts';
import { carrierOutput, p2wpkhOwner, placeTransaction, shapedTransaction } from '../testing/spends.ts';
import { nameCommitment } from './name-commitment.ts';
import { encodeNameOperation, type NameOperation } from './name-operation.ts';
import type { NameContext } from './name-rules.ts';

// The rules of docs/protocols/names.md once more, written against the whole history instead of a state.

const nameContext: NameContext = {
  ...base,
  rules: { ...base.rules, reverseActivationHeight: 100, recordsActivationHeight: 100 },
};
const MATURITY = 2;
const LIFETIME = 6;
const PERIOD = 10;
const MOST_PERIODS = 3;
const GRACE = 5;
const PREMIUM_BLOCKS = 4;
const PREMIUM = 1001;
const FIRST = 100;
const NAMES = ['abc.coin', 'abcd.coin', 'abcde.test'];
const OWNERS = [1, 2, 3].map((seed) => p2wpkhOwner(seed));
const SALT = new Uint8Array(16).fill(1);

/** A valid operation of the past. */
type Past = { height: number } & (
  | { kind: 'commit'; for: string }
  | { kind: 'register'; name: string; periods: number; owner: number }
  | { kind: 'transfer'; name: string; owner: number }
  | { kind: 'renew'; name: string; periods: number }
  | { kind: 'reverse'; name: string; by: number }
  | { kind: 'records'; name: string; hash: number }
);

/** What a register by an owner is committed to by. */
const committed = (owner: number, name: string) => `${owner} ${name}`;

/** The height that a commitment counts from: of the first one, or of the first that came when the one before had ended. */
function countsFrom(history: readonly Past[], wanted: string): number | undefined {
  let from: number | undefined;
  for (const past of history) {
    if (past.kind === 'register' && committed(past.owner, past.name) === wanted) from = undefined;
    if (past.kind !== 'commit' || past.for !== wanted) continue;
    if (from === undefined || past.height - from > LIFETIME) from = past.height;
  }
  return from;
}

/** Owner and expiry, told from all that happened to a name since its last register. */
function lifeOf(history: readonly Past[], name: string): { owner: number; expiry: number } | undefined {
  const own = history.filter(
    (past) =>
      past.kind !== 'commit' && past.kind !== 'reverse' && past.kind !== 'records' && past.name === name,
  );
  const life = own.slice(own.findLastIndex(({ kind }) => kind === 'register'));
  const [first] = life;
  if (first?.kind !== 'register') return undefined;
  const periods = life.reduce((sum, past) => sum + ('periods' in past ? past.periods : 0), 0);
  const owner = life.findLast((past) => 'owner' in past);
  return {
    owner: owner && 'owner' in owner ? owner.owner : first.owner,
    expiry: first.height + periods * PERIOD,
  };
}

/** The name that an owner last asked to be shown with, unless it has gone from him, or to him, since. */
function shownOf(history: readonly Past[], owner: number): string | undefined {
  const at = history.findLastIndex((past) => past.kind === 'reverse' && past.by === owner);
  const last = history[at];
  if (last?.kind !== 'reverse' || last.name === '') return undefined;
  const isMoved = history
    .slice(at)
    .some(
      (past) =>
        (past.kind === 'register' || (past.kind === 'transfer' && past.owner !== owner)) &&
        past.name === last.name,
    );
  return isMoved ? undefined : last.name;
}

/** The document that was last set for a name, unless another got the name since. */
function documentOf(history: readonly Past[], name: string): number {
  let found = 0;
  let owner: number | undefined;
  for (const past of history) {
    if (past.kind === 'commit' || past.kind === 'reverse' || past.name !== name) continue;
    if (past.kind === 'records') found = past.hash;
    if (past.kind === 'register' || (past.kind === 'transfer' && past.owner !== owner)) found = 0;
    if ('owner' in past) owner = past.owner;
  }
  return found;
}

function priceOf(name: string, height: number): number {
  if (height >= 130) return 20;
  return { 3: 500, 4: 100 }[name.indexOf('.')] ?? 10;
}

/** What has to be paid at least, where anything has to. */
function dueFor(history: readonly Past[], { kind, name, periods }: Step, height: number): number {
  const price = priceOf(name, height) * periods;
  const life = lifeOf(history, name);
  if (kind !== 'register' || life === undefined) return price;
  const left = life.expiry + GRACE + PREMIUM_BLOCKS - height;
  return price + Math.max(0, Math.floor((PREMIUM * Math.min(left, PREMIUM_BLOCKS)) / PREMIUM_BLOCKS));
}

function isValid(history: readonly Past[], step: Step, height: number, paid: number): boolean {
  const { kind, name, sender, periods, toVout, isEmpty } = step;
  if (kind === 'commit') return true;
  const life = lifeOf(history, name);
  if (kind === 'reverse' && isEmpty) return true;
  if (kind === 'reverse' || kind === 'records')
    return life !== undefined && height < life.expiry && life.owner === sender;
  if (kind === 'transfer')
    return life !== undefined && height < life.expiry && life.owner === sender && toVout > 0 && toVout < 3;
  if (periods < 1 || paid < dueFor(history, step, height)) return false;
  if (kind === 'renew') {
    if (life === undefined || height >= life.expiry + GRACE) return false;
    return life.expiry + periods * PERIOD <= height + MOST_PERIODS * PERIOD;
  }
  const from = countsFrom(history, committed(sender, name));
  if (from === undefined || height - from < MATURITY || height - from > LIFETIME) return false;
  return periods <= MOST_PERIODS && (life === undefined || height >= life.expiry + GRACE);
}

/** One operation, and how many blocks after the one before. */
type Step = {
  gap: number;
  kind: NameOperation['kind'];
  name: string;
  /** Numbers of owners: who sends, who is committed or given to. */
  sender: number;
  other: number;
  periods: number;
  toVout: number;
  /** Paid beside what is due. */
  more: number;
  /** Of a reverse record: it is removed. */
  isEmpty: boolean;
};

const step: fc.Arbitrary<Step> = fc.record({
  gap: fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 9, 10, 14),
  kind: fc.constantFrom(
    'commit',
    'commit',
    'register',
    'register',
    'register',
    'transfer',
    'renew',
    'reverse',
    'reverse',
    'records',
  ),
  name: fc.constantFrom(...NAMES),
  sender: fc.constantFrom(0, 0, 0, 1, 2),
  other: fc.constantFrom(0, 0, 0, 1, 2),
  periods: fc.constantFrom(0, 1, 1, 1, 1, 2, 2, 3, 4, 255),
  toVout: fc.constantFrom(0, 1, 1, 1, 2, 3, 255),
  more: fc.constantFrom(0, 0, 0, 0, 1, -1, 5_000),
  isEmpty: fc.constantFrom(false, false, false, false, true),
});

/** Two names are had before anything else happens. */
const START: readonly Step[] = [0, 1].flatMap((owner) => {
  const common = {
    name: NAMES[owner]!,
    sender: owner,
    other: owner,
    periods: 2,
    toVout: 1,
    more: 0,
    isEmpty: false,
  };
  return [
    { ...common, gap: 1, kind: 'commit' },
    { ...common, gap: MATURITY, kind: 'register' },
  ] as const;
});

function operationOf({ kind, name, periods, toVout, other, isEmpty }: Step): NameOperation {
  const ownerScript = OWNERS[other]!.script;
  if (kind === 'commit') {
    const commitment = nameCommitment({ ownerScript, salt: SALT, name }, nameContext.genesisPrefix);
    return { kind, commitment };
  }
  if (kind === 'register') return { kind, periods, salt: SALT, name };
  if (kind === 'reverse') return { kind, name: isEmpty ? '' : name };
  if (kind === 'records') return { kind, hash: new Uint8Array(32).fill(isEmpty ? 0 : periods), name };
  return kind === 'transfer' ? { kind, toVout, name } : { kind, periods, name };
}

test('the rules say of any operations what their text says of the whole history', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), (any) => {
      const steps = [...START, ...any];
      const ledger = createNameLedger(nameContext);
      const history: Past[] = [];
      let next = FIRST;
      for (let i = 0; i < steps.length; ) {
        // All steps without a gap behind this one share its block.
        let end = i + 1;
        while (end < steps.length && steps[end]!.gap === 0) end++;
        const height = next + Math.max(1, steps[i]!.gap) - 1;
        for (; next < height; next++) ledger.connectBlock(next, sha256(Uint8Array.of(next & 255)), []);
        const wanted: boolean[] = [];
        const placed = steps.slice(i, end).map((each, position) => {
          const sender = OWNERS[each.sender]!;
          const paid = Math.max(0, dueFor(history, each, height) + each.more);
          const valid = isValid(history, each, height, paid);
          wanted.push(valid);
          if (valid) history.push(pastOf(each, height));
          const key = `${each.kind} ${valid}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
          const outputs = [
            carrierOutput(encodeNameOperation(operationOf(each), nameContext.rules.marker)),
            { value: 1n, script: OWNERS[each.other]!.script },
            { value: BigInt(paid), script: FEE_SCRIPT },
          ];
          const tx = shapedTransaction(sender.spend(), outputs, i * 256 + position);
          return placeTransaction(tx, sender.script, height, position);
        });
        const entries = ledger.connectBlock(next, sha256(Uint8Array.of(next & 255)), placed);
        next++;
        expect(entries.map((entry) => 'event' in entry)).toEqual(wanted);
        for (const name of NAMES) {
          const life = lifeOf(history, name);
          const record = ledger.findName(name);
          expect(record && [bytesToHex(record.owner), record.expiry]).toEqual(
            life && [bytesToHex(scriptOf(life.owner)), life.expiry],
          );
        }
        for (const [owner, { script }] of OWNERS.entries())
          expect(ledger.findReverse(script)?.name).toBe(shownOf(history, owner));
        for (const name of NAMES)
          expect(ledger.listRecords().find((each) => each.name === name)?.hash[0] ?? 0).toBe(
            documentOf(history, name),
          );
        i = end;
      }
    }),
    { numRuns: 400 },
  );
  for (const kind of ['register', 'transfer', 'renew', 'reverse', 'records'])
    for (const verdict of ['true', 'false'])
      expect(seen.get(`${kind} ${verdict}`), `${kind} ${verdict}`).toBeGreaterThan(5);
});

/** The fee output is the recipient of a transfer to output 2: nobody of the owners. */
const FEE_OWNER = OWNERS.length;
const scriptOf = (owner: number): Uint8Array => OWNERS[owner]?.script ?? FEE_SCRIPT;

function pastOf({ kind, name, sender, other, periods, toVout, isEmpty }: Step, height: number): Past {
  if (kind === 'commit') return { height, kind, for: committed(other, name) };
  if (kind === 'register') return { height, kind, name, periods, owner: sender };
  if (kind === 'renew') return { height, kind, name, periods };
  if (kind === 'reverse') return { height, kind, name: isEmpty ? '' : name, by: sender };
  if (kind === 'records') return { height, kind, name, hash: isEmpty ? 0 : periods };
  return { height, kind, name, owner: toVout === 1 ? other : FEE_OWNER };
}
