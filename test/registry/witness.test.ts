import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { logOrigin, openCheckpoint, writeHeadText } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { findCosignature, witnessName } from '@coinfront/protocol/signed-log/cosignature.ts';
import { parseNote, parseSignatureLines } from '@coinfront/protocol/signed-log/note.ts';
import { writeWitnessRequest } from '@coinfront/protocol/signed-log/witness-request.ts';
import { getLogCheckpoint } from '@coinfront/sdk/nodes/get-log-checkpoint.ts';
import { listRefusedHeads } from '@coinfront/sdk/nodes/list-refused-heads.ts';
import { proveLogGrowth } from '@coinfront/sdk/nodes/prove-log-growth.ts';
import { findCosigners } from '@coinfront/sdk/verify/find-cosigners.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseWitnesses } from '../../service/src/config-values.ts';
import { createPeerClient } from '../../service/src/outbound/peer-client.ts';
import { listHeads } from '../../service/src/signed-log/log-store.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import { followWitnesses } from '../../service/src/signed-log/witness/follow-peers.ts';
import { takeUpLog } from '../../service/src/signed-log/witness/witness-store.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startPublicWitness } from './public-witness.ts';
import { makeFolder, type Plan, receiptOf, type WrittenRegistry, writeRegistry } from './rewritten-log.ts';

const honest: Plan = Array.from({ length: 5 }, (_, i) => ({
  epoch: i,
  receipts: [receiptOf('ann', i, 'pass')],
}));
const forged: Plan = honest.map((each) =>
  each.epoch === 3 ? { ...each, receipts: [receiptOf('ann', 3, 'fail')] } : each,
);

