import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, compareBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { MAX_LEB128 } from '../leb128.ts';
import { FEE_SCRIPT, tokenContext } from '../testing/protocol-rules.ts';
import {
  allOwners,
  carrierOutput,
  type Owner,
  p2wpkhOwner,
  placeTransaction,
  shapedTransaction,
} from '../testing/spends.ts';
import { createTokenLedger, type TokenEntry, type TokenLedger } from '../testing/token-ledger.ts';
import type { Transaction } from '../transaction.ts';
import { tokenIdOf } from './token-id.ts';
import { encodeTokenOperation, type TokenOperation, type TokenTerms } from './token-operation.ts';
import { mintLimit } from './token-rules.ts';

const { rules } = tokenContext;
const ISSUER = p2wpkhOwner(1);
const BOB = p2wpkhOwner(2);
const CAROL = p2wpkhOwner(3);
const BASE: TokenTerms = {
  mintable: true,
  decimals: 2,
  premine: 100n,
  cap: 150n,
  ticker: 'GOLD',
  metadataHash: undefined,
};

type Signed = { tx: Transaction; script: Uint8Array };
let nonce = 0;

/** Output 0 carries, 1 pays Bob, 2 Carol, 3 the fee, 4 Bob again. */
function sign(owner: Owner, operation: TokenOperation, { fee = 0n } = {}): Signed {
  nonce += 1;
  const outputs = [
    carrierOutput(encodeTokenOperation(operation, rules.marker)),
    { value: 1n, script: BOB.script },
    { value: 1n, script: CAROL.script },
    { value: fee, script: FEE_SCRIPT },
    { value: 1n, script: BOB.script },
  ];
  return { tx: shapedTransaction(owner.spend(), outputs, nonce), script: owner.script };
}

function createChain() {
  const ledger = createTokenLedger(tokenContext);
  let next = rules.activationHeight;
  const mine = (...signed: Signed[]) => {
    const placed = signed.map(({ tx, script }, position) => placeTransaction(tx, script, next, position));
    return ledger
      .connectBlock(sha256(Uint8Array.of(next++)), placed)
      .map((entry) => ('reason' in entry ? entry.reason : entry.event.kind));
  };
  return { ledger, mine };
}

function create(terms: Partial<TokenTerms> = {}, fee = 1000n) {
  const signed = sign(ISSUER, { kind: 'create', terms: { ...BASE, ...terms } }, { fee });
  const { inputs, outputs } = signed.tx;
  const payload = outputs[0]!.script.subarray(2);
  return { ...signed, tokenId: tokenIdOf(inputs[0]!, payload, tokenContext.genesisPrefix) };
}

