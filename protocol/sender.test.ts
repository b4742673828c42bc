import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pubKeyHashScript, scriptHashScript } from './address.ts';
import { concatBytes, getHexBytes } from './bytes.ts';
import { hash160, sha256 } from './hash.ts';
import { witnessScript } from './script.ts';
import { findSender } from './sender.ts';
import { multisigScript, push } from './testing/message-signer.ts';
import {
  allOwners,
  multisigOwner,
  nestedKeyOwner,
  type Owner,
  p2pkhOwner,
  p2trOwner,
  p2wpkhOwner,
  type Spend,
  shapedKey,
  shapedSignature,
  shapedTransaction,
} from './testing/spends.ts';

const NONE = new Uint8Array(0);
const EMPTY_SPEND: Spend = { scriptSig: NONE, witness: [] };
const SIGHASHES = [0x00, 0x02, 0x03, 0x80, 0x81, 0x82, 0x83, 0x04];

function judge(script: Uint8Array, spend: Spend) {
  return findSender(shapedTransaction(spend, [], 1), script);
}

function plainKey(prefix: number): Uint8Array {
  return concatBytes(Uint8Array.of(prefix), new Uint8Array(64).fill(9));
}

describe('findSender', () => {
  test.each(allOwners(1))('$name: the sender is the script that was spent', ({ script, spend }) => {
    expect(judge(script, spend())).toEqual({ ok: true, script });
  });

  test.each(allOwners(1))('$name: no sighash but ALL', ({ name, script, spend }) => {
    for (const sighash of SIGHASHES) {
      if (name === 'p2tr' && sighash === 0) continue;
      expect(judge(script, spend(sighash))).toEqual({ ok: false, reason: 'sender_sighash' });
    }
  });

  test('taproot: DEFAULT by 64 bytes, ALL by 65, and never 00 as 65th', () => {
    const { script, spend } = p2trOwner(1);
    expect(judge(script, spend(0)).ok).toBe(true);
    expect(judge(script, spend(1)).ok).toBe(true);
    expect(judge(script, { scriptSig: NONE, witness: [new Uint8Array(65)] })).toEqual({
      ok: false,
      reason: 'sender_sighash',
    });
  });

  test.each(allOwners(1))('$name: no spend, or one of another form, names no sender', ({ script, spend }) => {
    const good = spend();
    for (const wrong of [
      EMPTY_SPEND,
      { ...good, witness: [...good.witness, NONE] },
      { ...good, witness: [NONE, ...good.witness] },
      { ...good, scriptSig: concatBytes(good.scriptSig, Uint8Array.of(0)) },
      { ...good, scriptSig: concatBytes(Uint8Array.of(0), good.scriptSig) },
      { ...good, scriptSig: concatBytes(good.scriptSig, Uint8Array.of(0x61)) },
      { ...good, scriptSig: concatBytes(good.scriptSig, Uint8Array.of(5)) },
    ]) {
      expect(judge(script, wrong).ok).toBe(false);
    }
  });

  test.each<[string, Owner, Spend, string]>([
    [
      'a non-minimal push',
      p2pkhOwner(1),
      {
        scriptSig: concatBytes(Uint8Array.of(0x4c, 9), shapedSignature(), push(shapedKey(1))),
        witness: [],
      },
      'sender_malformed',
    ],
    ['a hybrid key', p2pkhOwner(1, plainKey(6)), p2pkhOwner(1, plainKey(6)).spend(), 'sender_key_form'],
    [
      'an uncompressed key in segwit',
      p2wpkhOwner(1, plainKey(4)),
      p2wpkhOwner(1, plainKey(4)).spend(),
      'sender_key_form',
    ],
    [
      'a push that is no signature',
      p2wpkhOwner(1),
      { scriptSig: NONE, witness: [new Uint8Array(70).fill(1), shapedKey(1)] },
      'sender_signature_form',
    ],
    [
      'an empty signature',
      p2wpkhOwner(1),
      { scriptSig: NONE, witness: [NONE, shapedKey(1)] },
      'sender_signature_form',
    ],
    [
      'a taproot script path',
      p2trOwner(1),
      { scriptSig: NONE, witness: [getHexBytes('51'), new Uint8Array(33).fill(0xc0)] },
      'sender_malformed',
    ],
    [
      'a taproot annex',
      p2trOwner(1),
      { scriptSig: NONE, witness: [new Uint8Array(64), Uint8Array.of(0x50)] },
      'sender_malformed',
    ],
    [
      'a Schnorr signature of 63 bytes',
      p2trOwner(1),
      { scriptSig: NONE, witness: [new Uint8Array(63)] },
      'sender_signature_form',
    ],
    [
      'a dummy that is not empty',
      multisigOwner(1, 'p2wsh'),
      (() => {
        const { witness } = multisigOwner(1, 'p2wsh').spend();
        return { scriptSig: NONE, witness: [Uint8Array.of(1), ...witness.slice(1)] };
      })(),
      'sender_malformed',
    ],
    [
      'one signature too few',
      multisigOwner(1, 'p2wsh'),
      (() => {
        const { witness } = multisigOwner(1, 'p2wsh').spend();
        return { scriptSig: NONE, witness: witness.toSpliced(1, 1) };
      })(),
      'sender_malformed',
    ],
    [
      'an empty signature among two',
      multisigOwner(1, 'p2wsh'),
      (() => {
        const { witness } = multisigOwner(1, 'p2wsh').spend();
        return { scriptSig: NONE, witness: witness.with(1, NONE) };
      })(),
      'sender_signature_form',
    ],
  ])('%s names no sender', (_name, { script }, spend, reason) => {
    expect(judge(script, spend)).toEqual({ ok: false, reason });
  });

  test('a key with the prefix of no form is judged where the table has it: behind the items, as a key', () => {
    const odd = concatBytes(Uint8Array.of(5), new Uint8Array(32).fill(9));
    const inner = multisigScript(1, [odd, shapedKey(1)]);
    const script = witnessScript(0, sha256(inner));
    const owner = multisigOwner(1, 'p2wsh').spend();
    const spend = (witness: Uint8Array[]) => ({ ...owner, witness });
    const [dummy, signature] = owner.witness;
    expect(judge(script, spend([dummy!, signature!, inner]))).toEqual({
      ok: false,
      reason: 'sender_key_form',
    });
    expect(judge(script, spend([dummy!, inner]))).toEqual({
      ok: false,
      reason: 'sender_malformed',
    });
  });

  test('uncompressed keys count outside of segwit alone, hybrid ones nowhere', () => {
    const spendOf = (keys: Uint8Array[], form: 'p2sh' | 'p2wsh') => {
      const inner = multisigScript(1, keys);
      return form === 'p2sh'
        ? judge(scriptHashScript(hash160(inner)), {
            scriptSig: concatBytes(...[NONE, shapedSignature(), inner].map(push)),
            witness: [],
          })
        : judge(witnessScript(0, sha256(inner)), {
            scriptSig: NONE,
            witness: [NONE, shapedSignature(), inner],
          });
    };
    expect(p2pkhOwner(1, plainKey(4)).script).toEqual(pubKeyHashScript(hash160(plainKey(4))));
    expect(judge(p2pkhOwner(1, plainKey(4)).script, p2pkhOwner(1, plainKey(4)).spend()).ok).toBe(true);
    expect(spendOf([plainKey(4), shapedKey(1)], 'p2sh').ok).toBe(true);
    expect(spendOf([plainKey(4), shapedKey(1)], 'p2wsh')).toEqual({ ok: false, reason: 'sender_key_form' });
    expect(spendOf([shapedKey(1), plainKey(7)], 'p2sh')).toEqual({ ok: false, reason: 'sender_key_form' });
  });

  test.each([
    ['P2PK', concatBytes(push(shapedKey(1)), Uint8Array.of(0xac))],
    ['bare multisig', multisigScript(1, [shapedKey(1)])],
    ['an unknown witness version', witnessScript(2, new Uint8Array(32))],
    ['an anchor', getHexBytes('51024e73')],
    ['an empty script', NONE],
  ])('%s is no sender', (_name, script) => {
    expect(judge(script, { scriptSig: push(shapedSignature()), witness: [] })).toEqual({
      ok: false,
      reason: 'sender_unsupported',
    });
  });

  test.each([
    ['P2SH of P2PKH', pubKeyHashScript(new Uint8Array(20))],
    ['P2SH of taproot', p2trOwner(1).script],
    ['P2SH of P2SH', scriptHashScript(new Uint8Array(20))],
  ])('%s is no sender', (_name, inner) => {
    const script = scriptHashScript(hash160(inner));
    expect(
      judge(script, { scriptSig: concatBytes(push(shapedSignature()), push(inner)), witness: [] }),
    ).toEqual({
      ok: false,
      reason: 'sender_unsupported',
    });
  });

  test('a witness script that is more than CHECKMULTISIG is no sender', () => {
    const inner = concatBytes(Uint8Array.of(0x61), multisigScript(1, [shapedKey(1)]));
    expect(
      judge(witnessScript(0, sha256(inner)), { scriptSig: NONE, witness: [NONE, shapedSignature(), inner] }),
    ).toEqual({ ok: false, reason: 'sender_unsupported' });
  });

  test('only input 0 counts', () => {
    const { script, spend } = nestedKeyOwner(1);
    const tx = shapedTransaction(spend(), [], 1);
    const second = { ...tx.inputs[0]!, ...EMPTY_SPEND };
    expect(findSender({ ...tx, inputs: [tx.inputs[0]!, second] }, script).ok).toBe(true);
    expect(findSender({ ...tx, inputs: [second, tx.inputs[0]!] }, script).ok).toBe(false);
  });

  test('no bytes make it throw', () => {
    const bytes = fc.uint8Array({ maxLength: 80 });
    const scripts = fc.oneof(bytes, fc.constantFrom(...allOwners(3).map(({ script }) => script)));
    const stack = fc.array(bytes, { maxLength: 4 });
    fc.assert(
      fc.property(scripts, bytes, stack, (script, scriptSig, witness) => {
        judge(script, { scriptSig, witness });
      }),
      { numRuns: 1000 },
    );
  });
});
