import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import type { PlacedTransaction } from '../operation.ts';
import { createNameLedger, type NameEntry, type NameLedger } from '../testing/name-ledger.ts';
import { FEE_SCRIPT, nameContext } from '../testing/protocol-rules.ts';
import {
  allOwners,
  carrierOutput,
  type Owner,
  p2wpkhOwner,
  placeTransaction,
  shapedTransaction,
} from '../testing/spends.ts';
import { nameCommitment } from './name-commitment.ts';
import { encodeNameOperation, type NameOperation } from './name-operation.ts';

const { rules } = nameContext;
const SALT = new Uint8Array(16).fill(1);
const ALICE = p2wpkhOwner(1);
const BOB = p2wpkhOwner(2);

function blockHash(height: number): Uint8Array {
  return sha256(Uint8Array.of(height & 0xff, height >> 8));
}

let nonce = 0;

/** Output 0 carries, output 1 pays the recipient, output 2 the fee. */
function place(
  owner: Owner,
  operation: NameOperation,
  { paid = 0n, to = BOB, height = 0, position = 0 } = {},
): PlacedTransaction {
  nonce += 1;
  const outputs = [
    carrierOutput(encodeNameOperation(operation, rules.marker)),
    { value: 1n, script: to.script },
    { value: paid, script: FEE_SCRIPT },
  ];
  return placeTransaction(shapedTransaction(owner.spend(), outputs, nonce), owner.script, height, position);
}

function commitOf(owner: Owner, name: string): NameOperation {
  const parts = { ownerScript: owner.script, salt: SALT, name };
  return { kind: 'commit', commitment: nameCommitment(parts, nameContext.genesisPrefix) };
}

const register = (name: string, periods = 1): NameOperation => ({
  kind: 'register',
  periods,
  salt: SALT,
  name,
});

/** A registry that is fed block for block; answers what became of each transaction of a height. */
function createChain() {
  const ledger = createNameLedger(nameContext);
  let next = rules.activationHeight;
  const mine = (transactions: PlacedTransaction[]): NameEntry[] => {
    const placed = transactions.map((each, position) => ({ ...each, height: next, position }));
    return ledger.connectBlock(next++, blockHash(next), placed);
  };
  return {
    ledger,
    /** Mines empty blocks until the next one has the height, then one with these transactions. */
    at(height: number, ...transactions: PlacedTransaction[]) {
      while (next < height) mine([]);
      return mine(transactions).map((entry) => ('reason' in entry ? entry.reason : entry.event.kind));
    },
  };
}

