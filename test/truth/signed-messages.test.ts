import { encodeAddress, pubKeyHashScript } from '@coinfront/protocol/address.ts';
import { bytesToHex, getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { hash160, sha256 } from '@coinfront/protocol/hash.ts';
import { withSatisfaction } from '@coinfront/protocol/messages/bip322-transactions.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import {
  multisigKinds,
  multisigLock,
  signBip137,
  singleKeyKinds,
  singleKeyLock,
  type TestLock,
} from '@coinfront/protocol/testing/message-signer.ts';
import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { parseTransaction, serializeTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createBase58check } from '@scure/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNode, type TestNode } from '../harness/litecoind.ts';

const KEYS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const MESSAGES = [
  '',
  'Coinfront',
  'öäü 测试 \u{1f604}',
  'a'.repeat(252),
  'a'.repeat(253),
  'a'.repeat(65_536),
];
const FEE = 10_000n;

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
});
afterAll(() => node?.stop());

describe('BIP-137 and a real node', () => {
  test('what the node signs verifies, and nothing else does', async () => {
    const address = await node.newAddress('legacy');
    const other = await node.newAddress('legacy');
    for (const message of MESSAGES) {
      const signature = await node.rpc<string>('signmessage', address, message);
      expect(verifySignedMessage(address, message, signature, regtest)).toMatchObject({
        ok: true,
        form: 'bip137',
      });
      expect(verifySignedMessage(other, message, signature, regtest)).toMatchObject({
        code: 'public_key_hash',
      });
      expect(verifySignedMessage(address, `${message} `, signature, regtest)).toMatchObject({ ok: false });
    }
  });

  test('the node takes what we take: compressed and uncompressed keys, low and high s, and refuses the rest', async () => {
    for (const isCompressed of [true, false]) {
      const hash = hash160(secp256k1.getPublicKey(KEYS[0]!, isCompressed));
      const address = encodeAddress(pubKeyHashScript(hash), regtest)!;
      for (const message of MESSAGES) {
        const signature = signBip137(KEYS[0]!, message, regtest, { isCompressed });
        for (const text of [signature, withHighS(signature)]) {
          expect(await node.rpc('verifymessage', address, text, message)).toBe(true);
          expect(verifySignedMessage(address, message, text, regtest).ok).toBe(true);
          expect(await node.rpc('verifymessage', address, text, `${message}!`)).toBe(false);
          expect(verifySignedMessage(address, `${message}!`, text, regtest).ok).toBe(false);
        }
      }
    }
  });

  test('a key of the node signs here what the node verifies', async () => {
    const address = await node.newAddress('legacy');
    const wif = await node.rpc<string>('dumpprivkey', address);
    const privateKey = createBase58check(sha256).decode(wif).slice(1, 33);
    const signature = signBip137(privateKey, 'Coinfront', regtest);
    expect(await node.rpc('verifymessage', address, signature, 'Coinfront')).toBe(true);
    expect(verifySignedMessage(address, 'Coinfront', signature, regtest).ok).toBe(true);
  });
});

describe('signature hashes and a real node', () => {
  test.each([
    ...singleKeyKinds.map((kind): [string, TestLock] => [kind, singleKeyLock(KEYS[0]!, kind)]),
    ['p2tr with ALL', singleKeyLock(KEYS[0]!, 'p2tr', { tapSighash: 1 })],
    ['p2pkh uncompressed', singleKeyLock(KEYS[0]!, 'p2pkh', { isCompressed: false })],
    ...multisigKinds.map((kind): [string, TestLock] => [kind, multisigLock(KEYS, kind, [0, 2])]),
  ])(
    'it would mine a transaction that %s signs over our digests, but not with another fee',
    async (_kind, lock) => {
      const address = encodeAddress(lock.script, regtest)!;
      const txid = await node.rpc<string>('sendtoaddress', address, 0.5);
      const funding = getValue(
        parseTransaction(getHexBytes(await node.rpc<string>('getrawtransaction', txid))),
      );
      const prevVout = funding.outputs.findIndex(
        ({ script }) => bytesToHex(script) === bytesToHex(lock.script),
      );
      const prevout = funding.outputs[prevVout]!;
      const unsigned: Transaction = {
        version: 2,
        inputs: [
          {
            prevTxid: getValue(parseDisplayHash(txid)),
            prevVout,
            scriptSig: new Uint8Array(0),
            sequence: 0xfffffffd,
            witness: [],
          },
        ],
        outputs: [{ value: prevout.value - FEE, script: lock.script }],
        locktime: 0,
        hasWitness: false,
        mweb: undefined,
      };
      const signed = withSatisfaction(unsigned, lock.satisfy(unsigned, prevout));
      const changed = { ...signed, outputs: [{ value: prevout.value - 2n * FEE, script: lock.script }] };
      const accepts = async (tx: Transaction) => {
        const hex = bytesToHex(serializeTransaction(tx, { witness: true }));
        const [verdict] = await node.rpc<[{ allowed: boolean }]>('testmempoolaccept', [hex]);
        return verdict.allowed;
      };
      expect(await accepts(signed)).toBe(true);
      expect(await accepts(changed)).toBe(false);
    },
  );
});

/** The same signature with s and the parity of R negated. */
function withHighS(text: string): string {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  const { r, s } = secp256k1.Signature.fromBytes(bytes.subarray(1), 'compact');
  const high = new secp256k1.Signature(r, secp256k1.Point.CURVE().n - s).toBytes('compact');
  const flags = (bytes[0]! - 27) ^ 1;
  return Buffer.from([flags + 27, ...high]).toString('base64');
}
