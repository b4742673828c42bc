import { join } from 'node:path';
import type { SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createPeerClient, type PeerClient } from '../../service/src/outbound/peer-client.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { startCollecting } from '../../service/src/parts/registry/vantage/collect-statements.ts';
import { listStatements } from '../../service/src/parts/registry/vantage/statement-store.ts';
import { PEER_LIMITS, SECOND_STATEMENTS } from '../../service/src/parts/registry/vantage/vantage-bounds.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';
import { type LyingVantage, lookOf, startLyingVantage, stateLooks } from './lying-vantage.ts';
import { makeFolder } from './rewritten-log.ts';

const NETWORK = '00'.repeat(32);
const SLOT_MS = 600_000;

forEachEngine('statements of vantage points', (engine) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let precious: Precious;
  let client: PeerClient;
  let signers: ServiceSigner[];
  let peers: LyingVantage[];
  let alarms: string[];
  let nowMs: number;
  let slot: { startMs: number; endMs: number };

  beforeEach(async () => {
    folder = await makeFolder();
    const location = await engine.openUrl();
    precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
    signers = ['a', 'b', 'c'].map((name) => openServiceKey(join(folder.path, `${name}.key`)));
    peers = await Promise.all(signers.map(startLyingVantage));
    client = createPeerClient(
      peers.map(({ url }) => url),
      { ...PEER_LIMITS, totalTimeoutMs: 5_000 },
    );
    alarms = [];
    nowMs = Date.now();
    slot = slotBefore(0);
  });
  afterEach(async () => {
    client.close();
    for (const peer of peers) peer.close();
    await precious.close();
    await folder.remove();
  });

  /** A slot, or one so many slots before. */
  function slotBefore(slots: number) {
    const endMs = 1_700_000_400_000 - slots * SLOT_MS;
    return { startMs: endMs - SLOT_MS, endMs };
  }
  const start = (of = slot) =>
    startCollecting(
      {
        ...{ peers: peers.map(({ key, url }) => ({ key, url })), precious, client, genesisHash: NETWORK },
        ...{ onAlarm: (text: string) => alarms.push(text), now: () => nowMs },
      },
      of,
    );
  const read = (statements: Awaited<ReturnType<ReturnType<typeof start>['end']>>) =>
    new Map([...statements].map(([key, held]) => [key, held.map(({ hash }) => hash).sort()]));
  /** Both kinds of rounds, to their ends. */
  const collect = async (of = slot) => {
    const collecting = start(of);
    for (const all of [false, true, true]) await collecting.ask(all);
    return read(await collecting.end());
  };
  const state = (i: number, result: 'pass' | 'fail', change = {}, of = slot) =>
    stateLooks(signers[i]!, of, [lookOf('203.0.113.7:29666', result)], change);
  const show = (i: number, ...statements: SignedLooks[]) => {
    peers[i]!.statements = statements;
  };
  const stored = async () =>
    (await listStatements(precious.query<RegistryTables>(), { limit: 100 })).map(({ hash, isSecond }) => [
      ...[hash, isSecond],
    ]);

  test('are taken from each peer, and from another one where it does not answer', async () => {
    const [a, b, c] = [state(0, 'pass'), state(1, 'fail'), state(2, 'pass')];
    show(0, a);
    show(1, b, c);
    peers[2]!.answer = (_, response) => {
      response.destroy();
      return true;
    };
    expect(await collect()).toEqual(
      new Map([
        [signers[0]!.publicKey, [a.hash]],
        [signers[1]!.publicKey, [b.hash]],
        [signers[2]!.publicKey, [c.hash]],
      ]),
    );
    expect(alarms).toEqual([]);
  });

  test('that contradict each other are both kept and told of, whoever shows the second', async () => {
    const [one, two, three] = [state(0, 'pass'), state(0, 'fail'), state(0, 'pass', { height: 7 })];
    show(0, one, three);
    show(1, two);
    const found = (await collect()).get(signers[0]!.publicKey)!;
    expect(found).toHaveLength(2);
    expect(alarms).toEqual([expect.stringContaining('has signed two statements')]);
    expect((await stored()).map(([, isSecond]) => isSecond).sort()).toEqual([false, true]);
  });

  test('that contradict one of the slot before are found out one slot later, and change nothing of it', async () => {
    const before = slotBefore(1);
    slot = { startMs: before.endMs, endMs: before.endMs + SLOT_MS };
    const [one, two] = [state(0, 'pass', {}, before), state(0, 'fail', {}, before)];
    show(0, one);
    expect((await collect(before)).get(signers[0]!.publicKey)).toEqual([one.hash]);
    show(1, two);
    expect((await collect()).size).toBe(0);
    expect(alarms).toHaveLength(1);
    expect(await stored()).toEqual([
      [one.hash, false],
      [two.hash, true],
    ]);
  });

  test('of who contradicts itself again and again are taken no more until a day has passed', async () => {
    const places = Array.from({ length: SECOND_STATEMENTS.most + 2 }, (_, i) => slotBefore(20 - i));
    const good = places.map((of) => state(1, 'pass', {}, of));
    const bad = places.map((of) => [state(0, 'pass', {}, of), state(0, 'fail', {}, of)]);
    const held: (number | undefined)[] = [];
    for (const [i, of] of places.entries()) {
      show(0, ...bad[i]!);
      show(1, good[i]!);
      const found = await collect(of);
      expect(found.get(signers[1]!.publicKey)).toEqual([good[i]!.hash]);
      held.push(found.get(signers[0]!.publicKey)?.length);
    }
    expect(held).toEqual([...Array(SECOND_STATEMENTS.most).fill(2), undefined, undefined]);
    expect(alarms).toHaveLength(SECOND_STATEMENTS.most);
    nowMs += SECOND_STATEMENTS.withinMs + 1;
    expect((await collect(places.at(-1))).get(signers[0]!.publicKey)).toHaveLength(2);
  });

  test('of another slot, chain, key or form, and unsigned ones, are not taken', async () => {
    const good = state(0, 'pass');
    const [signer] = signers as [ServiceSigner];
    const bad: [string, SignedLooks][] = [
      ['an old slot', state(0, 'pass', {}, slotBefore(5))],
      ['a slot of another length', state(0, 'pass', {}, { ...slot, endMs: slot.endMs + 1_000 })],
      ['another chain', state(0, 'pass', { network: 'ab'.repeat(32) })],
      ['a stranger', stateLooks(openServiceKey(join(folder.path, 'x.key')), slot, [])],
      ['a key of another', { ...state(1, 'pass'), signature: good.signature }],
      ['another signature', { ...good, signature: signer.sign('something else') }],
      ['another hash', { ...good, hash: 'cd'.repeat(32) }],
      ['two looks at one endpoint', stateLooks(signer, slot, [lookOf('a', 'pass'), lookOf('a', 'pass')])],
      ...[
        ['fail', 'endpoint_taken'],
        ['fail', 'no_route'],
        ['fail', 'something else'],
        ['fail', null],
        ['pass', 'closed'],
        ['void', 'closed'],
      ].map(([result, reason]): [string, SignedLooks] => [
        `${result} for ${reason}`,
        stateLooks(signer, slot, [{ ...lookOf('a', 'pass'), result: result as 'pass', reason: reason! }]),
      ]),
      ['another form', { ...good, statement: { ...good.statement, version: 2 } as never }],
    ];
    for (const [what, statement] of bad) {
      show(0, statement);
      expect([what, (await collect()).size]).toEqual([what, 0]);
    }
    expect(await stored()).toEqual([]);
    show(0, good);
    expect((await collect()).size).toBe(1);
  });

  test('are bounded: a peer that lists thousands, answers without end or never costs others nothing', async () => {
    const good = state(1, 'pass');
    show(1, good);
    show(0, ...Array.from({ length: 99 }, (_, i) => state(0, 'pass', { height: i })));
    peers[2]!.answer = (path, response) => {
      if (!path.endsWith('/looks')) return false;
      response.write('[');
      const flood = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        if (!response.destroyed) response.once('drain', flood);
      };
      flood();
      return true;
    };
    const found = await collect();
    expect(found.get(signers[1]!.publicKey)).toEqual([good.hash]);
    expect(found.get(signers[0]!.publicKey)).toHaveLength(2);
    expect(found.has(signers[2]!.publicKey)).toBe(false);
    expect(peers[0]!.asked.filter((path) => !path.endsWith('/looks'))).toHaveLength(2);
    peers[1]!.answer = () => true;
    expect((await collect()).get(signers[1]!.publicKey)).toEqual([good.hash]);
  });

  test('that come after the deadline do not count, and are not kept', async () => {
    const late = state(0, 'pass');
    const asked = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    peers[0]!.answer = (path, response) => {
      if (!path.endsWith(late.hash)) return false;
      asked.resolve();
      void over.promise.then(() => response.end(JSON.stringify(late)));
      return true;
    };
    show(0, late);
    const collecting = start();
    const asking = collecting.ask(false);
    await asked.promise;
    expect((await collecting.end()).size).toBe(0);
    over.resolve();
    await asking;
    expect(await stored()).toEqual([]);
  });
});
