import { pubKeyHashScript, scriptHashScript } from '../../address.ts';
import { bytesToHex, concatBytes, getHexBytes } from '../../bytes.ts';
import { hash160, sha256 } from '../../hash.ts';
import { witnessScript } from '../../script.ts';
import { findSender } from '../../sender.ts';
import { serializeTransaction } from '../../transaction.ts';
import { multisigScript, push } from '../message-signer.ts';
import {
  allOwners,
  multisigOwner,
  p2pkhOwner,
  p2trOwner,
  p2wpkhOwner,
  type Spend,
  shapedKey,
  shapedSignature,
  shapedTransaction,
} from '../spends.ts';

type SenderVector = { about: string; prevoutScript: Uint8Array; spend: Spend; reason: string | null };

const NONE = new Uint8Array(0);

function plainKey(prefix: number): Uint8Array {
  return concatBytes(Uint8Array.of(prefix), new Uint8Array(64).fill(9));
}

/** One spend for every reason why there is no sender. */
export function senderFaultSpends(): SenderVector[] {
  const key = p2wpkhOwner(1);
  return [
    {
      about: 'a public key without hash',
      prevoutScript: concatBytes(push(shapedKey(1)), Uint8Array.of(0xac)),
      spend: { scriptSig: push(shapedSignature()), witness: [] },
      reason: 'sender_unsupported',
    },
    {
      about: 'a witness of three items',
      prevoutScript: key.script,
      spend: { scriptSig: NONE, witness: [NONE, ...key.spend().witness] },
      reason: 'sender_malformed',
    },
    {
      about: 'a hybrid public key',
      prevoutScript: p2pkhOwner(1, plainKey(6)).script,
      spend: p2pkhOwner(1, plainKey(6)).spend(),
      reason: 'sender_key_form',
    },
    {
      about: 'a push that is no signature',
      prevoutScript: key.script,
      spend: { scriptSig: NONE, witness: [new Uint8Array(70).fill(1), shapedKey(1)] },
      reason: 'sender_signature_form',
    },
    {
      about: 'SINGLE|ANYONECANPAY',
      prevoutScript: key.script,
      spend: key.spend(0x83),
      reason: 'sender_sighash',
    },
  ];
}

