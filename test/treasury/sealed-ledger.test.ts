import type { ContributionReceiptJson } from '@coinfront/api/treasury.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { getContributionReceipt } from '@coinfront/sdk/treasury/get-contribution-receipt.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { listLedger } from '@coinfront/sdk/treasury/list-ledger.ts';
import { readContributor } from '@coinfront/sdk/treasury/read-contributor.ts';
import type { TrustedLedger } from '@coinfront/sdk/verify/check-ledger-entry.ts';
import { verifyContributionReceipt } from '@coinfront/sdk/verify/verify-contribution-receipt.ts';
import {
  type LedgerHead,
  type ReadLedgerPage,
  verifyLedger,
  verifyLedgerSince,
} from '@coinfront/sdk/verify/verify-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findServicePublicKey } from '../../service/src/signing/service-key.ts';
import { type DatabaseLocation, forEachEngine, keyFileOf } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { moveGift, reseal, unlockHistory } from './forger.ts';
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
  nextCoin = await openPurse(node, { count: 20, value: 20_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('the sealed ledger', (engine) => {
  let desk: TreasuryDesk;
  let database: DatabaseLocation;
  let client: Client;
  let trusted: TrustedLedger;
  let ada: Contributor;
  let bob: Contributor;
  let gift: string;
  let early: LedgerHead;
  let receipt: ContributionReceiptJson;

  const read: ReadLedgerPage = (cursor) =>
    listLedger(client, { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
  const verify = (remembered?: LedgerHead) =>
    verifyLedger(read, trusted, remembered === undefined ? {} : { remembered });
  const headNow = async (): Promise<LedgerHead> => {
    const { head } = await getTreasuryStatus(client);
    return { sequence: head!.sequence, hash: head!.hash };
  };
  const receiptFor = ({ secret }: Contributor, sequence: number) =>
    getContributionReceipt(client, { contributor_secret: secret, sequence });

  beforeAll(async () => {
    database = await engine.openUrl();
    desk = await openTreasuryDesk(node, database);
    await desk.settle();
    client = createClient({ baseUrl: desk.service.origin });
    trusted = {
      serviceKeys: [findServicePublicKey(keyFileOf(database))!],
      genesisHash: profile.genesisHash,
    };
    [ada, bob] = [await desk.register('Ada'), await desk.register()];
  });
  afterAll(() => desk?.stop());

  test('is verified from its first entry, through spends, reversals and a restart, with a head that is kept', async () => {
    const intent = await desk.intent(ada);
    const tx = contribute(nextCoin(), [units(intent.exact_amount)]);
    gift = tx.txid;
    await desk.mine(tx);
    early = await headNow();
    const { value } = { value: units(intent.exact_amount) };
    const other = contribute(nextCoin(), [400_000n]);
    const fork = await desk.mine(other);
    await desk.mine(spendTreasury([{ txid: gift, vout: 0, value }], [{ value: value - 1_000n }]));
    await node.rpc('invalidateblock', fork);
    await desk.deepen(2);
    await desk.service.kill();
    await desk.service.start();
    await desk.mine(other);
    const entries = await desk.ledger();
    expect(entries.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['contribution', 'reversal', 'spend']),
    );
    const verdict = await verify(early);
    expect(verdict).toEqual({ ok: true, head: await headNow(), entries: entries.length });
    const since = await verifyLedgerSince(read, trusted, early);
    expect(since).toEqual({ ok: true, head: await headNow(), entries: entries.length - early.sequence + 1 });
    const { head } = await getTreasuryStatus(client);
    expect(trusted.serviceKeys).toEqual([head!.service_key]);
  });

  test('gives a contributor a receipt that proves his entry, and nobody else one for it', async () => {
    const me = await readContributor(client, { contributor_secret: ada.secret });
    const { sequence } = me.contributions.find(({ txid }) => txid === gift)!;
    receipt = await receiptFor(ada, sequence);
    expect(receipt.entry).toMatchObject({ txid: gift, kind: 'contribution', sequence });
    expect(verifyContributionReceipt(receipt, trusted)).toMatchObject({ ok: true, contributorId: ada.id });
    const stranger = await desk.post('/receipt', { contributor_secret: bob.secret, sequence }, 404);
    expect(stranger.code).toBe('entry_not_found');
    const beyond = { contributor_secret: ada.secret, sequence: 1_000_000 };
    expect((await desk.post('/receipt', beyond, 404)).code).toBe('entry_not_found');
    expect((await desk.post('/receipt', { ...beyond, contributor_secret: '00'.repeat(32) }, 401)).code).toBe(
      'contributor_secret_invalid',
    );
  });

  test('tells nobody whose two entries are, not even that they are of the same contributor', async () => {
    const intent = await desk.intent(bob, { method: 'carrier' });
    const tx = contribute(nextCoin(), [300_000n, 300_000n], { carrier: intent.carrier.script });
    await desk.mine(tx);
    const [first, second] = await desk.entriesOf(tx.txid);
    expect(first.contributor).toEqual({ id: null, name: 'Anonymous' });
    expect(first.seal.attribution).toMatch(/^[0-9a-f]{64}$/);
    expect(first.seal.attribution).not.toBe(second.seal.attribution);
    expect(JSON.stringify([first, second])).not.toContain(bob.id);
    const own = await receiptFor(bob, first.sequence);
    expect(verifyContributionReceipt(own, trusted)).toMatchObject({ ok: true, contributorId: bob.id });
  });

  test('cannot be changed in the database without being found by whoever reads it', async () => {
    await expect(
      desk.precious.query<{ treasury_seal: { hash: string } }>().deleteFrom('treasury_seal').execute(),
    ).rejects.toThrow(/append-only/);
    const db = await unlockHistory(desk.precious, 'treasury_entry');
    await moveGift(db, { txid: gift, to: bob.id });
    expect(await verify()).toMatchObject({
      ok: false,
      code: 'hash_mismatch',
      sequence: receipt.entry.sequence,
    });
    await moveGift(db, { txid: gift, to: ada.id });
    expect(await verify(early)).toMatchObject({ ok: true });
  });

  test('written before there were seals is sealed by the first start behind that', async () => {
    await desk.service.stop();
    await reseal(desk.precious, undefined);
    await desk.service.start();
    await desk.mine(contribute(nextCoin(), [200_000n]));
    expect(await verify()).toMatchObject({ ok: true, entries: (await desk.ledger()).length });
  });

  test('that an operator with the key has sealed anew is found by who kept a head or a receipt', async () => {
    await desk.service.stop();
    const db = await unlockHistory(desk.precious, 'treasury_entry');
    await moveGift(db, { txid: gift, to: bob.id });
    await reseal(desk.precious, keyFileOf(database));
    await desk.service.start();
    await desk.deepen(treasury.confirmations);
    // Whoever keeps nothing finds nothing in the ledger alone.
    expect(await verify()).toMatchObject({ ok: true });
    expect(await verify(early)).toMatchObject({ ok: false, code: 'not_extended' });
    expect(await verifyLedgerSince(read, trusted, early)).toMatchObject({ ok: false, code: 'not_extended' });
    const { sequence, seal } = receipt.entry;
    expect(await verify({ sequence, hash: seal!.hash })).toMatchObject({ ok: false, code: 'not_extended' });
  });
});