describe('the life of a token', () => {
  test('create, mint to the cap, close, split transfer, over-spend, burn', () => {
    const { ledger, mine } = createChain();
    const { tokenId, ...created } = create();
    const balances = () => [ISSUER, BOB, CAROL].map(({ script }) => ledger.balanceOf(tokenId, script));
    const mint = (amount: bigint, closes = false, toVout = 1): TokenOperation => ({
      kind: 'mint',
      tokenId,
      closes,
      toVout,
      amount,
    });
    const transfer = (...shares: [number, bigint][]): TokenOperation => ({
      kind: 'transfer',
      tokenId,
      shares: shares.map(([toVout, amount]) => ({ toVout, amount })),
    });

    expect(mine(sign(ISSUER, mint(1n)), created)).toEqual(['token_unknown', 'create']);
    expect(balances()).toEqual([100n, 0n, 0n]);
    expect(
      mine(
        sign(BOB, mint(1n)),
        sign(ISSUER, mint(51n)),
        sign(ISSUER, mint(0n)),
        sign(ISSUER, mint(1n, false, 0)),
        sign(ISSUER, mint(0n, true, 5)),
        sign(ISSUER, mint(50n)),
        sign(ISSUER, mint(1n)),
      ),
    ).toEqual([
      'not_issuer',
      'cap_exceeded',
      'amount_zero',
      'output_is_carrier',
      'output_missing',
      'mint',
      'cap_exceeded',
    ]);
    expect(balances()).toEqual([100n, 50n, 0n]);
    expect(mine(sign(ISSUER, mint(0n, true)), sign(ISSUER, mint(0n, true)))).toEqual([
      'mint',
      'minting_closed',
    ]);
    expect(
      mine(
        sign(BOB, transfer([2, 51n])),
        sign(BOB, transfer([2, 25n], [1, 26n])),
        sign(BOB, transfer([2, 1n], [2, 1n])),
        sign(BOB, transfer([2, 0n])),
        sign(BOB, transfer([0, 1n])),
        sign(BOB, transfer([9, 1n])),
        // To himself, twice by the same script, and to Carol.
        sign(BOB, transfer([1, 10n], [4, 20n], [2, 20n])),
      ),
    ).toEqual([
      'balance_too_low',
      'balance_too_low',
      'output_repeated',
      'amount_zero',
      'output_is_carrier',
      'output_missing',
      'transfer',
    ]);
    expect(balances()).toEqual([100n, 30n, 20n]);
    expect(
      mine(
        sign(CAROL, { kind: 'burn', tokenId, amount: 21n }),
        sign(CAROL, { kind: 'burn', tokenId, amount: 0n }),
        sign(CAROL, { kind: 'burn', tokenId, amount: 20n }),
      ),
    ).toEqual(['balance_too_low', 'amount_zero', 'burn']);
    expect(ledger.findToken(tokenId)).toMatchObject({
      minted: 150n,
      burned: 20n,
      holders: 2,
      mintingOpen: false,
    });
  });

  test('a burn does not reopen the cap', () => {
    const { mine } = createChain();
    const { tokenId, ...created } = create({ premine: 150n });
    expect(
      mine(
        created,
        sign(ISSUER, { kind: 'burn', tokenId, amount: 150n }),
        sign(ISSUER, { kind: 'mint', tokenId, closes: false, toVout: 1, amount: 1n }),
      ),
    ).toEqual(['create', 'burn', 'cap_exceeded']);
  });

  test('a token without cap ends at 2^63 - 1', () => {
    const { ledger, mine } = createChain();
    const { tokenId, ...created } = create({ cap: undefined, premine: MAX_LEB128 - 1n });
    const mint = (amount: bigint) =>
      sign(ISSUER, { kind: 'mint', tokenId, closes: false, toVout: 1, amount });
    expect(mine(created, mint(MAX_LEB128), mint(2n), mint(1n))).toEqual([
      'create',
      'cap_exceeded',
      'cap_exceeded',
      'mint',
    ]);
    expect(ledger.findToken(tokenId)?.minted).toBe(MAX_LEB128);
    // Two amounts whose sum passes 2^63 are no more than any other sum above the balance.
    const shares = [1, 2].map((toVout) => ({ toVout, amount: MAX_LEB128 }));
    expect(mine(sign(ISSUER, { kind: 'transfer', tokenId, shares }))).toEqual(['balance_too_low']);
  });

  test('what a CREATE must keep', () => {
    const { mine } = createChain();
    expect(
      mine(
        create({ premine: 151n }),
        create({ mintable: false, premine: 0n }),
        create({}, 999n),
        create({ mintable: true, premine: 0n }),
        create({ mintable: false, premine: 150n }),
      ),
    ).toEqual(['premine_above_cap', 'premine_zero', 'fee_too_low', 'create', 'create']);
  });

  test('the fee is that of the height, summed over outputs, and more is fine', () => {
    const { mine } = createChain();
    for (let i = 100; i < 109; i++) mine();
    const split = create({}, 600n);
    split.tx.outputs.push({ value: 400n, script: FEE_SCRIPT });
    expect(mine(create({}, 1000n), split, create({}, 5000n))).toEqual(['create', 'create', 'create']);
    expect(mine(create({}, 1999n), create({}, 2000n))).toEqual(['fee_too_low', 'create']);
  });

  test('two payloads, a coinbase, a wrong sighash: nothing', () => {
    const { ledger, mine } = createChain();
    const twice = create();
    twice.tx.outputs.push(twice.tx.outputs[0]!);
    const { tx, script } = create();
    const movable = { ...tx, inputs: [{ ...tx.inputs[0]!, ...ISSUER.spend(0x83) }] };
    expect(mine(twice, { tx: movable, script })).toEqual(['several_payloads', 'sender_sighash']);
    const coinbase = {
      ...tx,
      inputs: [{ ...tx.inputs[0]!, prevTxid: new Uint8Array(32), prevVout: 0xffffffff }],
    };
    const entries = ledger.connectBlock(sha256(Uint8Array.of(1)), [
      placeTransaction(coinbase, undefined, 101, 0),
    ]);
    expect(entries).toEqual([{ position: 0, reason: 'coinbase' }]);
    expect(ledger.listTokens()).toEqual([]);
  });
});

const OWNERS = allOwners(20).slice(0, 3);
const amounts = fc.oneof({ weight: 9, arbitrary: fc.bigInt({ min: 0n, max: 20n }) }, fc.constant(MAX_LEB128));
const step = fc.record({
  owner: fc.constantFrom(...OWNERS),
  kind: fc.constantFrom('create', 'mint', 'mint', 'transfer', 'transfer', 'transfer', 'burn'),
  token: fc.constantFrom(0, 0, 0, 1),
  mintable: fc.constantFrom(true, true, true, false),
  capped: fc.boolean(),
  closes: fc.constantFrom(false, false, false, true),
  amount: amounts,
  shares: fc.array(
    fc.record({ toVout: fc.constantFrom(0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6), amount: amounts }),
    { minLength: 1, maxLength: 3 },
  ),
  sighash: fc.constantFrom(1, 1, 1, 1, 1, 2),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const blocks = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 25,
  size: 'max',
});