function moreFaults(): SenderVector[] {
  const multisig = multisigOwner(1, 'p2wsh');
  const { witness } = multisig.spend();
  const taproot = p2trOwner(1).script;
  const inner = pubKeyHashScript(new Uint8Array(20));
  const mixed = multisigScript(1, [plainKey(4), shapedKey(1)]);
  const fault = (about: string, prevoutScript: Uint8Array, spend: Spend, reason: string) => ({
    about,
    prevoutScript,
    spend,
    reason,
  });
  const segwit = (...items: Uint8Array[]): Spend => ({ scriptSig: NONE, witness: items });
  const legacy = (...parts: Uint8Array[]): Spend => ({ scriptSig: concatBytes(...parts), witness: [] });
  const signature = shapedSignature();
  const { script: keyHash } = p2pkhOwner(1);
  return [
    ...allOwners(1)
      .filter(({ name }) => name !== 'p2tr')
      .map(({ name, script, spend }) => fault(`${name}, sighash NONE`, script, spend(2), 'sender_sighash')),
    fault('p2tr, 65 bytes that end in 00', taproot, segwit(new Uint8Array(65)), 'sender_sighash'),
    fault('p2tr, 65 bytes that end in 83', taproot, p2trOwner(1).spend(0x83), 'sender_sighash'),
    fault('p2tr, 63 bytes', taproot, segwit(new Uint8Array(63)), 'sender_signature_form'),
    fault('p2tr, an annex', taproot, segwit(new Uint8Array(64), Uint8Array.of(0x50)), 'sender_malformed'),
    fault(
      'p2tr, a script path',
      taproot,
      segwit(getHexBytes('51'), new Uint8Array(33).fill(0xc0)),
      'sender_malformed',
    ),
    fault(
      'p2pkh, a push by PUSHDATA1',
      keyHash,
      legacy(Uint8Array.of(0x4c, 9), signature, push(shapedKey(1))),
      'sender_malformed',
    ),
    fault(
      'p2pkh, a push before the signature',
      keyHash,
      legacy(Uint8Array.of(0), push(signature), push(shapedKey(1))),
      'sender_malformed',
    ),
    fault(
      'p2pkh, an opcode that pushes nothing',
      keyHash,
      legacy(push(signature), push(shapedKey(1)), Uint8Array.of(0x61)),
      'sender_malformed',
    ),
    fault(
      'p2wpkh, an uncompressed key',
      p2wpkhOwner(1, plainKey(4)).script,
      p2wpkhOwner(1, plainKey(4)).spend(),
      'sender_key_form',
    ),
    fault(
      'p2wpkh, an empty signature',
      p2wpkhOwner(1).script,
      segwit(NONE, shapedKey(1)),
      'sender_signature_form',
    ),
    fault(
      'p2wsh multisig, a dummy that is not empty',
      multisig.script,
      segwit(Uint8Array.of(1), ...witness.slice(1)),
      'sender_malformed',
    ),
    fault(
      'p2wsh multisig, one signature too few',
      multisig.script,
      segwit(...witness.toSpliced(1, 1)),
      'sender_malformed',
    ),
    fault(
      'p2wsh multisig, an empty signature',
      multisig.script,
      segwit(...witness.with(1, NONE)),
      'sender_signature_form',
    ),
    fault(
      'p2wsh multisig, an uncompressed key',
      witnessScript(0, sha256(mixed)),
      segwit(NONE, signature, mixed),
      'sender_key_form',
    ),
    fault(
      'p2sh of P2PKH',
      scriptHashScript(hash160(inner)),
      legacy(push(signature), push(shapedKey(1)), push(inner)),
      'sender_unsupported',
    ),
    fault(
      'p2sh of P2TR',
      scriptHashScript(hash160(taproot)),
      { scriptSig: push(taproot), witness: [new Uint8Array(64)] },
      'sender_unsupported',
    ),
    fault(
      'bare multisig',
      multisigScript(1, [shapedKey(1)]),
      legacy(Uint8Array.of(0), push(signature)),
      'sender_unsupported',
    ),
    fault(
      'an unknown witness version',
      witnessScript(2, new Uint8Array(32)),
      segwit(signature),
      'sender_unsupported',
    ),
  ];
}

function goodSpends(): SenderVector[] {
  const key = plainKey(4);
  const good = allOwners(1).map(({ name, script, spend }) => ({
    about: name,
    prevoutScript: script,
    spend: spend(),
    reason: null,
  }));
  const more = [
    { about: 'p2tr with ALL', owner: p2trOwner(1), spend: p2trOwner(1).spend(1) },
    { about: 'p2pkh, an uncompressed key', owner: p2pkhOwner(1, key), spend: p2pkhOwner(1, key).spend() },
  ];
  return [
    ...good,
    ...more.map(({ about, owner, spend }) => ({ about, prevoutScript: owner.script, spend, reason: null })),
  ];
}

/** The content of docs/protocols/vectors/sender.json. */
export function makeSenderVectors(): unknown {
  const vectors = [...goodSpends(), ...senderFaultSpends(), ...moreFaults()];
  return {
    about:
      'Test vectors of docs/protocols/sender.md. Signatures have their shape and are not valid: the rule judges the shape.',
    transactions: vectors.map(({ about, prevoutScript, spend, reason }, i) => {
      const tx = shapedTransaction(spend, [{ value: 1n, script: prevoutScript }], i);
      const found = findSender(tx, prevoutScript);
      const code = found.ok ? null : found.reason;
      if (code !== reason) throw new Error(`${about}: expected ${reason}, the rule says ${code}`);
      const raw = bytesToHex(serializeTransaction(tx, { witness: true }));
      return { about, raw, prevout_script: bytesToHex(prevoutScript), valid: reason === null, reason };
    }),
  };
}
