import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex, getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { withSatisfaction } from '@coinfront/protocol/messages/bip322-transactions.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { prepareNameOperation } from '@coinfront/protocol/names/name-rules.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import {
  multisigKinds,
  multisigLock,
  singleKeyKinds,
  singleKeyLock,
  type TestLock,
} from '@coinfront/protocol/testing/message-signer.ts';
import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import {
  parseTransaction,
  serializeTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNode, type TestNode } from '../harness/litecoind.ts';

const KEYS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const FEE = 10_000n;
const rules = regtest.names!;
const context = { rules, genesisPrefix: genesisPrefix(regtest) };

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
});
afterAll(() => node?.stop());

type Coin = { txid: string; vout: number; output: TxOutput };

/** Pays half a coin to an address. */
async function fund(address: string): Promise<Coin> {
  const txid = await node.rpc<string>('sendtoaddress', address, 0.5);
  const { outputs } = getValue(
    parseTransaction(getHexBytes(await node.rpc<string>('getrawtransaction', txid))),
  );
  const vout = outputs.findIndex(({ script }) => encodeAddress(script, regtest) === address);
  return { txid, vout, output: outputs[vout]! };
}

/** An unsigned commit that spends the coin and returns what is left to its script. */
function buildCommit({ txid, vout, output }: Coin): Transaction {
  const parts = { ownerScript: output.script, salt: new Uint8Array(16), name: 'alice.coin' };
  const commitment = nameCommitment(parts, context.genesisPrefix);
  const payload = encodeNameOperation({ kind: 'commit', commitment }, rules.marker);
  return {
    version: 2,
    inputs: [
      {
        prevTxid: getValue(parseDisplayHash(txid)),
        prevVout: vout,
        scriptSig: new Uint8Array(0),
        sequence: 0xfffffffd,
        witness: [],
      },
    ],
    outputs: [
      { value: 0n, script: buildCarrier(payload) },
      { value: output.value - FEE, script: output.script },
    ],
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
}

/** Whether the node would mine it, and what the rules see in it. */
async function judge(tx: Transaction, { output }: Coin) {
  const hex = bytesToHex(serializeTransaction(tx, { witness: true }));
  const [verdict] = await node.rpc<[{ allowed: boolean }]>('testmempoolaccept', [hex]);
  const placed = { tx, txid: txidOf(tx), height: 200, position: 1, prevoutScript: output.script };
  return { allowed: verdict.allowed, read: prepareNameOperation(placed, context) };
}

describe('what a real node takes', () => {
  test.each([
    ...singleKeyKinds.map((kind): [string, TestLock] => [kind, singleKeyLock(KEYS[0]!, kind)]),
    ['p2tr with ALL', singleKeyLock(KEYS[0]!, 'p2tr', { tapSighash: 1 })],
    ['p2pkh uncompressed', singleKeyLock(KEYS[0]!, 'p2pkh', { isCompressed: false })],
    ...multisigKinds.map((kind): [string, TestLock] => [kind, multisigLock(KEYS, kind, [0, 2])]),
  ])('%s: its script is the sender of the commit', async (_kind, lock) => {
    const coin = await fund(encodeAddress(lock.script, regtest)!);
    const unsigned = buildCommit(coin);
    const { allowed, read } = await judge(
      withSatisfaction(unsigned, lock.satisfy(unsigned, coin.output)),
      coin,
    );
    expect(allowed).toBe(true);
    expect(read).toMatchObject({ kind: 'operation', prepared: { sender: lock.script } });
  });

  test.each(['legacy', 'p2sh-segwit', 'bech32'] as const)(
    "%s, signed by the node's wallet: only ALL has a sender",
    async (kind) => {
      const coin = await fund(await node.newAddress(kind));
      const hex = bytesToHex(serializeTransaction(buildCommit(coin), { witness: false }));
      for (const sighash of ['ALL', 'NONE', 'SINGLE', 'ALL|ANYONECANPAY', 'SINGLE|ANYONECANPAY']) {
        const signed = await node.rpc<{ hex: string; complete: boolean }>(
          'signrawtransactionwithwallet',
          hex,
          [],
          sighash,
        );
        const { allowed, read } = await judge(getValue(parseTransaction(getHexBytes(signed.hex))), coin);
        expect([sighash, signed.complete, allowed]).toEqual([sighash, true, true]);
        if (sighash === 'ALL') expect(read).toMatchObject({ kind: 'operation' });
        else expect(read).toEqual({ kind: 'invalid', reason: 'sender_sighash' });
      }
    },
  );
});