function toOperation(each: Step, ids: Uint8Array[]): TokenOperation {
  const tokenId = ids[each.token % Math.max(1, ids.length)] ?? new Uint8Array(32);
  const { amount, closes, shares } = each;
  switch (each.kind) {
    case 'create':
      return {
        kind: 'create',
        terms: {
          ...BASE,
          mintable: each.mintable,
          premine: amount,
          cap: each.capped ? (amount === MAX_LEB128 ? amount : amount + 30n) : undefined,
        },
      };
    case 'mint':
      return { kind: 'mint', tokenId, closes, toVout: shares[0]!.toVout, amount };
    case 'transfer':
      return { kind: 'transfer', tokenId, shares };
    default:
      return { kind: 'burn', tokenId, amount };
  }
}

function play(ledger: TokenLedger, steps: Step[][], from: number, check: (entries: TokenEntry[]) => void) {
  for (const [i, block] of steps.entries()) {
    const height = rules.activationHeight + from + i;
    const ids = ledger
      .listTokens()
      .map(({ tokenId }) => tokenId)
      .sort(compareBytes);
    const placed = block.map((each, position) => {
      const outputs = [
        carrierOutput(encodeTokenOperation(toOperation(each, ids), rules.marker)),
        ...OWNERS.map(({ script }) => ({ value: 500n, script })),
        { value: 2000n, script: FEE_SCRIPT },
      ];
      const tx = shapedTransaction(each.owner.spend(each.sighash), outputs, height * 10 + position);
      return placeTransaction(tx, each.owner.script, height, position);
    });
    check(ledger.connectBlock(sha256(Uint8Array.of(height)), placed));
  }
}

describe('random histories', () => {
  test('every invariant holds after every block', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(blocks, (steps) => {
        const ledger = createTokenLedger(tokenContext);
        play(ledger, steps, 0, (entries) => {
          for (const entry of entries) seen.add('reason' in entry ? entry.reason : entry.event.kind);
          const balances = ledger.listBalances();
          expect(balances.every(({ amount }) => amount > 0n)).toBe(true);
          for (const token of ledger.listTokens()) {
            const held = balances.filter(({ tokenId }) => bytesToHex(tokenId) === bytesToHex(token.tokenId));
            const sum = held.reduce((total, { amount }) => total + amount, 0n);
            expect(sum + token.burned).toBe(token.minted);
            expect(token.holders).toBe(held.length);
            expect(token.minted <= mintLimit(token.terms)).toBe(true);
            expect(token.burned >= 0n).toBe(true);
          }
        });
      }),
      { numRuns: 300 },
    );
    for (const kind of ['create', 'mint', 'transfer', 'burn', 'cap_exceeded', 'balance_too_low']) {
      expect(seen).toContain(kind);
    }
  });

  test('undoing blocks and playing others gives what a fresh ledger gives', () => {
    fc.assert(
      fc.property(blocks, blocks, fc.nat(), (first, second, pick) => {
        const kept = pick % (first.length + 1);
        const ledger = createTokenLedger(tokenContext);
        const trail: string[] = [bytesToHex(ledger.stateHash())];
        play(ledger, first, 0, () => trail.push(bytesToHex(ledger.stateHash())));
        for (let i = first.length; i > kept; i--) {
          ledger.disconnectBlock();
          expect(bytesToHex(ledger.stateHash())).toBe(trail[i - 1]);
        }
        const fresh = createTokenLedger(tokenContext);
        play(fresh, first.slice(0, kept), 0, () => {});
        expect(bytesToHex(ledger.chainHash())).toBe(bytesToHex(fresh.chainHash()));
        expect(bytesToHex(ledger.stateHash())).toBe(bytesToHex(fresh.stateHash()));
        play(ledger, second, kept, () => {});
        play(fresh, second, kept, () => {});
        const sorted = (each: TokenLedger) =>
          each
            .listTokens()
            .map((token) => ({ id: bytesToHex(token.tokenId), token }))
            .sort((a, b) => (a.id < b.id ? -1 : 1));
        expect(sorted(ledger)).toEqual(sorted(fresh));
        expect(bytesToHex(ledger.chainHash())).toBe(bytesToHex(fresh.chainHash()));
        expect(bytesToHex(ledger.stateHash())).toBe(bytesToHex(fresh.stateHash()));
      }),
      { numRuns: 100 },
    );
  });
});
