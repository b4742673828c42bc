/** The vectors of docs/protocols/vectors/signed-messages.json, made anew: keys and signatures are deterministic. */

import { encodeAddress } from '../../address.ts';
import { bytesToHex } from '../../bytes.ts';
import { sha256 } from '../../hash.ts';
import type { MessageFaultCode, MessageTimelock, SignatureForm } from '../../messages/verdict.ts';
import type { Transaction } from '../../transaction.ts';
import {
  multisigKinds,
  multisigLock,
  signBip137,
  signBip322,
  singleKeyKinds,
  singleKeyLock,
  type TestLock,
} from '../message-signer.ts';
import { bitcoin } from '../profiles.ts';
import { faultySignedMessages } from './signed-message-faults.ts';

/** A signature with the verdict that every verifier of these rules comes to. */
export type SignedMessageVector = {
  name: string;
  address: string;
  /** What was signed; where `message_times` is given, so many times in a row. */
  message: string;
  message_times?: number;
  signature: string;
  state: 'valid' | 'timelocked' | 'invalid' | 'inconclusive';
  form?: SignatureForm;
  timelock?: { not_before?: MessageTimelock['notBefore']; min_age?: MessageTimelock['minAge'] };
  code?: MessageFaultCode;
};

/** The private keys of all vectors: key n is the SHA-256 of a fixed text and n. */
export const VECTOR_KEYS: readonly Uint8Array[] = [0, 1, 2].map((n) =>
  sha256(new TextEncoder().encode(`coinfront signed-messages vector key ${n}`)),
);
const [KEY] = VECTOR_KEYS as [Uint8Array];
const MESSAGES = ['', 'Hello, coin', 'UTF-8: öäü 测试 \u{1f604}\n'];

/** The whole file. */
export function buildSignedMessageVectors() {
  return {
    specification: 'docs/protocols/signed-messages.md',
    coin: {
      p2pkh_versions: bitcoin.address.p2pkhVersions,
      p2sh_versions: bitcoin.address.p2shVersions,
      bech32_hrp: bitcoin.address.bech32Hrp,
      message_magic: bitcoin.messageMagic,
    },
    private_keys: VECTOR_KEYS.map(bytesToHex),
    vectors: [...validVectors(), ...timelockVectors(), ...faultySignedMessages(VECTOR_KEYS)],
  };
}

function validVectors(): SignedMessageVector[] {
  const multisig = multisigKinds.map((kind) => ({
    name: `2 of 3 in ${kind}`,
    lock: multisigLock(VECTOR_KEYS, kind, [0, 2]),
    isNative: kind === 'p2wsh',
  }));
  const single = singleKeyKinds.map((kind) => ({
    name: kind,
    lock: singleKeyLock(KEY, kind),
    isNative: kind === 'p2wpkh' || kind === 'p2tr',
  }));
  const all = [
    ...single,
    {
      name: 'p2pkh, uncompressed key',
      lock: singleKeyLock(KEY, 'p2pkh', { isCompressed: false }),
      isNative: false,
    },
    { name: 'p2tr, sighash ALL', lock: singleKeyLock(KEY, 'p2tr', { tapSighash: 1 }), isNative: true },
    ...multisig,
  ];
  const bip322 = MESSAGES.flatMap((message) =>
    all.flatMap(({ name, lock, isNative }) =>
      (isNative ? (['simple', 'full'] as const) : (['full'] as const)).map((form) =>
        valid(`${name}, ${form}`, lock, message, signBip322(lock, message, { form }), `bip322_${form}`),
      ),
    ),
  );
  const compact = [true, false].flatMap((isCompressed) =>
    MESSAGES.map((message) =>
      valid(
        `p2pkh, BIP-137, ${isCompressed ? 'compressed' : 'uncompressed'} key`,
        singleKeyLock(KEY, 'p2pkh', { isCompressed }),
        message,
        signBip137(KEY, message, bitcoin, { isCompressed }),
        'bip137',
      ),
    ),
  );
  const drafts = all
    .filter(({ name, isNative }) => isNative || name.includes('p2sh-'))
    .map(({ name, lock }) => {
      const signature = signBip322(lock, MESSAGES[1]!, { form: 'simple' }).slice(3);
      return valid(
        `${name}, simple of the drafts (no prefix)`,
        lock,
        MESSAGES[1]!,
        signature,
        'bip322_simple',
      );
    });
  return [...bip322, ...compact, ...drafts];
}

function valid(
  name: string,
  { script }: TestLock,
  message: string,
  signature: string,
  form: SignatureForm,
): SignedMessageVector {
  return { name, address: encodeAddress(script, bitcoin)!, message, signature, state: 'valid', form };
}

function timelockVectors(): SignedMessageVector[] {
  const lock = singleKeyLock(KEY, 'p2wpkh');
  const message = MESSAGES[1]!;
  const make = (name: string, version: number, locktime: number, sequence: number) => ({
    name,
    address: encodeAddress(lock.script, bitcoin)!,
    message,
    signature: signBip322(lock, message, { form: 'full', edit: withLocks({ version, locktime, sequence }) }),
    form: 'bip322_full' as const,
  });
  const locked = (
    vector: ReturnType<typeof make>,
    timelock: NonNullable<SignedMessageVector['timelock']>,
  ) => ({
    ...vector,
    state: 'timelocked' as const,
    timelock,
  });
  return [
    locked(make('from a height', 0, 499_999_999, 0), { not_before: { height: 499_999_999 } }),
    locked(make('from a Unix time', 2, 500_000_000, 0xfffffffe), {
      not_before: { unixSeconds: 500_000_000 },
    }),
    locked(make('from an age in blocks', 2, 0, 144), { min_age: { blocks: 144 } }),
    locked(make('from an age in blocks, version 0', 0, 0, 144), { min_age: { blocks: 144 } }),
    locked(make('from an age in units of 512 seconds', 2, 0, 0x00400002), { min_age: { seconds: 1024 } }),
    locked(make('from a height and an age', 2, 700_000, 0x0000ffff), {
      not_before: { height: 700_000 },
      min_age: { blocks: 65_535 },
    }),
    { ...make('a final sequence is no age', 2, 0, 0xffffffff), state: 'valid' },
    { ...make('bits of the sequence that BIP-68 leaves open are no age', 2, 0, 0x00010000), state: 'valid' },
  ];
}

/** An edit of `to_sign`: its version, nLockTime, and the nSequence of its input. */
export function withLocks({
  version,
  locktime,
  sequence,
}: {
  version: number;
  locktime: number;
  sequence: number;
}): (tx: Transaction) => Transaction {
  return (tx) => ({ ...tx, version, locktime, inputs: tx.inputs.map((input) => ({ ...input, sequence })) });
}

/** The text of the file. */
export function signedMessageVectorsText(): string {
  return `${JSON.stringify(buildSignedMessageVectors(), null, 2)}\n`;
}