describe('the life of a name', () => {
  test('commit, early reveal, reveal, transfer, expiry, grace, premium, registered anew', () => {
    const { ledger, at } = createChain();
    const name = 'alice.coin';
    expect(at(100, place(ALICE, commitOf(ALICE, name)))).toEqual(['commit']);
    expect(at(101, place(ALICE, register(name), { paid: 10n }))).toEqual(['commit_immature']);
    expect(at(102, place(ALICE, register(name), { paid: 9n }))).toEqual(['fee_too_low']);
    expect(at(103, place(BOB, register(name), { paid: 10n }))).toEqual(['commit_missing']);
    expect(at(104, place(ALICE, register(name), { paid: 10n }))).toEqual(['register']);
    expect(ledger.findName(name)).toMatchObject({ registeredHeight: 104, expiry: 114, owner: ALICE.script });
    // The commitment is spent.
    expect(at(105, place(ALICE, register(name), { paid: 10n }))).toEqual(['commit_missing']);
    expect(at(106, place(BOB, { kind: 'transfer', toVout: 1, name }))).toEqual(['not_owner']);
    expect(at(107, place(ALICE, { kind: 'transfer', toVout: 0, name }))).toEqual(['output_is_carrier']);
    expect(at(108, place(ALICE, { kind: 'transfer', toVout: 3, name }))).toEqual(['output_missing']);
    expect(at(109, place(ALICE, { kind: 'transfer', toVout: 1, name }))).toEqual(['transfer']);
    expect(ledger.findName(name)).toMatchObject({ expiry: 114, owner: BOB.script });
    expect(at(112, place(ALICE, commitOf(ALICE, name)))).toEqual(['commit']);
    expect(at(113, place(BOB, { kind: 'transfer', toVout: 1, name }, { to: BOB }))).toEqual(['transfer']);
    expect(
      at(
        114,
        place(BOB, { kind: 'transfer', toVout: 1, name }),
        place(ALICE, register(name), { paid: 5000n }),
      ),
    ).toEqual(['name_expired', 'name_in_grace']);
    // Still alive at age 6, no longer at 7; grace ends at 119.
    expect(at(118, place(ALICE, register(name), { paid: 5000n }))).toEqual(['name_in_grace']);
    expect(
      at(
        119,
        place(ALICE, register(name), { paid: 5000n }),
        place(ALICE, commitOf(ALICE, name)),
        place(BOB, { kind: 'renew', periods: 1, name }, { paid: 10n }),
      ),
    ).toEqual(['commit_expired', 'commit', 'name_lapsed']);
    expect(
      at(
        121,
        place(ALICE, register(name), { paid: 10n + 499n }),
        place(ALICE, register(name), { paid: 10n + 500n }),
      ),
    ).toEqual(['fee_too_low', 'register']);
    expect(ledger.findName(name)).toMatchObject({ registeredHeight: 121, expiry: 131, owner: ALICE.script });
  });

  test('the first valid reveal wins, and the loser keeps nothing but its commitment', () => {
    const { ledger, at } = createChain();
    const name = 'race.coin';
    at(100, place(BOB, commitOf(BOB, name)), place(ALICE, commitOf(ALICE, name)));
    expect(
      at(102, place(ALICE, register(name), { paid: 100n }), place(BOB, register(name), { paid: 100n })),
    ).toEqual(['register', 'name_taken']);
    expect(ledger.findName(name)?.owner).toEqual(ALICE.script);
    const commitment = (commitOf(BOB, name) as { commitment: Uint8Array }).commitment;
    expect(ledger.findCommit(commitment)?.height).toBe(100);
  });

  test('a repeated commitment keeps the height of the earlier one while that lives', () => {
    const { ledger, at } = createChain();
    const commit = commitOf(ALICE, 'again.coin') as { kind: 'commit'; commitment: Uint8Array };
    const heightAfter = (height: number, owner = ALICE) => {
      at(height, place(owner, commit));
      return ledger.findCommit(commit.commitment)?.height;
    };
    expect(heightAfter(100)).toBe(100);
    expect(heightAfter(103, BOB)).toBe(100);
    expect(heightAfter(106)).toBe(100);
    expect(heightAfter(107)).toBe(107);
    expect(at(108, place(ALICE, register('again.coin'), { paid: 10n }))).toEqual(['commit_immature']);
    expect(at(113, place(ALICE, register('again.coin'), { paid: 10n }))).toEqual(['register']);
  });

  test('anyone renews, in grace too, at the price of the height, never more than three periods ahead', () => {
    const { ledger, at } = createChain();
    const name = 'abc.coin';
    at(100, place(ALICE, commitOf(ALICE, name)));
    expect(at(102, place(ALICE, register(name, 4), { paid: 5000n }))).toEqual(['periods_too_many']);
    expect(at(103, place(ALICE, register(name, 0), { paid: 5000n }))).toEqual(['periods_zero']);
    expect(at(104, place(ALICE, register(name, 2), { paid: 1000n }))).toEqual(['register']);
    const renew = (periods: number): NameOperation => ({ kind: 'renew', periods, name });
    expect(
      at(
        110,
        place(BOB, renew(2), { paid: 1000n }),
        place(BOB, renew(0), { paid: 1000n }),
        place(BOB, renew(1), { paid: 499n }),
        place(BOB, renew(1), { paid: 500n }),
      ),
    ).toEqual(['periods_too_many', 'periods_zero', 'fee_too_low', 'renew']);
    expect(ledger.findName(name)).toMatchObject({ expiry: 134, owner: ALICE.script });
    // In grace, at the new price; the periods count from the old expiry.
    expect(at(138, place(BOB, renew(3), { paid: 60n }), place(BOB, renew(1), { paid: 20n }))).toEqual([
      'renew',
      'periods_too_many',
    ]);
    expect(ledger.findName(name)).toMatchObject({ expiry: 164, registeredHeight: 104 });
    expect(at(139, place(BOB, { kind: 'renew', periods: 1, name: 'never.coin' }))).toEqual([
      'name_not_registered',
    ]);
  });

  test('before activation nothing is an operation', () => {
    const ledger = createNameLedger(nameContext);
    const placed = place(ALICE, commitOf(ALICE, 'early.coin'), { height: 99 });
    expect(ledger.connectBlock(99, blockHash(99), [placed])).toEqual([]);
  });
});

