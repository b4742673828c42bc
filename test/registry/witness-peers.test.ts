import { join } from 'node:path';
import { logKinds } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createPeerClient } from '../../service/src/outbound/peer-client.ts';
import { appendEntries } from '../../service/src/signed-log/append-entries.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import {
  type FollowedWitnesses,
  followWitnesses,
} from '../../service/src/signed-log/witness/follow-peers.ts';
import { insertUnproven, listRefusals } from '../../service/src/signed-log/witness/refusal-store.ts';
import { findWitnessedLog, forgetPeerLogs } from '../../service/src/signed-log/witness/witness-store.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';
import { createMemoryLog, type LyingPeer, type MemoryLog, startLyingPeer } from './lying-log.ts';
import { makeFolder } from './rewritten-log.ts';

const entries = Array.from({ length: 9 }, (_, i) => `entry ${i}`);
const rewritten = entries.with(1, 'another');

forEachEngine('a witness of peers that lie', (engine) => {
  describe.each(logKinds)('about their %s', (kind) => {
    let folder: Awaited<ReturnType<typeof makeFolder>>;
    let precious: Precious;
    let signer: ServiceSigner;
    let ownOrigin: string | undefined;
    let peers: LyingPeer[] = [];
    let followed: FollowedWitnesses | undefined;
    let alarms: string[] = [];

    const keyOf = (name: string) => openServiceKey(join(folder.path, name));
    const db = () => precious.query<SignedLogTables>();
    const sizeOf = async ({ origin }: MemoryLog) => (await findWitnessedLog(db(), origin))?.size;
    const whose = ({ url }: LyingPeer) =>
      `the ${kind === 'node-registry' ? 'registry' : 'treasury'}'s log of ${url}`;
    const reasons = async () =>
      (await listRefusals(db(), 100)).map(({ reason, isProof }) => [reason, isProof]);
    const open = async () => {
      const peer = await startLyingPeer(kind);
      peers.push(peer);
      return peer;
    };
    /** Follows the peers; each call after it is one poll of all. */
    const follow = async () => {
      const urls = peers.map(({ url }) => url);
      followed = followWitnesses({
        ...{
          peers: urls,
          witnesses: [],
          precious,
          signer,
          client: createPeerClient(urls),
          now: () => 1_700_000_000_000,
        },
        findOrigin: async (of) => (of === kind ? ownOrigin : undefined),
        onAlarm: (text) => alarms.push(text),
      });
      await followed.refresh();
    };
    const poll = async (times = 1) => {
      for (let i = 0; i < times; i++) await followed!.refresh();
    };

    beforeEach(async () => {
      folder = await makeFolder();
      const location = await engine.openUrl();
      precious = await openPrecious(
        location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
        preciousMigrations,
      );
      signer = keyOf('witness.key');
      [ownOrigin, peers, alarms] = [undefined, [], []];
    });
    afterEach(async () => {
      await followed?.stop();
      for (const peer of peers) peer.close();
      await precious.close();
      await folder.remove();
    });

    test('takes an answer of before for what it is: nothing is kept against the log', async () => {
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const peer = await open();
      peer.shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await follow();
      peer.shown = { checkpoint: log.noteOf(3), consistency: log.growthOf };
      await poll(5);
      expect([await sizeOf(log), await reasons(), alarms]).toEqual([5, [], []]);
    });

    test('tells of a log that stays shorter, and does not call it a proof', async () => {
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const peer = await open();
      peer.shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await follow();
      // It has no more than three entries, and so no proof of five.
      peer.shown = { checkpoint: log.noteOf(3), consistency: 400 };
      await poll(2);
      expect([await reasons(), alarms]).toEqual([[], []]);
      await poll(3);
      expect(await reasons()).toEqual([['shorter', false]]);
      expect(alarms).toEqual([expect.stringContaining('(shorter)')]);
    });

    test('lets no peer frame another: neither by old heads of its log, nor by proofs that do not hold', async () => {
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const [one, two] = [await open(), await open()];
      one.shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await follow();
      for (const size of [1, 2, 3, 4, 6, 7, 8]) {
        two.shown = { checkpoint: log.noteOf(size), consistency: () => log.growthOf(2, 9) };
        await poll(3);
        two.shown = { checkpoint: log.noteOf(size), consistency: 404 };
        await poll(3);
      }
      expect(await reasons()).toEqual([]);
      expect(alarms).toEqual([`${two.url} shows ${whose(one)}: it is witnessed, whoever shows it.`]);
      one.shown = { checkpoint: log.noteOf(9), consistency: log.growthOf };
      await poll();
      expect(await sizeOf(log)).toBe(9);
    });

    test('goes on with a log whose checkpoint another peer showed first', async () => {
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const [thief, owner] = [await open(), await open()];
      thief.shown = { checkpoint: log.noteOf(3), consistency: log.growthOf };
      await follow();
      owner.shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await poll();
      expect(await sizeOf(log)).toBe(5);
      thief.shown = { checkpoint: 404, consistency: 404 };
      owner.shown = { checkpoint: log.noteOf(7), consistency: log.growthOf };
      await poll();
      expect(await sizeOf(log)).toBe(7);
      // Of a proof that does not hold nothing comes but that the thief showed it. Peers are asked at once: one shows it while no other goes on.
      thief.shown = { checkpoint: log.noteOf(8), consistency: () => log.growthOf(2, 9) };
      await poll();
      expect([await sizeOf(log), await reasons()]).toEqual([7, [['not_consistent', false]]]);
      thief.shown = { checkpoint: 404, consistency: 404 };
      owner.shown = { checkpoint: log.noteOf(9), consistency: log.growthOf };
      await poll();
      expect([await sizeOf(log), await reasons()]).toEqual([9, [['not_consistent', false]]]);
      expect(alarms.filter((text) => text.includes('(not_consistent)'))).toEqual([
        expect.stringContaining(whose(thief)),
      ]);
    });

    test('takes two heads of one size for a proof, whoever shows the second', async () => {
      const [log, other] = [entries, rewritten].map((each) => createMemoryLog(kind, keyOf('log.key'), each));
      const [one, two] = [await open(), await open()];
      one.shown = { checkpoint: log!.noteOf(5), consistency: log!.growthOf };
      await follow();
      two.shown = { checkpoint: other!.noteOf(5), consistency: 404 };
      await poll();
      expect(await reasons()).toEqual([['other_root', true]]);
    });

    test.each([
      ['answers 500 when it is asked for a proof', 500, 3],
      ['is too busy whenever it is asked for a proof', 429, 3],
      ['says that it has no such proof', 404, 1],
      ['proves something else', 'junk', 1],
    ])('tells of a log that was rewritten and %s', async (_, answer, polls) => {
      const [log, other] = [entries, rewritten].map((each) => createMemoryLog(kind, keyOf('log.key'), each));
      const peer = await open();
      peer.shown = { checkpoint: log!.noteOf(5), consistency: log!.growthOf };
      await follow();
      const consistency = answer === 'junk' ? () => other!.growthOf(5, 9) : Number(answer);
      peer.shown = { checkpoint: other!.noteOf(9), consistency };
      await poll(polls - 1);
      expect([await reasons(), alarms]).toEqual([[], []]);
      await poll(2);
      const reason = answer === 'junk' ? 'not_consistent' : 'no_proof';
      expect(await reasons()).toEqual([[reason, false]]);
      expect(alarms).toEqual([expect.stringContaining(`(${reason})`)]);
      const [seen] = await listRefusals(db(), 100);
      expect(seen).toMatchObject({ note: other!.noteOf(9), kept_note: log!.noteOf(5) });
      expect(await sizeOf(log!)).toBe(5);
    });

    test('is not talked out of a head without a proof by good answers in between', async () => {
      const [log, other] = [entries, rewritten].map((each) => createMemoryLog(kind, keyOf('log.key'), each));
      const peer = await open();
      const good = { checkpoint: log!.noteOf(5), consistency: 500 };
      peer.shown = good;
      await follow();
      for (let i = 0; i < 2; i++) {
        peer.shown = { checkpoint: other!.noteOf(9), consistency: 500 };
        await poll();
        peer.shown = good;
        await poll();
      }
      expect(await reasons()).toEqual([['no_proof', false]]);
    });

    test('says nothing of a log that was down for a moment and then proves its head', async () => {
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const peer = await open();
      peer.shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await follow();
      peer.shown = { checkpoint: log.noteOf(7), consistency: 503 };
      await poll(2);
      peer.shown = { checkpoint: log.noteOf(9), consistency: log.growthOf };
      await poll(4);
      expect([await sizeOf(log), await reasons(), alarms]).toEqual([9, [], []]);
    });

    test('misses a log that was there, and one that is signed by another key', async () => {
      const [log, other] = ['log.key', 'other.key'].map((name) =>
        createMemoryLog(kind, keyOf(name), entries),
      );
      const peer = await open();
      await follow();
      await poll(4);
      expect(alarms).toEqual([]);
      peer.shown = { checkpoint: log!.noteOf(5), consistency: log!.growthOf };
      await poll();
      peer.shown = { checkpoint: 404, consistency: 404 };
      await poll(3);
      expect(alarms).toEqual([expect.stringContaining('There is nothing any more of')]);
      peer.shown = { checkpoint: other!.noteOf(9), consistency: other!.growthOf };
      await poll();
      expect(await reasons()).toEqual([['other_key', false]]);
    });

    test('keeps a proof however much else was kept of the log before', async () => {
      const [log, other] = [entries, rewritten].map((each) => createMemoryLog(kind, keyOf('log.key'), each));
      const peer = await open();
      peer.shown = { checkpoint: log!.noteOf(5), consistency: log!.growthOf };
      await follow();
      const kept = (await findWitnessedLog(db(), log!.origin))!;
      for (let i = 0; i < 120; i++) {
        const checkpoint = { origin: kept.origin, size: 6 + i, root: kept.root, note: 'seen' };
        await insertUnproven(db(), kept, { checkpoint, reason: 'shorter' }, i);
      }
      peer.shown = { checkpoint: other!.noteOf(5), consistency: 500 };
      await poll();
      const found = await reasons();
      expect(found[0]).toEqual(['other_root', true]);
      expect(found).toHaveLength(101);
    });

    test('witnesses a service under its new address, where its old one is no peer any more', async () => {
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const old = await open();
      old.shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await follow();
      await followed!.stop();
      old.close();
      peers = [];
      const moved = await open();
      moved.shown = { checkpoint: log.noteOf(9), consistency: log.growthOf };
      await follow();
      expect([await sizeOf(log), alarms]).toEqual([9, []]);
    });

    test('says aloud that a peer has cosigned another log of its own', async () => {
      const own = { origin: '', publicKey: signer.publicKey, sign: (text: string) => signer.sign(text) };
      own.origin = createMemoryLog(kind, signer, []).origin;
      ownOrigin = own.origin;
      await appendEntries(db(), own, ['one', 'two'], 0);
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const peer = await open();
      const conflict = { status: 409, text: '2\n' };
      const shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      peer.shown = { ...shown, cosign: [conflict, conflict, conflict, conflict] };
      await follow();
      await poll();
      expect(alarms).toEqual([expect.stringContaining(`has cosigned another log (${kind}) of this service`)]);
      peer.shown = { ...shown, cosign: [{ status: 409, text: '3\n' }] };
      await poll();
      expect(alarms[1]).toContain(`has cosigned a longer log (${kind}) of this service: 3 entries`);
    });

    test('watches the other log of a peer, too, whatever is wrong with one of them', async () => {
      const other = logKinds.find((each) => each !== kind)!;
      const [log, forged] = [entries, rewritten].map((each) => createMemoryLog(kind, keyOf('log.key'), each));
      const beside = createMemoryLog(other, keyOf('log.key'), entries);
      const peer = await open();
      peer.shown = { checkpoint: log!.noteOf(5), consistency: log!.growthOf };
      peer.otherShown = { checkpoint: beside.noteOf(4), consistency: beside.growthOf };
      await follow();
      peer.shown = { checkpoint: forged!.noteOf(5), consistency: 500 };
      peer.otherShown = { checkpoint: beside.noteOf(9), consistency: beside.growthOf };
      await poll();
      expect([await sizeOf(log!), await sizeOf(beside), await reasons()]).toEqual([
        ...[5, 9, [['other_root', true]]],
      ]);
      peer.shown = { checkpoint: 500, consistency: 500 };
      peer.otherShown = { checkpoint: beside.noteOf(9), consistency: beside.growthOf };
      await poll(3);
      expect(alarms).toHaveLength(1);
      expect(await forgetPeerLogs(db(), peer.url)).toBe(true);
      expect([await sizeOf(log!), await sizeOf(beside)]).toEqual([undefined, undefined]);
      expect(await forgetPeerLogs(db(), peer.url)).toBe(false);
    });

    test('takes no log of one kind for one of another', async () => {
      const log = createMemoryLog(kind, keyOf('log.key'), entries);
      const peer = await open();
      peer.otherShown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await follow();
      await poll(2);
      expect([await sizeOf(log), alarms]).toEqual([
        ...[undefined, [expect.stringContaining('is signed by no key of such a log')]],
      ]);
      peer.shown = { checkpoint: log.noteOf(5), consistency: log.growthOf };
      await poll();
      expect(await sizeOf(log)).toBe(5);
    });
  });
});
