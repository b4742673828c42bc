import fc from 'fast-check';
import { type Block, parseHeader } from '../block.ts';
import { concatBytes } from '../bytes.ts';
import { getValue } from '../result.ts';
import type { Transaction, TxInput, TxOutput } from '../transaction.ts';

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

const inputArbitrary: fc.Arbitrary<TxInput> = fc.record({
  prevTxid: hash,
  prevVout: u32,
  scriptSig: fc.oneof(bytes(80), bytes(300)),
  sequence: u32,
  witness: fc.array(bytes(90), { maxLength: 3 }),
});

const outputArbitrary: fc.Arbitrary<TxOutput> = fc.record({
  value: fc.bigInt({ min: 0n, max: 0xffffffffffffffffn }),
  script: fc.oneof(bytes(45), bytes(300)),
});

type MwebForm = 'none' | 'null' | 'any';

/** Transactions with and without witnesses; with Litecoin's MWEB part as the form says. */
export function transactionArbitrary(mwebForm: MwebForm): fc.Arbitrary<Transaction> {
  const present = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((body) => Uint8Array.of(1, ...body));
  const nullPart = fc.constant(Uint8Array.of(0));
  const mweb =
    mwebForm === 'none'
      ? fc.constant(undefined)
      : mwebForm === 'null'
        ? nullPart
        : fc.option(fc.oneof(present, nullPart), { nil: undefined });
  return fc
    .record({
      version: u32,
      inputs: fc.array(inputArbitrary, { minLength: 1, maxLength: 4 }),
      outputs: fc.array(outputArbitrary, { minLength: 1, maxLength: 4 }),
      locktime: u32,
      keepsWitness: fc.boolean(),
      mweb,
    })
    .map(({ keepsWitness, ...tx }) => {
      const inputs = tx.inputs.map((input) => (keepsWitness ? input : { ...input, witness: [] }));
      return { ...tx, inputs, hasWitness: inputs.some((input) => input.witness.length > 0) };
    });
}

/** Blocks whose header and merkle root are random: the form is right, the rules are not. */
export function blockArbitrary(): fc.Arbitrary<Block> {
  // The AuxPoW bit stays clear: a random header may not announce a proof that is not there.
  const headerBytes = fc.uint8Array({ minLength: 80, maxLength: 80 }).map((raw) => {
    raw[1] = raw[1]! & 0xfe;
    return raw;
  });
  const transactions = fc.array(transactionArbitrary('none'), { minLength: 1, maxLength: 4 });
  const mwebEnd = fc.option(fc.tuple(transactionArbitrary('null'), bytes(80)), { nil: undefined });
  return fc.tuple(headerBytes, transactions, mwebEnd).map(([raw, txs, end]) => ({
    header: getValue(parseHeader(raw)),
    headerBytes: raw,
    auxpow: undefined,
    transactions: end ? [...txs, end[0]] : txs,
    extension: end
      ? end[1].length > 0
        ? concatBytes(Uint8Array.of(1), end[1])
        : Uint8Array.of(0)
      : undefined,
  }));
}

/** Damage to a byte string: cut short, one byte changed, or bytes put in. */
export function damagedArbitrary(source: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(source, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('cut', 'change', 'insert'))
    .map(([raw, position, value, kind]) => {
      const at = raw.length === 0 ? 0 : position % raw.length;
      if (kind === 'cut') return raw.slice(0, at);
      if (kind === 'insert') return concatBytes(raw.subarray(0, at), Uint8Array.of(value), raw.subarray(at));
      const changed = raw.slice();
      if (changed.length > 0) changed[at] = value;
      return changed;
    });
}
