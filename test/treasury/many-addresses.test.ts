import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getValue } from '@coinfront/protocol/result.ts';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWalletScripts } from '../../service/src/wallets/wallet-scripts.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  addressFor,
  addressOfOwner,
  openPurse,
  type RawCoin,
  scriptOf,
  spend,
} from '../harness/raw-coins.ts';
import {
  contribute,
  openTreasuryDesk,
  profile,
  spendTreasury,
  type TreasuryDesk,
  treasury,
  units,
} from './treasury-desk.ts';

const GAP = 5;
/** Owners whose addresses are the treasury's: from the start, and added by the operator later. */
const [OTHER, ADDED] = [41, 42];
const versions = { public: profile.extendedPublicVersion, private: profile.extendedPrivateVersion };
/** The account of a suite: both are on one chain. */
function openAccount(seed: number) {
  const master = HDKey.fromMasterSeed(new Uint8Array(32).fill(seed), versions);
  const key = master.derive("m/84'/1'/0'").publicExtendedKey;
  const [, branch] = getValue(readWalletScripts(key, undefined, profile)).branches;
  return { key, changeScript: (index: number) => branch!.scriptAt(index) };
}

let node: TestNode;
let nextCoin: () => RawCoin;
const folder = mkdtempSync(join(tmpdir(), 'coinfront-coin-'));
beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 40, value: 20_000_000n, owner: 1 });
});
afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true });
});

/** Writes the profile of a treasury with these further addresses. */
function writeCoin(name: string, key: string, otherAddresses: readonly string[]): string {
  const shipped = join(import.meta.dirname, '..', '..', 'protocol', 'profiles', 'regtest.json');
  const json = JSON.parse(readFileSync(shipped, 'utf8'));
  json.treasury = {
    ...json.treasury,
    other_addresses: otherAddresses,
    account: { key, gap_limit: GAP },
  };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(json));
  return file;
}

forEachEngine('a treasury of several addresses', (engine) => {
  let desk: TreasuryDesk;
  let early: string;
  let otherCoin: RawCoin;
  const { key, changeScript } = openAccount(engine.kind === 'sqlite' ? 3 : 4);

  beforeAll(async () => {
    // Long before the operator says that this address is the treasury's, too.
    const tx = spend(
      [nextCoin()],
      [
        { value: 1_234_567n, owner: ADDED },
        { value: 18_000_000n, owner: 9 },
      ],
    );
    early = tx.txid;
    await node.rpc('generateblock', await node.newAddress(), [tx.hex]);
    const coin = writeCoin(engine.kind, key, [addressOfOwner(OTHER)]);
    desk = await openTreasuryDesk(node, await engine.openUrl(), { COINFRONT_COIN: coin });
    await desk.settle();
  });
  afterAll(() => desk?.stop());

  /** The books agree with what the node itself counts on all of these addresses, since the treasury began or not. */
  const checkSum = async (addresses: readonly string[]) => {
    await desk.settle();
    const { json } = await desk.get('/status');
    const { reconciliation } = json;
    expect(reconciliation).toMatchObject({ difference: '0.00000000', unexplained: [] });
    const scanned = await node.client.callText<{ total_amount: string }>('scantxoutset', [
      'start',
      addresses.map((address) => `addr(${address})`),
    ]);
    expect(reconciliation.utxo_total).toBe(scanned.total_amount);
    expect([...json.other_addresses].sort()).toEqual(addresses.slice(1).toSorted());
    return reconciliation;
  };
  const [main, other] = [treasury.address, addressOfOwner(OTHER)];
  const change = (index: number) => addressFor(changeScript(index));

  test('spends only what leaves it: change to its other addresses comes back', async () => {
    const gift = contribute(nextCoin(), [9_000_000n]);
    await desk.mine(gift);
    const payout = spendTreasury(
      [{ txid: gift.txid, vout: 0, value: 9_000_000n }],
      [
        { value: 1_000_000n },
        { value: 3_000_000n, script: scriptOf(OTHER) },
        { value: 4_990_000n, script: changeScript(3) },
      ],
    );
    otherCoin = { txid: payout.txid, vout: 1, value: 3_000_000n, owner: OTHER };
    await desk.mine(payout);
    const entries = await desk.entriesOf(payout.txid);
    expect(entries).toMatchObject([
      { kind: 'spend', amount: '-0.08990000' },
      { kind: 'fee', amount: '-0.00010000' },
      { kind: 'change', amount: '0.03000000', vout: 1 },
      { kind: 'change', amount: '0.04990000', vout: 2 },
    ]);
    const left = entries.reduce((sum, { amount }) => sum + units(amount), 0n);
    expect(left).toBe(-1_010_000n);
    await checkSum([main, other, change(3)]);
  });

  test('knows addresses of its account as far as the gap limit behind the last one that was used', async () => {
    const coin = nextCoin();
    const outputs = [3 + GAP, 3 + GAP + GAP].map((index) => ({
      value: 500_000n,
      script: changeScript(index),
    }));
    await desk.mine(spend([coin], [...outputs, { value: 18_000_000n, owner: 9 }]));
    await checkSum([main, other, ...[3, 8, 13].map(change)]);
  });

  test('spends from its other addresses as well, and credits nobody for what comes there', async () => {
    const ada = await desk.register('Ada');
    const intent = await desk.intent(ada);
    const back = spend(
      [otherCoin],
      [
        { value: 2_000_000n, script: treasury.script },
        { value: 990_000n, owner: 9 },
      ],
    );
    const elsewhere = spend(
      [nextCoin()],
      [
        { value: units(intent.exact_amount), owner: OTHER },
        { value: 18_000_000n, owner: 9 },
      ],
    );
    await desk.mine(back, elsewhere);
    expect((await desk.entriesOf(back.txid)).map(({ kind }) => kind)).toEqual(['spend', 'fee', 'change']);
    expect(await desk.entriesOf(elsewhere.txid)).toMatchObject([
      { kind: 'unattributed', reason: 'other_address', contributor: null },
    ]);
    expect((await desk.verify(elsewhere.txid, intent.id)).json.code).toBe('contribution_wrong_address');
    await checkSum([main, other, ...[3, 8, 13].map(change)]);
  });

  test('that is given one more address takes its past into the ledger, in the order of the chain', async () => {
    const bob = await desk.register('Bob');
    const intent = await desk.intent(bob);
    await desk.mine(contribute(nextCoin(), [units(intent.exact_amount)]));
    await desk.deepen(treasury.confirmations);
    const standing = async () => (await desk.get('/contributors')).json.items;
    const before = await standing();
    expect(before).toMatchObject([{ contributor: { name: 'Bob' } }]);
    expect(await desk.entriesOf(early)).toEqual([]);

    await desk.service.stop();
    writeCoin(engine.kind, key, [other, addressOfOwner(ADDED)]);
    await desk.service.start();
    await desk.mine();
    expect(await desk.entriesOf(early)).toMatchObject([{ kind: 'unattributed', amount: '0.01234567' }]);
    const entries = await desk.ledger();
    const heights = entries.filter(({ state }) => state !== 'reversed').map(({ height }) => height);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    await desk.deepen(treasury.confirmations);
    expect(await standing()).toEqual(before);
    await checkSum([main, other, ...[3, 8, 13].map(change), addressOfOwner(ADDED)]);
  });
});
