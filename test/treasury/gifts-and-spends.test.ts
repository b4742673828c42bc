import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { signBip322, singleKeyLock } from '@coinfront/protocol/testing/message-signer.ts';
import { serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import {
  type GiftClaim,
  hashClaimSecret,
  writeGiftClaimText,
} from '@coinfront/protocol/treasury/gift-claim.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { listLedger } from '@coinfront/sdk/treasury/list-ledger.ts';
import { verifyLedger } from '@coinfront/sdk/verify/verify-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCommand } from '../../service/src/admin/parse-command.ts';
import { runSayingCommand, type SayingCommand } from '../../service/src/admin/treasury-sayings.ts';
import { auditBooks } from '../../service/src/parts/treasury/reconciliation/audit-books.ts';
import { findServicePublicKey } from '../../service/src/signing/service-key.ts';
import { type DatabaseLocation, forEachEngine, keyFileOf } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { addressFor, openPurse, type RawCoin, type RawTx, spend } from '../harness/raw-coins.ts';
import {
  type Contributor,
  contribute,
  openTreasuryDesk,
  profile,
  spendTreasury,
  type TreasuryDesk,
  treasury,
  units,
} from './treasury-desk.ts';

let node: TestNode;
let nextCoin: () => RawCoin;
beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 40, value: 20_000_000n, owner: 1 });
});
afterAll(() => node.stop());

/** Somebody with a key: the sender of gifts. */
const sender = singleKeyLock(new Uint8Array(32).fill(11), 'p2wpkh');
const stranger = singleKeyLock(new Uint8Array(32).fill(12), 'p2wpkh');
const addressOf = ({ script }: { script: Uint8Array }) => addressFor(script);