forEachEngine('a witness', (engine) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let logSigner: ServiceSigner;
  let witnessSigner: ServiceSigner;
  let witness: WrittenRegistry;
  const opened: WrittenRegistry[] = [];
  const open = async (signer: ServiceSigner, plan: Plan) => {
    const registry = await writeRegistry(
      { engine, signer, genesisHash: '00'.repeat(32), epochBlocks: 10 },
      plan,
    );
    opened.push(registry);
    return registry;
  };
  const origin = () => logOrigin('node-registry', logSigner.publicKey);
  const trusted = () => ({ origin: origin(), publicKey: logSigner.publicKey });
  const submit = async (body: string) => {
    const answer = await fetch(`${witness.client.baseUrl}/api/nodeproof/witness/add-checkpoint`, {
      method: 'POST',
      body,
    });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  /** The checkpoint of a log at each size. */
  const listNotes = async ({ precious }: WrittenRegistry) =>
    (await listHeads(precious.query<SignedLogTables>(), origin(), 0, 100)).map(({ note }) => note);
  const pathOf = async ({ client }: WrittenRegistry, from: number, to: number) =>
    (await proveLogGrowth(client, { from, to })).path.map(getHexBytes);
  const refusals = async () => (await listRefusedHeads(witness.client)).items;

  beforeAll(async () => {
    folder = await makeFolder();
    logSigner = openServiceKey(join(folder.path, 'log.key'));
    witnessSigner = openServiceKey(join(folder.path, 'witness.key'));
    witness = await open(witnessSigner, honest.slice(0, 2));
    await takeUpLog(witness.precious.query<SignedLogTables>(), 'http://log.example', origin());
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await folder.remove();
  });

  test('answers as C2SP has it: size, cosignature, and each reason to refuse', async () => {
    const log = await open(logSigner, honest);
    const notes = await listNotes(log);
    expect(await submit('nonsense')).toMatchObject({ status: 400 });
    const stranger = await open(witnessSigner, honest);
    const foreign = await getLogCheckpoint(stranger.client);
    expect(await submit(writeWitnessRequest({ oldSize: 0, path: [], note: foreign }))).toMatchObject({
      status: 404,
    });
    const unsigned = notes[1]!.replace('\n2\n', '\n3\n');
    expect(await submit(writeWitnessRequest({ oldSize: 0, path: [], note: unsigned }))).toMatchObject({
      status: 403,
    });
    expect(await submit(writeWitnessRequest({ oldSize: 3, path: [], note: notes[1]! }))).toMatchObject({
      status: 400,
    });
    const extended = `${notes[1]!.replace('\n\n', '\nmore\n\n')}`;
    expect(await submit(writeWitnessRequest({ oldSize: 0, path: [], note: extended }))).toMatchObject({
      status: 400,
    });

    const first = await submit(writeWitnessRequest({ oldSize: 0, path: [], note: notes[1]! }));
    expect(first.status).toBe(200);
    const lines = parseSignatureLines(first.text);
    const head = openCheckpoint(notes[1]!, trusted());
    const { publicKey } = witnessSigner;
    const cosigned =
      lines.ok &&
      head.ok &&
      findCosignature(writeHeadText(head.checkpoint), lines.value, {
        name: witnessName(publicKey),
        publicKey,
      });
    expect(cosigned).toBe(1_700_000_400);

    const behind = await submit(writeWitnessRequest({ oldSize: 0, path: [], note: notes[4]! }));
    expect(behind).toEqual({ status: 409, type: 'text/x.tlog.size', text: '2\n' });
    const path = await pathOf(log, 2, 5);
    const wrong = { oldSize: 2, path: path.slice(1), note: notes[4]! };
    expect(await submit(writeWitnessRequest(wrong))).toMatchObject({ status: 422 });
    // A wrong proof anybody can send: nothing speaks against the log.
    expect(await refusals()).toEqual([]);
    expect((await submit(writeWitnessRequest({ oldSize: 2, path, note: notes[4]! }))).status).toBe(200);

    const hash = createHash('sha256').update(origin()).digest('hex');
    const kept = await fetch(`${witness.client.baseUrl}/api/nodeproof/witness/${hash}/checkpoint`);
    const text = await kept.text();
    expect(text.startsWith(notes[4]!)).toBe(true);
    const note = parseNote(text);
    expect(note.ok && note.value.signatures.map(({ name }) => name)).toEqual([
      origin(),
      witnessName(publicKey),
    ]);
  });

  test('of many at once one is cosigned, and the rest are told the size', async () => {
    const log = await open(logSigner, [...honest, { epoch: 5, receipts: [receiptOf('ann', 5, 'pass')] }]);
    const note = (await listNotes(log))[5]!;
    const body = writeWitnessRequest({ oldSize: 5, path: await pathOf(log, 5, 6), note });
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(body)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
  });

  test('keeps two heads of one size as a proof, whoever brings the second', async () => {
    const other = await open(logSigner, [...forged, { epoch: 5, receipts: [receiptOf('ann', 5, 'pass')] }]);
    const note = (await listNotes(other))[5]!;
    const answer = await submit(writeWitnessRequest({ oldSize: 6, path: [], note }));
    expect(answer).toMatchObject({ status: 409, text: '6\n' });
    const [refused] = await refusals();
    expect(refused).toMatchObject({ origin: origin(), reason: 'other_root', is_proof: true, refused: note });
    const heads = [refused!.refused, refused!.cosigned].map((each) => openCheckpoint(each, trusted()));
    const [a, b] = heads.map((head) => (head.ok ? head.checkpoint : undefined));
    expect(a!.size).toBe(b!.size);
    expect(a!.root).not.toEqual(b!.root);
  });

  test('of anybody else is asked by its key, told of once while it does not know the log, and found by clients', async () => {
    const signer = openServiceKey(join(folder.path, 'publicly-witnessed.key'));
    const log = await open(signer, honest.slice(0, 3));
    const own = logOrigin('node-registry', signer.publicKey);
    const stranger = await startPublicWitness('witness.example/w1');
    const alarms: string[] = [];
    const setting = parseWitnesses(`${stranger.verifierKey}=${stranger.url}`);
    if (typeof setting === 'string') throw new Error(setting);
    const follow = ({ precious }: WrittenRegistry) =>
      followWitnesses({
        ...{ peers: [], witnesses: setting, precious, signer, client: createPeerClient([stranger.url]) },
        ...{ findOrigin: async (kind) => (kind === 'node-registry' ? own : undefined), now: Date.now },
        onAlarm: (text) => alarms.push(text),
      });
    const followed = follow(log);
    for (let poll = 0; poll < 5; poll++) await followed.refresh();
    expect(alarms).toEqual([
      expect.stringMatching(/^The witness witness\.example\/w1 does not cosign .* \(404\)/),
    ]);
    const key = /this key: (\S+)$/.exec(alarms[0]!)![1]!;
    stranger.trust(key);
    await followed.refresh();
    expect(stranger.sizesOf(own)).toEqual([3]);
    await followed.stop();

    const found = findCosigners(await getLogCheckpoint(log.client), [stranger.verifierKey]);
    expect(found).toEqual([{ key: setting[0]!.key.publicKey, time: expect.any(Number) }]);
    expect(findCosigners(await getLogCheckpoint(log.client), [signer.publicKey])).toEqual([]);
    expect(() => findCosigners('', ['witness.example/w1'])).toThrow(/is no witness: give the key/);

    // The log grows: another process goes on with it, and the witness with that.
    const grown = await open(signer, honest);
    const next = follow(grown);
    await next.refresh();
    expect(stranger.sizesOf(own)).toEqual([3, 5]);
    await next.stop();

    // Another log under the same key is what a witness is for.
    const other = await open(signer, forged);
    const bent = follow(other);
    await bent.refresh();
    expect(alarms.at(-1)).toContain('has cosigned another log (node-registry) of this service');
    expect(stranger.sizesOf(own)).toEqual([3, 5]);
    await bent.stop();
    await stranger.stop();
  });

  test('looks at the logs of its peers by itself, is cosigned by them, and tells of a log that was changed', async () => {
    const log = await open(logSigner, honest.slice(0, 3));
    const watcher = await open(openServiceKey(join(folder.path, 'watcher.key')), honest.slice(0, 1));
    const watcherSigner = openServiceKey(join(folder.path, 'watcher.key'));
    const alarms: string[] = [];
    const follow = (
      own: WrittenRegistry,
      signer: ServiceSigner,
      peer: string,
      client = createPeerClient([peer]),
    ) =>
      followWitnesses({
        ...{ peers: [peer], witnesses: [], precious: own.precious, signer, client, now: Date.now },
        findOrigin: async () => logOrigin('node-registry', signer.publicKey),
        onAlarm: (text) => alarms.push(text),
      });
    const ofWatcher = follow(watcher, watcherSigner, log.client.baseUrl);
    const ofLog = follow(log, logSigner, watcher.client.baseUrl);
    await Promise.all([ofWatcher.refresh(), ofLog.refresh()]);
    // Each knows the other now, and asks for its cosignature.
    await Promise.all([ofWatcher.refresh(), ofLog.refresh()]);
    const note = parseNote(await getLogCheckpoint(log.client));
    expect(note.ok && note.value.signatures.map(({ name }) => name)).toEqual([
      origin(),
      witnessName(watcherSigner.publicKey),
    ]);
    const watcherKey = watcherSigner.publicKey;
    expect(
      findCosigners(await getLogCheckpoint(log.client), [watcherKey, logSigner.publicKey]),
    ).toMatchObject([{ key: watcherKey }]);
    expect(alarms).toEqual([]);
    await ofLog.stop();

    // The operator puts another log in its place, at the same address.
    const other = await open(logSigner, forged);
    const peer = log.client.baseUrl;
    const client = createPeerClient([peer, other.client.baseUrl]);
    const moved = follow(watcher, watcherSigner, peer, {
      ...client,
      get: (url) => client.get(url.replace(peer, other.client.baseUrl)),
    });
    await moved.refresh();
    const items = (await listRefusedHeads(watcher.client)).items;
    expect(items).toEqual([]);
    const rewritten = await open(
      logSigner,
      honest.map((each) => (each.epoch === 1 ? { ...each, receipts: [receiptOf('eve', 1, 'pass')] } : each)),
    );
    const bent = follow(watcher, watcherSigner, peer, {
      ...client,
      get: (url) =>
        createPeerClient([rewritten.client.baseUrl]).get(url.replace(peer, rewritten.client.baseUrl)),
    });
    await bent.refresh();
    expect((await listRefusedHeads(watcher.client)).items).toMatchObject([{ origin: origin() }]);
    expect(alarms.join()).toContain('was changed');
    await Promise.all([ofWatcher.stop(), moved.stop(), bent.stop()]);
  });
});