// Two names, two owners, few numbers: so that random operations meet.
const OWNERS = allOwners(10).slice(0, 2);
const step = fc.record({
  owner: fc.constantFrom(...OWNERS),
  name: fc.constantFrom('abcde.coin', 'abcde.coin', 'fghij.test'),
  kind: fc.constantFrom('commit', 'commit', 'register', 'register', 'transfer', 'renew'),
  periods: fc.constantFrom(0, 1, 1, 1, 2, 2, 3, 4),
  toVout: fc.integer({ min: 0, max: 3 }),
  to: fc.constantFrom(...OWNERS),
  paid: fc.constantFrom(9n, 30n, 500n, 2000n, 5000n),
  sighash: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 0x83),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const blocks = fc.array(fc.array(step, { maxLength: 4 }), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
});

function placeStep({ owner, name, kind, periods, toVout, to, paid, sighash }: Step, i: number) {
  const operation =
    kind === 'commit'
      ? commitOf(owner, name)
      : kind === 'register'
        ? register(name, periods)
        : kind === 'transfer'
          ? ({ kind, toVout, name } as const)
          : ({ kind: 'renew', periods, name } as const);
  const outputs = [
    carrierOutput(encodeNameOperation(operation, rules.marker)),
    { value: 1n, script: to.script },
    { value: paid, script: FEE_SCRIPT },
  ];
  return { tx: shapedTransaction(owner.spend(sighash), outputs, i), script: owner.script };
}

/** Connects random blocks from the activation on; calls back after each. */
function play(
  ledger: NameLedger,
  steps: Step[][],
  from: number,
  check: (height: number, entries: NameEntry[]) => void,
) {
  for (const [i, block] of steps.entries()) {
    const height = rules.activationHeight + from + i;
    const placed = block.map((each, position) => {
      const { tx, script } = placeStep(each, height * 10 + position);
      return placeTransaction(tx, script, height, position);
    });
    check(height, ledger.connectBlock(height, blockHash(height), placed));
  }
}

describe('random histories', () => {
  test('every invariant holds after every block', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(blocks, (steps) => {
        const ledger = createNameLedger(nameContext);
        let before = new Map<string, string>();
        play(ledger, steps, 0, (height, entries) => {
          const now = new Map<string, string>();
          for (const record of ledger.listNames()) {
            expect(now.has(record.name)).toBe(false);
            now.set(record.name, JSON.stringify([bytesToHex(record.owner), record.expiry]));
            expect(record.expiry).toBeLessThanOrEqual(height + rules.maxPeriods * rules.periodBlocks);
            expect((record.expiry - record.registeredHeight) % rules.periodBlocks).toBe(0);
            expect(record.expiry).toBeGreaterThan(record.registeredHeight);
            expect(
              OWNERS.some(({ script }) => bytesToHex(script) === bytesToHex(record.owner)) ||
                bytesToHex(record.owner) === bytesToHex(FEE_SCRIPT),
            ).toBe(true);
          }
          // Nothing changes without a valid event that says so.
          const touched = new Set<string>();
          for (const entry of entries) {
            seen.add('reason' in entry ? entry.reason : entry.event.kind);
            if ('event' in entry && 'name' in entry.event) touched.add(entry.event.name);
          }
          for (const [name, text] of now) if (!touched.has(name)) expect(before.get(name)).toBe(text);
          for (const name of before.keys()) expect(now.has(name)).toBe(true);
          before = now;
        });
      }),
      { numRuns: 300 },
    );
    // The histories are worth something only when they reach all of the rules.
    for (const kind of [
      'commit',
      'register',
      'transfer',
      'renew',
      'name_taken',
      'not_owner',
      'commit_missing',
    ]) {
      expect(seen).toContain(kind);
    }
  });

  test('undoing blocks and playing others gives what a fresh registry gives', () => {
    fc.assert(
      fc.property(blocks, blocks, fc.nat(), (first, second, pick) => {
        const kept = pick % (first.length + 1);
        const ledger = createNameLedger(nameContext);
        const trail: string[] = [bytesToHex(ledger.stateHash())];
        play(ledger, first, 0, () => trail.push(bytesToHex(ledger.stateHash())));
        for (let i = first.length; i > kept; i--) {
          ledger.disconnectBlock();
          expect(bytesToHex(ledger.stateHash())).toBe(trail[i - 1]);
        }
        play(ledger, second, kept, () => {});

        const fresh = createNameLedger(nameContext);
        play(fresh, first.slice(0, kept), 0, () => {});
        play(fresh, second, kept, () => {});
        expect(bytesToHex(ledger.chainHash())).toBe(bytesToHex(fresh.chainHash()));
        expect(bytesToHex(ledger.stateHash())).toBe(bytesToHex(fresh.stateHash()));
        expect(ledger.listNames().sort(byName)).toEqual(fresh.listNames().sort(byName));
      }),
      { numRuns: 100 },
    );
  });
});

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