/** Sends a gift out of a coin of the sender's. */
function give(from: { txid: string; vout: number; value: bigint }, value: bigint): RawTx {
  const prevout = { value: from.value, script: sender.script };
  const input = {
    prevTxid: getValue(parseDisplayHash(from.txid)),
    prevVout: from.vout,
    sequence: 0xffff_ffff,
  };
  const unsigned = {
    version: 2,
    inputs: [{ ...input, scriptSig: new Uint8Array(0), witness: [] as Uint8Array[] }],
    outputs: [{ value, script: treasury.script }],
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
  const tx = { ...unsigned, inputs: [{ ...input, ...sender.satisfy(unsigned, prevout) }] };
  const hex = Buffer.from(serializeTransaction(tx, { witness: true })).toString('hex');
  return { txid: toDisplayHash(txidOf(tx)), hex, coins: [] };
}

forEachEngine('gifts that no intent had, and spends,', (engine) => {
  let desk: TreasuryDesk;
  let database: DatabaseLocation;
  let ada: Contributor;
  let bob: Contributor;

  beforeAll(async () => {
    database = await engine.openUrl();
    desk = await openTreasuryDesk(node, database);
    await desk.settle();
    [ada, bob] = [await desk.register('Ada'), await desk.register('Bob')];
  });
  afterAll(() => desk?.stop());

  const say = async (...args: string[]) => {
    const command = getValue(parseCommand(['treasury', ...args]));
    return await runSayingCommand(
      { precious: desk.precious, now: Date.now },
      command as unknown as SayingCommand,
    );
  };
  /** A gift that is mined, and the block it is in. */
  const sendGift = async (value = 5_000_000n) => {
    const funding = spend(
      [nextCoin()],
      [
        { value: value + 2_000n, script: sender.script },
        { value: 1_000_000n, owner: 9 },
      ],
    );
    await desk.mine(funding);
    const gift = give({ txid: funding.txid, vout: 0, value: value + 2_000n }, value);
    return { txid: gift.txid, tx: gift, block: await desk.mine(gift) };
  };
  const keyOfService = () => findServicePublicKey(keyFileOf(database))!;
  const claimOf = (
    txid: string,
    { id, secret }: Contributor,
    { signer = sender, ...named }: Partial<GiftClaim> & { signer?: typeof sender } = {},
  ) => ({
    ...{ contributor_secret: secret, txid, vout: 0, address: addressOf(signer) },
    signature: signBip322(
      signer,
      writeGiftClaimText({
        ...{ network: profile.genesisHash, serviceKey: keyOfService(), txid, vout: 0 },
        ...{ contributorId: id, secretHash: hashClaimSecret(secret) },
        ...named,
      }),
      { form: 'simple' },
    ),
  });
  const kindsOf = async (txid: string) => (await desk.entriesOf(txid)).map(({ kind }) => kind);
  const credited = (txid: string, times = 1) =>
    waitUntil('it is credited', async () => {
      const kinds = await kindsOf(txid);
      return kinds.filter((kind) => kind === 'contribution').length === times;
    });
  const totalOf = async ({ secret }: Contributor) =>
    (await desk.post('/me', { contributor_secret: secret }, 200)).verified_total;
  /** Books, seals and chain agree. */
  const checkAll = async () => {
    await desk.checkBooks();
    const serviceKey = keyOfService();
    expect(
      await auditBooks({ precious: desk.precious, profile, serviceKeys: [serviceKey], head: undefined }),
    ).toMatchObject({
      faults: [],
    });
    const client = createClient({ baseUrl: desk.service.origin });
    const trusted = { serviceKeys: [serviceKey], genesisHash: profile.genesisHash };
    const verdict = await verifyLedger(
      (cursor) => listLedger(client, { ...(cursor && { cursor }) }),
      trusted,
    );
    expect(verdict).toMatchObject({ ok: true });
  };

  test('are credited to whom one of their senders signs for, by an entry that says so', async () => {
    const { txid } = await sendGift();
    expect(await kindsOf(txid)).toEqual(['unattributed']);
    const claimed = await desk.post('/claim', claimOf(txid, ada), 200);
    expect(claimed).toMatchObject({ state: 'accepted', amount: '0.05000000', contributor_id: ada.id });
    await credited(txid);
    expect(await desk.entriesOf(txid)).toMatchObject([
      { kind: 'unattributed', state: 'reversed' },
      { kind: 'reversal', amount: '-0.05000000' },
      { kind: 'contribution', contributor: { name: 'Ada' }, assigned_by: 'claim', reason: null },
    ]);
    expect((await desk.post('/claim', claimOf(txid, ada), 200)).state).toBe('credited');
    expect((await desk.post('/claim', claimOf(txid, bob), 409)).code).toBe('outpoint_used');
    await desk.deepen(treasury.confirmations);
    expect(await totalOf(ada)).toBe('0.05000000');
    const me = await desk.post('/me', { contributor_secret: ada.secret }, 200);
    expect(me.contributions).toMatchObject([{ txid, intent_id: null, assigned_by: 'claim', verified: true }]);
    await checkAll();
  });

  test('are not credited for a signature of anybody else, over another text, or for what is no gift', async () => {
    const { txid } = await sendGift();
    const refused = async (body: object, status: number) => (await desk.post('/claim', body, status)).code;
    const good = claimOf(txid, bob);
    expect(await refused({ ...claimOf(txid, bob, { signer: stranger }) }, 422)).toBe('claim_invalid');
    expect(await refused({ ...good, address: addressOf(stranger) }, 422)).toBe('claim_invalid');
    expect(await refused({ ...good, contributor_secret: ada.secret }, 422)).toBe('claim_invalid');
    expect(await refused({ ...good, signature: 'smp' }, 422)).toBe('claim_invalid');
    // Signed for another service, which handed it in here.
    const ofOther = claimOf(txid, bob, { serviceKey: 'ab'.repeat(32) });
    expect(await refused(ofOther, 422)).toBe('claim_invalid');
    // Signed by who was told that the thief's id is his own, and that the key of this service is the other's.
    const told = claimOf(txid, bob, { secretHash: hashClaimSecret('5c'.repeat(32)) });
    expect(await refused(told, 422)).toBe('claim_invalid');
    expect(await refused({ ...good, address: 'nobody' }, 422)).toBe('claim_invalid');
    expect(await refused({ ...good, vout: 1 }, 404)).toBe('gift_not_found');
    expect(await refused({ ...good, txid: 'ab'.repeat(32) }, 404)).toBe('gift_not_found');
    expect(await refused({ ...good, contributor_secret: '01'.repeat(32) }, 401)).toBe(
      'contributor_secret_invalid',
    );
    expect(await kindsOf(txid)).toEqual(['unattributed']);
  });

  test('are credited to whom the operator names, once they are verified at once, and stay so through reorganisations', async () => {
    const gift = await sendGift(3_000_000n);
    const later = contribute(nextCoin(), [700_000n]);
    await desk.mine(later);
    await desk.deepen(treasury.confirmations);
    const before = await totalOf(bob);
    expect(await say('assign', `${gift.txid}:0`, '--to', bob.id)).toMatchObject({ ok: true });
    await credited(gift.txid);
    expect((await desk.entriesOf(gift.txid)).at(-1)).toMatchObject({
      assigned_by: 'operator',
      state: 'verified',
    });
    expect(units(await totalOf(bob)) - units(before)).toBe(3_000_000n);
    expect(await say('assign', `${gift.txid}:0`, '--to', ada.id)).toMatchObject({ ok: false });
    expect(await say('assign', `${later.txid}:0`, '--to', 'VC-000000000000')).toMatchObject({ ok: false });

    // Wrongly assigned: nobody's again, and then the right one's.
    expect(await say('unassign', `${later.txid}:0`)).toMatchObject({ ok: false });
    expect(await say('assign', `${later.txid}:0`, '--to', ada.id)).toMatchObject({ ok: true });
    await credited(later.txid);
    expect(await say('unassign', `${later.txid}:0`)).toMatchObject({ ok: true });
    await waitUntil('it is taken back', async () => (await kindsOf(later.txid)).length === 5);
    expect((await desk.entriesOf(later.txid)).at(-1)).toMatchObject({
      ...{ kind: 'unattributed', contributor: null, assigned_by: 'operator', reason: 'no_intent' },
    });
    await checkAll();

    // Above it only: what was assigned stands behind, and stays.
    const [above] = [(await desk.entriesOf(later.txid))[0].block_hash];
    await node.rpc('invalidateblock', above);
    await desk.deepen(treasury.confirmations + 2);
    expect(await kindsOf(gift.txid)).toEqual(['unattributed', 'reversal', 'contribution']);
    expect((await kindsOf(later.txid)).slice(-2)).toEqual(['unattributed', 'reversal']);
    expect(await kindsOf(later.txid)).toHaveLength(6);
    await checkAll();

    // Its own block: taken back, and said again.
    await node.rpc('invalidateblock', gift.block);
    await desk.deepen(1);
    expect(units(await totalOf(bob))).toBe(units(before));
    await desk.mine(gift.tx);
    await credited(gift.txid, 2);
    await desk.deepen(treasury.confirmations);
    expect(units(await totalOf(bob)) - units(before)).toBe(3_000_000n);
    await checkAll();
  });

  test('are told of in the words of the operator, as an entry; the latest holds', async () => {
    const gift = contribute(nextCoin(), [4_000_000n]);
    await desk.mine(gift);
    const payout = spendTreasury([{ txid: gift.txid, vout: 0, value: 4_000_000n }], [{ value: 3_990_000n }]);
    await desk.mine(payout);
    // What is said below is said of an older block.
    await desk.mine(contribute(nextCoin(), [600_000n]));
    const spendOf = async () => (await desk.entriesOf(payout.txid)).find(({ kind }) => kind === 'spend');
    expect((await spendOf()).note).toBeNull();
    const told = (purpose: string) =>
      waitUntil(`it is told: ${purpose}`, async () => (await spendOf()).note?.purpose === purpose);
    expect(await say('note', payout.txid, '--purpose', 'Rent', '--payee', 'A landlord')).toMatchObject({
      ok: true,
    });
    await told('Rent');
    const note = (await desk.entriesOf(payout.txid)).at(-1);
    expect(note).toMatchObject({ kind: 'note', amount: '0.00000000', purpose: 'Rent', payee: 'A landlord' });
    expect([note.refers_to, (await spendOf()).note.sequence]).toEqual([
      (await spendOf()).sequence,
      note.sequence,
    ]);
    await say('note', payout.txid, '--purpose', 'Rent of May', '--payee', 'A landlord');
    await told('Rent of May');
    expect((await desk.entriesOf(payout.txid)).filter(({ kind }) => kind === 'note')).toHaveLength(2);
    expect(await say('note', gift.txid, '--purpose', 'x', '--payee', 'y')).toMatchObject({ ok: false });
    expect(parseCommand(['treasury', 'note', gift.txid, '--purpose', 'a\nb', '--payee', 'c']).ok).toBe(false);
    expect(
      parseCommand(['treasury', 'note', gift.txid, '--purpose', 'a'.repeat(201), '--payee', 'c']).ok,
    ).toBe(false);

    // A reorganisation takes the spend back, not what was said of it.
    const [{ block_hash }] = await desk.entriesOf(payout.txid);
    await node.rpc('invalidateblock', block_hash);
    await desk.deepen(1);
    await desk.mine(payout);
    const again = (await desk.entriesOf(payout.txid)).findLast(({ kind }) => kind === 'spend');
    expect(again.note).toMatchObject({ purpose: 'Rent of May' });
    await checkAll();
  });
});
