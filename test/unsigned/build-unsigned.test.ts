import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { parseTransaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildUnsigned } from '../../service/src/unsigned/build-unsigned.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createSigner, fundSigners, type Signer } from '../harness/signing-wallet.ts';
import { catchUp, openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';

const profile = getShippedProfile('regtest');
const RATE = 2_000n;
const kinds = ['p2wpkh', 'p2pkh', 'p2sh-p2wpkh', 'p2tr'] as const;

const carrier: TxOutput = { value: 0n, script: buildCarrier(new Uint8Array(70).fill(7)) };
const payee = createSigner('payee', profile);
const needsKey = ({ redeemScript, internalKey }: Signer) =>
  redeemScript !== undefined || internalKey !== undefined;
const pay = (value: bigint): TxOutput => ({ value, script: payee.script });

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(120);
});
afterAll(() => node.stop());

forEachEngine('an unsigned transaction', (engine) => {
  let indexer: TestIndexer;

  beforeAll(async () => {
    indexer = await openTestIndexer(await engine.openUrl());
  });
  afterAll(() => indexer.close());

  const fund = async (...signers: Signer[]): Promise<void> => {
    await fundSigners(node, signers, 1);
    await fundSigners(node, signers, 2);
    await catchUp(node.client, indexer);
  };
  const build = (sender: Signer, outputs: TxOutput[], publicKey?: Uint8Array) =>
    indexer.readChain((view) =>
      buildUnsigned(
        view,
        { sender: { script: sender.script, publicKey }, outputs, feeRatePerKvb: RATE },
        profile,
      ),
    );
  const buildFor = async (sender: Signer, outputs: TxOutput[]) => {
    const made = await build(sender, outputs, needsKey(sender) ? sender.publicKey : undefined);
    if (!made.ok) throw new Error(made.detail);
    return made;
  };
  /** As a wallet does it: from the PSBT alone, and the key. */
  const sign = (psbt: string, { privateKey }: Signer): string => {
    const tx = Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownOutputs: true });
    tx.sign(privateKey);
    tx.finalize();
    return tx.hex;
  };

  describe.each(kinds)('of %s', (kind) => {
    test('is signed from the PSBT alone, and then taken by the node', async () => {
      const sender = createSigner(`${engine.kind} ${kind}`, profile, kind);
      await fund(sender);
      // More than one coin is needed.
      const outputs = [carrier, pay(2_50000000n), pay(6_000n)];
      const made = await buildFor(sender, outputs);
      expect(made.inputs).toHaveLength(2);
      const hex = sign(made.psbt, sender);
      const tx = getValue(parseTransaction(Buffer.from(hex, 'hex')));
      expect(tx.inputs.map(({ prevTxid, prevVout }) => [toDisplayHash(prevTxid), prevVout])).toEqual(
        made.inputs.map(({ txid, vout }) => [toDisplayHash(txid), vout]),
      );
      expect(tx.outputs.slice(0, 3).map(({ value, script }) => [value, bytesToHex(script)])).toEqual(
        outputs.map(({ value, script }) => [value, bytesToHex(script)]),
      );
      expect(tx.outputs).toHaveLength(4);
      expect(made.change).toEqual({ vout: 3, value: tx.outputs[3]!.value });
      expect(bytesToHex(tx.outputs[3]!.script)).toBe(bytesToHex(sender.script));
      const paid = tx.outputs.reduce((sum, { value }) => sum + value, 0n);
      expect(3_00000000n - paid).toBe(made.fee);

      const [verdict] = await node.rpc<{ allowed: boolean; 'reject-reason': string; vsize: number }[]>(
        'testmempoolaccept',
        [hex],
      );
      expect(verdict).toMatchObject({ allowed: true });
      const { vsize } = await node.rpc<{ vsize: number }>('decoderawtransaction', hex);
      // The rate that was asked for, and not much more.
      expect(made.vsize).toBeGreaterThanOrEqual(vsize);
      expect(made.vsize).toBeLessThanOrEqual(vsize * 1.25);
      expect(made.fee).toBe((BigInt(made.vsize) * RATE) / 1_000n);
    });
  });

  test('leaves no change that would be dust', async () => {
    const sender = createSigner(`${engine.kind} no change`, profile);
    await fund(sender);
    const rest = profile.dustLimit - 1n;
    const fee = (BigInt(12 + 31 + 68) * RATE) / 1_000n;
    const made = await buildFor(sender, [pay(2_00000000n - fee - rest)]);
    expect(made).toMatchObject({ change: undefined, fee: fee + rest });
    expect(made.inputs).toHaveLength(1);
  });

  test('spends nothing that is unconfirmed, spent in the mempool, or immature', async () => {
    const sender = createSigner(`${engine.kind} pending`, profile);
    await fundSigners(node, [sender], 3);
    await node.mine(1, sender.address);
    await node.rpc('sendtoaddress', sender.address, 4);
    await catchUp(node.client, indexer);
    const made = await buildFor(sender, [pay(1_00000000n)]);
    expect(made.inputs.map(({ value }) => value)).toEqual([3_00000000n]);
    await node.rpc('sendrawtransaction', sign(made.psbt, sender));
    await catchUp(node.client, indexer);
    const again = await build(sender, [pay(1_00000000n)]);
    expect(again).toMatchObject({ ok: false, reason: 'insufficient_funds' });
    await node.mine(1);
  });

  test('says what is missing', async () => {
    const sender = createSigner(`${engine.kind} poor`, profile);
    const nested = createSigner(`${engine.kind} nested`, profile, 'p2sh-p2wpkh');
    await fund(sender, nested);
    expect(await build(sender, [pay(3_00000000n)])).toEqual({
      ok: false,
      reason: 'insufficient_funds',
      detail:
        'The address has 2.99999728 RCOIN that are confirmed and can be spent, less what spending them costs; 3.00000086 ' +
        'RCOIN are needed.',
    });
    expect(await build(nested, [pay(1n)])).toMatchObject({ reason: 'public_key_needed' });
    expect(await build(nested, [pay(1n)], sender.publicKey)).toMatchObject({ reason: 'public_key_wrong' });
    expect(await build(sender, [pay(1n)], nested.publicKey)).toMatchObject({ reason: 'public_key_wrong' });
    const multisig = { ...sender, script: profile.names!.feeScript };
    expect(await build(multisig, [pay(1n)])).toMatchObject({ reason: 'sender_unsupported' });
  });
});
