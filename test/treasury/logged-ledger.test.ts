import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContributionReceiptJson } from '@coinfront/api/treasury.ts';
import { digestOfHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { getEsploraAddress } from '@coinfront/sdk/esplora/get-esplora-address.ts';
import { lookUpProof } from '@coinfront/sdk/proofs/look-up-proof.ts';
import { getContributionReceipt } from '@coinfront/sdk/treasury/get-contribution-receipt.ts';
import { getLedgerCheckpoint } from '@coinfront/sdk/treasury/get-ledger-checkpoint.ts';
import { getTreasuryStatus } from '@coinfront/sdk/treasury/get-treasury-status.ts';
import { listLedger } from '@coinfront/sdk/treasury/list-ledger.ts';
import { auditLedger } from '@coinfront/sdk/verify/audit-ledger.ts';
import { chainSource } from '@coinfront/sdk/verify/chain-source.ts';
import { findCosigners } from '@coinfront/sdk/verify/find-cosigners.ts';
import { followLedger, verifyHeldReceipt } from '@coinfront/sdk/verify/follow-ledger.ts';
import { followLedgerLog } from '@coinfront/sdk/verify/follow-log.ts';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { type LedgerHead, verifyLedgerSince } from '@coinfront/sdk/verify/verify-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPeerClient } from '../../service/src/outbound/peer-client.ts';
import { listHeads } from '../../service/src/signed-log/log-store.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import { followWitnesses } from '../../service/src/signed-log/witness/follow-peers.ts';
import { listRefusals } from '../../service/src/signed-log/witness/refusal-store.ts';
import { findWitnessedLog } from '../../service/src/signed-log/witness/witness-store.ts';
import { findServicePublicKey, openServiceKey } from '../../service/src/signing/service-key.ts';
import { type DatabaseLocation, forEachEngine, keyFileOf } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { startProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { openFresh } from '../signed-log/served-log.ts';
import { copyLedger, type RewrittenLedger } from './rewritten-ledger.ts';
import {
  type Contributor,
  contribute,
  openTreasuryDesk,
  profile,
  type TreasuryDesk,
  treasury,
  units,
} from './treasury-desk.ts';

const EPOCH_BLOCKS = 10;
const EPOCHS = 4;

forEachEngine("the log of the treasury's ledger", (engine) => {
  let node: TestNode;
  let nextCoin: () => RawCoin;
  let folder = '';
  let desk: TreasuryDesk;
  let database: DatabaseLocation;
  let client: Client;
  let serviceKey = '';
  /** Where the service looks for its peer. */
  let peerPlace: TcpProxy;
  let peer: TestService | undefined;
  let [ada, bob]: Contributor[] = [];
  /** What a client saw when all was as it should be. */
  let kept: { note: string; head: LedgerHead; receipt: ContributionReceiptJson };

  const tables = () => desk.precious.query<SignedLogTables>();
  const heads = () => listHeads(tables(), `treasury-ledger/${serviceKey}`, 0, 100);
  const audit = (of: Client, epochBlocks = EPOCH_BLOCKS) =>
    auditLedger(of, {
      ...{ serviceKey, genesisHash: profile.genesisHash, epochBlocks },
      chain: chainSource(client),
    });
  const receiptOf = ({ secret }: Contributor, sequence: number) =>
    getContributionReceipt(client, { contributor_secret: secret, sequence });
  const hold = (of: Client, receipt: ContributionReceiptJson, remembered?: string) =>
    verifyHeldReceipt(of, receipt, { serviceKey, genesisHash: profile.genesisHash }, remembered);
  /** Mines to the first block of the next epoch. */
  const endEpoch = async () => {
    await node.mine(EPOCH_BLOCKS - ((await node.rpc<number>('getblockcount')) % EPOCH_BLOCKS));
    await desk.settle();
  };
  const awaitHeads = (count: number) =>
    waitUntil(`the log has ${count} heads`, async () => (await heads()).length === count);
  const awaitAnchor = (digest: string) =>
    waitUntil(
      'the checkpoint is on its way to the chain',
      async () => ['mempool', 'confirmed'].includes((await lookUpProof(client, { sha256: digest })).state),
      30_000,
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinfront-ledger-'));
    node = await startNode();
    // For its wallet, which pays for the anchors.
    await node.mine(110);
    nextCoin = await openPurse(node, { count: EPOCHS + 1, value: 20_000_000n, owner: 1 });
    database = await engine.openUrl();
    peerPlace = await startProxy(node.url);
    desk = await openTreasuryDesk(node, database, {
      COINFRONT_WITNESS_PEERS: peerPlace.through('http://127.0.0.1'),
      COINFRONT_ANCHOR_WALLET: 'main',
      COINFRONT_REGISTRY_EPOCH_BLOCKS: String(EPOCH_BLOCKS),
    });
    await desk.settle();
    client = createClient({ baseUrl: desk.service.origin });
    serviceKey = findServicePublicKey(keyFileOf(database))!;
    [ada, bob] = [await desk.register('Ada'), await desk.register('Bob')];
  }, 120_000);
  afterAll(async () => {
    await peer?.stop();
    await desk?.stop();
    await peerPlace?.stop();
    await node?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('has nothing before the ledger has an entry', async () => {
    await endEpoch();
    expect((await desk.service.get('/api/treasury/log/checkpoint')).json.code).toBe('log_empty');
    expect(await followLedgerLog(client, { serviceKey })).toBeUndefined();
  });

  test('has the head of the ledger when an epoch has ended, and the chain has its checkpoint in time', async () => {
    for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
      const intent = await desk.intent(epoch % 2 === 0 ? ada! : bob!);
      const tx = contribute(nextCoin(), [units(intent.exact_amount)]);
      await desk.mine(tx);
      const receipt = await receiptOf(epoch % 2 === 0 ? ada! : bob!, epoch + 1);
      expect(await hold(client, receipt)).toMatchObject({ ok: true, heldBy: undefined });
      await endEpoch();
      await awaitHeads(epoch + 1);
      expect(await hold(client, receipt)).toMatchObject({ ok: true, heldBy: { sequence: epoch + 1 } });
      const head = (await heads()).at(-1)!;
      await awaitAnchor(digestOfHead(head));
      await node.mine(1);
      await desk.settle();
    }
    const found = await audit(client);
    expect(found.heads.map(({ head, stand }) => [head.sequence, stand])).toEqual(
      Array.from({ length: EPOCHS }, (_, i) => [i + 1, 'in_time']),
    );
    expect(found).toMatchObject({ ledger: { ok: true, entries: EPOCHS }, firstUnheld: undefined });
    expect(found.movements).toMatchObject({ in_time: EPOCHS, late: 0, missing: 0, impossible: 0 });
    const status = await getTreasuryStatus(client);
    expect(status.epoch_blocks).toBe(EPOCH_BLOCKS);
    expect(found.heads.at(-1)!.head).toMatchObject({ hash: status.head!.hash, network: profile.genesisHash });
  });

  test('has no head of an epoch in which nothing was written, and none twice after a reorganisation or a kill', async () => {
    await endEpoch();
    const last = await node.rpc<string>('getbestblockhash');
    await endEpoch();
    await node.rpc('invalidateblock', last);
    await desk.service.kill();
    await desk.service.start();
    await endEpoch();
    await endEpoch();
    expect(await heads()).toHaveLength(EPOCHS);
    const tx = contribute(nextCoin(), [500_000n]);
    await desk.mine(tx);
    expect(await heads()).toHaveLength(EPOCHS);
    await endEpoch();
    await awaitHeads(EPOCHS + 1);
    await awaitAnchor(digestOfHead((await heads()).at(-1)!));
    await endEpoch();
    expect(await audit(client)).toMatchObject({ ledger: { ok: true }, firstUnheld: undefined });
    const { head } = await getTreasuryStatus(client);
    const note = await getLedgerCheckpoint(client);
    kept = {
      ...{ note, head: { sequence: head!.sequence, hash: head!.hash } },
      receipt: await receiptOf(ada!, 1),
    };
    // What is changed from now on cannot be anchored in time any more.
    await endEpoch();
    await endEpoch();
  });

  test('is cosigned by another service that its operator names, and is the witness of that one', async () => {
    const place = await engine.openUrl();
    peer = await startService({
      ...{ nodeUrl: node.url, database: place },
      settings: {
        COINFRONT_REGISTRY_EPOCH_BLOCKS: String(EPOCH_BLOCKS),
        COINFRONT_WITNESS_PEERS: desk.service.origin,
      },
    });
    const peerKey = findServicePublicKey(keyFileOf(place))!;
    const witnessed = async (by: string, key: string) => {
      const log = createHash('sha256').update(`treasury-ledger/${key}`).digest('hex');
      const answer = await fetch(`${by}/api/nodeproof/witness/${log}/checkpoint`);
      return answer.status === 200 ? await answer.text() : '';
    };
    await waitUntil(
      'the peer has cosigned the log as it is',
      async () => findCosigners(await witnessed(peer!.origin, serviceKey), [peerKey]).length === 1,
    );
    expect(await witnessed(peer.origin, serviceKey)).toContain(kept.note.split('\n\n')[0]);
    await endEpoch();
    const peerClient = createClient({ baseUrl: peer.origin });
    await waitUntil(
      'the peer has a log of its own, of the same gifts',
      async () => (await followLedgerLog(peerClient, { serviceKey: peerKey }))?.entries === 1,
    );
    // It asks when it starts, and each minute.
    peerPlace.aim(peer.origin);
    await desk.service.stop();
    await desk.service.start();
    await waitUntil(
      'the checkpoint of the log has the line of the peer',
      async () => findCosigners(await getLedgerCheckpoint(client), [peerKey]).length === 1,
    );
    expect(findCosigners(await witnessed(desk.service.origin, peerKey), [serviceKey])).toHaveLength(1);
  });

  /** Whoever kept a checkpoint of the log, and the head of the ledger. */
  async function askAgain({ client: shown }: RewrittenLedger): Promise<string> {
    try {
      await followLedgerLog(shown, { serviceKey }, kept.note);
      const trusted = { serviceKeys: [serviceKey], genesisHash: profile.genesisHash };
      const verdict = await verifyLedgerSince(
        (cursor) => listLedger(shown, cursor === undefined ? {} : { cursor }),
        trusted,
        kept.head,
      );
      if (!verdict.ok) return verdict.code;
      // Nothing before the head was read: what is shown of it has to lead there, too.
      const { ledger } = await audit(shown);
      return ledger.ok ? 'sound' : ledger.code;
    } catch (error) {
      if (error instanceof LogError) return error.code;
      throw error;
    }
  }

  /** Whoever kept nothing, but knows the key and reads the chain. */
  async function readTheChain({ client: shown }: RewrittenLedger, epochBlocks?: number): Promise<string> {
    try {
      const found = await audit(shown, epochBlocks);
      if (!found.ledger.ok) return found.ledger.code;
      const wrong = found.heads.find(({ stand }) => stand !== 'in_time');
      if (wrong !== undefined) return wrong.stand;
      if (found.firstUnheld !== undefined) return 'movement_unheld';
      const { chain_stats } = await getEsploraAddress(client, { address: treasury.address });
      const inChain = BigInt(chain_stats.funded_txo_sum - chain_stats.spent_txo_sum);
      return units(found.balance ?? '0') === inChain ? 'sound' : 'not_the_balance';
    } catch (error) {
      if (error instanceof LogError) return error.code;
      if (isCoinfrontError(error) && error.code === 'log_empty') return 'gone';
      throw error;
    }
  }

  /** Whoever kept a checkpoint of the log alone, and reads the whole ledger. */
  async function readAllAgain({ client: shown }: RewrittenLedger): Promise<string> {
    try {
      const owner = { serviceKey, genesisHash: profile.genesisHash };
      const { ledger, wasKnown } = await followLedger(shown, owner, { remembered: kept.note });
      expect(wasKnown).toBe(true);
      return ledger.ok ? 'sound' : ledger.code;
    } catch (error) {
      if (error instanceof LogError) return error.code;
      throw error;
    }
  }

  /** A contributor who kept a checkpoint of the log, and the receipt of the first gift. */
  async function showReceipt({ client: shown }: RewrittenLedger): Promise<string> {
    try {
      const held = await hold(shown, kept.receipt, kept.note);
      if (held.ok) return held.heldBy?.sequence === 1 ? 'sound' : 'unheld';
      return held.by === 'receipt' ? held.code : held.verdict.code;
    } catch (error) {
      if (error instanceof LogError) return error.code;
      throw error;
    }
  }

  /** A witness that has cosigned the log of before, and finds this one in its place. */
  async function askWitness({ client: { baseUrl } }: RewrittenLedger): Promise<string> {
    const precious = await openFresh(engine);
    const place = await startProxy(desk.service.origin);
    const alarms: string[] = [];
    const peers = [place.through(desk.service.origin)];
    const peerClient = createPeerClient(peers);
    const witness = followWitnesses({
      ...{
        peers,
        witnesses: [],
        precious,
        client: peerClient,
        now: Date.now,
        findOrigin: async () => undefined,
      },
      ...{ signer: openServiceKey(join(folder, 'witness.key')), onAlarm: (text) => alarms.push(text) },
    });
    const { origin, size } = (await heads()).at(-1)!;
    const cosigned = async () => (await findWitnessedLog(precious.query<SignedLogTables>(), origin))?.size;
    try {
      await witness.refresh();
      expect([await cosigned(), alarms]).toEqual([size, []]);
      place.aim(baseUrl);
      for (let poll = 0; poll < 4; poll++) await witness.refresh();
      expect(await cosigned()).toBe(size);
      const [refusal] = await listRefusals(precious.query<SignedLogTables>(), 10);
      expect(alarms).toHaveLength(alarms.length === 0 && refusal === undefined ? 0 : 1);
      if (refusal !== undefined) return `${refusal.reason}${refusal.isProof ? ', proven' : ''}`;
      return alarms.length === 0 ? 'cosigns' : 'gone';
    } finally {
      await witness.stop();
      peerClient.close();
      await place.stop();
      await precious.close();
    }
  }

  const anchorNow = async (digest: string): Promise<void> => {
    const blank = await node.rpc<string>('createrawtransaction', [], [{ data: `56504631${digest}` }]);
    const funded = await node.rpc<{ hex: string }>('fundrawtransaction', blank, { lockUnspents: true });
    const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded.hex);
    await node.rpc('sendrawtransaction', signed.hex);
  };
  const anchorAll = async ({ precious }: RewrittenLedger, from = 0): Promise<void> => {
    const all = await listHeads(precious.query<SignedLogTables>(), `treasury-ledger/${serviceKey}`, 0, 100);
    for (const head of all.slice(from)) await anchorNow(digestOfHead(head));
    await node.mine(1);
    await desk.settle();
  };
  /** The first gift, which was Ada's, is Bob's. */
  const giveToBob = async ({ force }: RewrittenLedger): Promise<void> =>
    await force(
      `update treasury_entry set contributor_id = '${bob!.id}' where sequence = 1`,
      `update treasury_coin set contributor_id = '${bob!.id}' where sequence = 1`,
    );
  const shorten = async (ledger: RewrittenLedger, to: number): Promise<void> =>
    await ledger.force(
      `delete from treasury_coin where sequence > ${to}`,
      `delete from treasury_seal where sequence > ${to}`,
      `delete from treasury_entry where sequence > ${to}`,
    );

  /** A way to bend the ledger: what is done, and what each client finds. */
  type Play = {
    name: string;
    change?: (ledger: RewrittenLedger) => Promise<void>;
    /** What the operator says that an epoch's length is. */
    epochBlocks?: number;
    /** The operator signs by another key. */
    otherKey?: boolean;
    kept: string;
    chain: string;
    /** The same as with a head of the ledger unless given. */
    log?: string;
    receipt?: string;
    /** What a witness has against the log, which is all that it looks at; nothing unless given. */
    witness?: string;
  };
  const plays: Play[] = [
    { name: 'leaves everything as it was', kept: 'sound', chain: 'sound' },
    {
      name: 'moves a gift to another contributor in the database',
      change: giveToBob,
      kept: 'hash_mismatch',
      chain: 'hash_mismatch',
    },
    {
      name: 'changes an amount in the database',
      change: ({ force }) => force("update treasury_entry set amount = '1' where sequence = 2"),
      kept: 'hash_mismatch',
      chain: 'hash_mismatch',
    },
    {
      name: 'moves a gift, and seals all entries from there on anew',
      change: async (ledger) => {
        await giveToBob(ledger);
        await ledger.reseal();
      },
      kept: 'not_extended',
      chain: 'log_forked',
      log: 'log_forked',
    },
    {
      name: 'moves a gift, and signs entries, heads and checkpoints anew',
      change: async (ledger) => {
        await giveToBob(ledger);
        await ledger.reseal();
        await ledger.relog();
      },
      kept: 'log_forked',
      chain: 'missing',
      witness: 'other_root, proven',
    },
    {
      name: 'moves a gift, signs everything anew, and anchors it when it is too late',
      change: async (ledger) => {
        await giveToBob(ledger);
        await ledger.reseal();
        await ledger.relog();
        await anchorAll(ledger);
      },
      kept: 'log_forked',
      chain: 'late',
      witness: 'other_root, proven',
    },
    {
      name: 'moves a gift, and says that epochs are longer, so that what is late looks as if it were in time',
      change: async (ledger) => {
        await giveToBob(ledger);
        await ledger.force('update treasury_entry set recorded_at = recorded_at + 1 where sequence = 1');
        await ledger.reseal();
        await ledger.relog();
        await anchorAll(ledger);
      },
      epochBlocks: 1_000,
      kept: 'log_forked',
      chain: 'impossible',
      witness: 'other_root, proven',
    },
    {
      name: 'moves a gift, and begins the log anew with the ledger of now',
      change: async (ledger) => {
        await giveToBob(ledger);
        await ledger.force('update treasury_entry set recorded_at = recorded_at + 2 where sequence = 1');
        await ledger.reseal();
        const { sequence } = (await ledger.listPlaces()).at(-1)!;
        const height = await node.rpc<number>('getblockcount');
        await ledger.relog([{ epoch: Math.floor(height / EPOCH_BLOCKS) - 1, sequence }]);
        await anchorAll(ledger);
      },
      kept: 'log_shorter',
      chain: 'movement_unheld',
      witness: 'shorter',
    },
    {
      name: 'drops the newest entries, and leaves the log',
      change: (ledger) => shorten(ledger, 3),
      kept: 'not_extended',
      chain: 'log_forked',
      log: 'log_forked',
      receipt: 'log_forked',
    },
    {
      name: 'drops the newest entries, and their heads',
      change: async (ledger) => {
        const places = await ledger.listPlaces();
        await shorten(ledger, 3);
        await ledger.force(
          'delete from signed_log_entry where place >= 3',
          'delete from signed_log_hash where place >= 3',
          'delete from signed_log_head where size > 3',
        );
        expect(places.length).toBeGreaterThan(3);
      },
      kept: 'log_shorter',
      chain: 'not_the_balance',
      witness: 'shorter',
    },
    {
      name: 'invents a gift in an old block, and signs everything anew',
      change: async (ledger) => {
        await ledger.force(
          `insert into treasury_entry select sequence + 1, kind, '500000', cast(cast(balance as bigint) + 500000 as text), '${'ab'.repeat(32)}', 0, height - 50,
            block_hash, block_time, contributor_id, intent_id, late, reason, null, recorded_at, assigned_by, refers_to, purpose, payee
            from treasury_entry order by sequence desc limit 1`,
        );
        await ledger.reseal();
        const places = await ledger.listPlaces();
        await ledger.relog(places.with(-1, { ...places.at(-1)!, sequence: places.at(-1)!.sequence + 1 }));
      },
      kept: 'log_forked',
      chain: 'missing',
      witness: 'other_root, proven',
    },
    {
      name: 'shows the signed checkpoint of before over heads that were changed',
      change: ({ force }) => force(`update signed_log_entry set entry = '{}' where place = 1`),
      kept: 'log_forked',
      chain: 'log_forked',
    },
    {
      name: 'takes the log away',
      change: ({ force }) => force('delete from signed_log_head'),
      kept: 'log_gone',
      chain: 'gone',
      witness: 'gone',
    },
    {
      name: 'signs everything by another key',
      otherKey: true,
      change: async (ledger) => {
        const places = (await heads()).map(({ size }) => ({ epoch: size, sequence: size }));
        await ledger.reseal();
        await ledger.relog(places);
      },
      kept: 'checkpoint_unsigned',
      chain: 'checkpoint_unsigned',
      witness: 'other_key',
    },
  ];

  test.each(plays)('finds an operator with key and database who $name', async (play) => {
    const keyFile = play.otherKey === true ? join(folder, 'other.key') : keyFileOf(database);
    openServiceKey(keyFile);
    const ledger = await copyLedger(engine, desk.precious, keyFile);
    try {
      await play.change?.(ledger);
      const found = {
        chain: await readTheChain(ledger, play.epochBlocks),
        kept: await askAgain(ledger),
        log: await readAllAgain(ledger),
        receipt: await showReceipt(ledger),
        witness: await askWitness(ledger),
      };
      const { kept: known, chain, log = known, receipt = known, witness = 'cosigns' } = play;
      expect(found).toEqual({ kept: known, chain, log, receipt, witness });
    } finally {
      await ledger.close();
    }
  });
});
