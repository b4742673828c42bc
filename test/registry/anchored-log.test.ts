import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpochProofJson } from '@coinfront/api/registry.ts';
import {
  hashRegistryText,
  type Receipt,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import { logOrigin } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { proveEpoch } from '@coinfront/sdk/nodes/prove-epoch.ts';
import { findCosigners } from '@coinfront/sdk/verify/find-cosigners.ts';
import { verifyEpoch } from '@coinfront/sdk/verify/verify-epoch.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import { appendReceipts, type ReceiptDraft } from '../../service/src/parts/registry/log/receipt-log.ts';
import { lockRegistry } from '../../service/src/parts/registry/registry-context.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { appendEntries } from '../../service/src/signed-log/append-entries.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import { takeUpLog } from '../../service/src/signed-log/witness/witness-store.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { type CoinDesk, type Machine, openCoinDesk } from '../cli/coin-desk.ts';
import { keyFileOf, openEngines } from '../harness/engines.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { reseal, unlockHistory } from '../treasury/forger.ts';
import { makeFolder, receiptOf, type WrittenRegistry, writeRegistry } from './rewritten-log.ts';

const EPOCH_BLOCKS = 10;

let desk: CoinDesk;
let precious: Precious;
let signer: ServiceSigner;
let genesisHash = '';
let machine: Machine;
/** Another service of the coin, with a log of its own. */
let peer: WrittenRegistry;
let peerSigner: ServiceSigner;
let folder: Awaited<ReturnType<typeof makeFolder>>;
const [engine] = openEngines();

beforeAll(async () => {
  folder = await makeFolder();
  peerSigner = openServiceKey(join(folder.path, 'peer.key'));
  const options = { engine: engine!, signer: peerSigner, genesisHash: '00'.repeat(32), epochBlocks: 10 };
  peer = await writeRegistry(options, [{ epoch: 1, receipts: [receiptOf('ann', 1, 'pass')] }]);
  desk = await openCoinDesk({
    COINFRONT_REGISTRY_EPOCH_BLOCKS: String(EPOCH_BLOCKS),
    COINFRONT_WITNESS_PEERS: peer.client.baseUrl,
  });
  const { dataDir } = desk.database as { dataDir: string };
  precious = await openBeside(desk.database);
  await waitUntil('the registry has its key', async () => {
    const { json } = await desk.service.get('/api/nodeproof/status');
    return json.registry_key !== null;
  });
  signer = openServiceKey(join(dataDir, 'registry.key'));
  genesisHash = await desk.node.rpc<string>('getblockhash', 0);
  machine = await desk.newMachine();
  await machine.coin('init', '--service', desk.url);
}, 120_000);
afterAll(async () => {
  await precious?.close();
  await desk?.stop();
  await peer?.close();
  await folder?.remove();
});

/** Appends receipts as the prober does, at the node's height. */
async function append(drafts: readonly ReceiptDraft[], atHeight?: number): Promise<void> {
  const height = atHeight ?? (await desk.node.rpc<number>('getblockcount'));
  const rules = {
    signer,
    genesisHash,
    epochBlocks: EPOCH_BLOCKS,
    reward: undefined,
    asTable: undefined,
    vantages: [],
  };
  await precious.transaction<RegistryTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    const moment = { nowMs: Date.now(), height, blockHash: 'ab'.repeat(32) };
    await appendReceipts(trx, rules, moment, drafts);
  });
}

/** Records an epoch, and ends it. @returns its number */
async function runEpoch(slot: number): Promise<number> {
  await append([receiptOf('ann', slot, 'pass'), receiptOf('bob', slot, 'fail')]);
  const epoch = Math.floor((await desk.node.rpc<number>('getblockcount')) / EPOCH_BLOCKS);
  await desk.mine(EPOCH_BLOCKS);
  await append([]);
  return epoch;
}

test('a registry without a closed epoch has no log: coin says so, and remembers nothing', async () => {
  expect((await desk.service.get('/api/nodeproof/log/checkpoint')).json.code).toBe('log_empty');
  expect(await machine.coin('node', 'log')).toEqual({ entries: 0, epochs: [] });
});

test('a closed epoch is anchored by the wallet of the node, and its proof holds without any service', async () => {
  const epoch = await runEpoch(1);
  const client = createClient({ baseUrl: desk.service.origin });
  const before = await proveEpoch(client, { epoch });
  expect(verifyEpoch(before, { registryKey: signer.publicKey, genesisHash })).toMatchObject({ ok: true });
  await waitUntil(
    'the checkpoint is on its way to the chain',
    async () => {
      const { json } = await desk.service.get('/api/nodeproof/epochs');
      return json.items.find((each: { epoch: number }) => each.epoch === epoch)?.anchor !== null;
    },
    30_000,
  );
  await desk.mine(1);
  const proof = await proveEpoch(client, { epoch });
  expect(proof.anchor).toMatchObject({ sha256: proof.epoch.anchor!.digest, state: 'confirmed' });
  const trustedBlock = await desk.node.rpc<string>('getblockhash', proof.anchor!.primary!.height);
  const verdict = verifyEpoch(proof, { registryKey: signer.publicKey, genesisHash }, { trustedBlock });
  expect(verdict).toMatchObject({ ok: true, entries: 1, anchor: { ok: true, unchecked: [] } });
  const faultOf = (changed: unknown, trusted = { registryKey: signer.publicKey, genesisHash }) => {
    const found = verifyEpoch(changed as EpochProofJson, trusted);
    return found.ok ? undefined : found.code;
  };
  const summary = proof.epoch.summary!;
  expect(faultOf({ ...proof, epoch: { ...proof.epoch, summary: { ...summary, receipts: 1 } } })).toBe(
    'signature_invalid',
  );
  expect(faultOf({ ...proof, index: 1 })).toBe('not_in_log');
  expect(faultOf({ ...proof, checkpoint: proof.checkpoint.replace('\n1\n', '\n2\n') })).toBe(
    'signature_invalid',
  );
  expect(faultOf(proof, { registryKey: '00'.repeat(32), genesisHash })).toBe('other_registry');
  expect(faultOf(proof, { registryKey: signer.publicKey, genesisHash: '00' })).toBe('other_chain');
  for (const nothing of [null, {}, { epoch: null }, { ...proof, path: 'none' }])
    expect(faultOf(nothing)).toBe('epoch_malformed');
});

test('coin finds the epochs in the chain, and remembers the checkpoint beside the wallet', async () => {
  const first = await machine.coin('node', 'log');
  expect(first).toMatchObject({ entries: 1, known_since: null, epochs: [{ stand: 'in_time' }] });
  const kept = JSON.parse(await readFile(join(machine.home, '.coin', 'wallet.json.heads'), 'utf8'));
  expect(Object.values(kept.heads)).toEqual([expect.objectContaining({ note: first.checkpoint })]);
  await runEpoch(2);
  const { out } = await machine.run('node', 'status');
  expect(out).toMatch(/2 epochs, goes on from what was seen/);
  expect(await machine.coin('node', 'log')).toMatchObject({ entries: 2, epochs: [{}, {}] });
});

test('services that name each other as peers cosign their logs', async () => {
  const peerOrigin = logOrigin('node-registry', peerSigner.publicKey);
  const hash = createHash('sha256').update(peerOrigin).digest('hex');
  const cosigned = await desk.service.get(`/api/nodeproof/witness/${hash}/checkpoint`);
  expect(findCosigners(cosigned.text, [signer.publicKey])).toHaveLength(1);
  await takeUpLog(
    peer.precious.query<SignedLogTables>(),
    desk.url,
    logOrigin('node-registry', signer.publicKey),
  );
  // It asks when it starts, and each minute.
  await desk.service.stop();
  await desk.service.start();
  await waitUntil('the peer has cosigned the log', async () => {
    const { text } = await desk.service.get('/api/nodeproof/log/checkpoint');
    return findCosigners(text, [peerSigner.publicKey]).length === 1;
  });
  expect((await desk.service.get('/api/nodeproof/witness/refusals')).json).toEqual({ items: [] });
});

test('coin finds receipts of a closed epoch that the operator changed in the database and signed, or dropped', async () => {
  const sound = await machine.coin('node', 'log', '--receipts');
  expect(sound.receipts).toEqual({ epochs: 2, receipts: 4, faults: [] });
  const { epoch } = sound.epochs[1];
  const db = precious.query<RegistryTables>();
  await unlockHistory(precious, 'registry_receipt');
  const { document } = await db
    .selectFrom('registry_receipt')
    .select('document')
    .where('sequence', '=', 3)
    .executeTakeFirstOrThrow();
  const forged = { ...(JSON.parse(document) as Receipt), verdict: 'pass' as const, reason: null };
  const text = writeRegistryText(forged);
  const hash = hashRegistryText(text);
  const signature = signer.sign(writeSignedText('node-receipt', hash));
  await db
    .updateTable('registry_receipt')
    .set({ document: text, hash, signature })
    .where('sequence', '=', 3)
    .execute();
  // The log and the chain hold the epochs as they were closed.
  expect((await machine.run('node', 'log')).code).toBe(0);
  const changed = await machine.run('node', 'log', '--receipts', '--json');
  expect(changed.code).toBe(6);
  expect(changed.json.receipts).toEqual({
    ...{ epochs: 2, receipts: 2 },
    faults: [{ epoch, code: 'receipts_changed', sequence: null }],
  });
  await db.deleteFrom('registry_receipt').where('sequence', '=', 2).execute();
  const dropped = await machine.run('node', 'log', '--receipts', '--epoch', String(epoch));
  expect(dropped.code).toBe(6);
  expect(dropped.out).toContain(`WARNING   epoch ${epoch} (receipt 2): A receipt of the epoch is not shown.`);
  const other = await machine.run('node', 'log', '--receipts', '--epoch', String(epoch - 1));
  expect(other).toMatchObject({ code: 0, out: expect.stringContaining('receipts  2 of 1 epochs are those') });
  expect((await machine.run('node', 'log', '--receipts', '--epoch', '7')).notes).toContain('no epoch 7');
  expect((await machine.run('node', 'log', '--epoch', String(epoch))).code).toBe(2);
});

test('when the operator rewrites an epoch and signs everything anew, coin refuses it aloud and has both checkpoints', async () => {
  const { checkpoint: seen } = await machine.coin('node', 'log');
  const first = Math.floor(110 / EPOCH_BLOCKS);
  const db = precious.query<RegistryTables>();
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(
    db,
  );
  for (const { name } of rows) await sql.raw(`drop trigger ${name}`).execute(db);
  const tables = [
    'registry_receipt',
    'registry_epoch',
    'signed_log_entry',
    'signed_log_hash',
    'signed_log_head',
    'signed_log_anchor',
  ];
  for (const table of tables) await sql.raw(`delete from ${table}`).execute(db);
  for (const [slot, epoch] of [first, first + 1].entries()) {
    const drafts = [receiptOf('ann', slot, 'pass'), receiptOf('bob', slot, 'pass')];
    await append(drafts, epoch * EPOCH_BLOCKS);
    await append([], (epoch + 1) * EPOCH_BLOCKS);
  }
  const shown = (await desk.service.get('/api/nodeproof/log/checkpoint')).text;
  const { address } = await machine.coin('address');
  const [key, endpoint] = ['00'.repeat(32), '127.0.0.1:29666'];
  for (const command of [
    ...[['status'], ['log'], ['show', key], ['looks', key]],
    ['register', endpoint, '--payout', address],
  ]) {
    const refused = await machine.run('node', ...command);
    expect(refused.code).toBe(6);
    expect(refused.notes).toMatch(/WARNING: the log of this registry was changed/);
    const { json } = await machine.run('node', ...command, '--json');
    expect(json.error).toMatchObject({ code: 'log_forked', remembered: seen, shown });
  }
  // Who has kept nothing finds that the chain does not have it in time.
  const stranger = await desk.newMachine();
  await stranger.coin('init', '--service', desk.url);
  const found = await stranger.run('node', 'log', '--json');
  expect(found.code).toBe(6);
  expect(found.json.epochs.map(({ stand }: { stand: string }) => stand)).not.toContain('in_time');
});

test('coin looks up every epoch of a long log, and says what it did not look up when it is told to look up fewer', async () => {
  const epochs = 32;
  await desk.mine((epochs + 5) * EPOCH_BLOCKS);
  const next = Math.floor(150 / EPOCH_BLOCKS);
  for (let i = 0; i <= epochs; i++)
    await append([receiptOf('ann', 10 + i, 'pass')], (next + i) * EPOCH_BLOCKS);
  const stranger = await desk.newMachine();
  await stranger.coin('init', '--service', desk.url);
  const all = await stranger.run('node', 'log', '--json');
  // The oldest is one that was rewritten: of the newest thirty alone nothing would be seen of it.
  expect(all.json.entries).toBe(epochs + 2);
  expect(all.json.not_looked_up).toBe(0);
  expect(all.json.epochs).toHaveLength(epochs + 2);
  expect(all.json.epochs[0]).toMatchObject({ epoch: 11, stand: expect.stringMatching(/^(?:late|missing)$/) });
  // Nobody closed an epoch between those that were rewritten and these.
  expect(all.json).toMatchObject({ first_epoch: 11, gaps: [{ from: 13, to: next - 1 }] });
  expect(all.code).toBe(6);
  const { out, code } = await stranger.run('node', 'log', '--epochs', '30', '--first', '9');
  expect(code).toBe(6);
  expect(out).toMatch(/older {5}4 epochs were not looked up/);
  expect(out).toMatch(/missing {3}epochs 9 to 10/);
});

test("coin finds the treasury's ledger in the chain, by a log of its own", async () => {
  const empty = await machine.run('treasury', 'ledger', '--service', desk.url, '--chain', desk.url);
  expect(empty).toMatchObject({ code: 6, notes: expect.stringContaining('no entry yet') });
  const { address } = (await desk.service.get('/api/treasury/status')).json;
  await desk.node.rpc('sendtoaddress', address, 0.5);
  await desk.mine(1);
  await desk.mine(EPOCH_BLOCKS);
  await waitUntil('the head of the ledger is on its way to the chain', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from signed_log_anchor where origin like 'treasury-ledger/%'`.execute(
      precious.query(),
    );
    return Number(rows[0]!.count) === 1;
  });
  await desk.mine(1);
  const both = await machine.run(
    'treasury',
    'ledger',
    '--service',
    desk.url,
    '--receipt',
    'kept',
    '--chain',
    desk.url,
  );
  expect(both.code).toBe(2);
  const audited = await machine.coin('treasury', 'ledger', '--service', desk.url, '--chain', desk.url);
  expect(audited).toMatchObject({
    ...{ sound: true, entries: 1, balance: '0.50000000', first_unheld: null },
    heads: [{ sequence: 1, stand: 'in_time' }],
    movements: { in_time: 1, late: 0, missing: 0 },
  });
  const strange = await machine.run(
    'treasury',
    'ledger',
    '--service',
    desk.url,
    '--chain',
    desk.url,
    '--key',
    '00'.repeat(32),
  );
  expect(strange).toMatchObject({ code: 6, notes: expect.stringContaining('not trusted') });
});

test("coin remembers the head of the ledger's log, and refuses a ledger and a log that were signed anew", async () => {
  const at = ['--service', desk.url];
  const before = await machine.coin('treasury', 'ledger', ...at);
  expect(before).toMatchObject({
    sound: true,
    log: { checkpoint: expect.stringMatching(/^treasury-ledger/) },
  });
  const { out } = await machine.run('treasury', 'status');
  expect(out).toMatch(/1 heads of the ledger, goes on from what was seen on/);
  const { heads } = JSON.parse(await readFile(join(machine.home, '.coin', 'wallet.json.heads'), 'utf8'));
  expect(Object.keys(heads)).toContain(`treasury log of ${desk.url} ${genesisHash}`);
  const since = await machine.coin('treasury', 'ledger', '--since', before.head, ...at);
  expect(since).toMatchObject({ sound: true, entries: 1, held_by: { sequence: 1 } });

  const db = precious.query<SignedLogTables>();
  for (const table of ['treasury_entry', 'treasury_seal'] as const) await unlockHistory(precious, table);
  await sql.raw('update treasury_entry set recorded_at = recorded_at + 1').execute(db);
  await reseal(precious, keyFileOf(desk.database));
  // The log is as it was, and the ledger sound by itself.
  const resealed = await machine.run('treasury', 'ledger', ...at, '--json');
  expect(resealed).toMatchObject({ code: 6, json: { error: { code: 'log_forked' } } });

  const origin = logOrigin('treasury-ledger', signer.publicKey);
  for (const table of ['entry', 'hash', 'head', 'anchor'])
    await sql.raw(`delete from signed_log_${table} where origin = '${origin}'`).execute(db);
  await appendEntries(db, { origin, ...signer, sign: (text) => signer.sign(text) }, ['{}'], 0);
  const { address } = await machine.coin('address');
  const txid = '00'.repeat(32);
  for (const command of [
    ...[['status'], ['ledger'], ['me'], ['verify', 'VI-1', txid]],
    ...[
      ['claim', `${txid}:0`, address],
      ['contribute', '0.1'],
    ],
  ]) {
    const refused = await machine.run('treasury', ...command, ...at);
    expect(refused.code).toBe(6);
    expect(refused.notes).toMatch(/WARNING: the log of this treasury's ledger was changed/);
    const { json } = await machine.run('treasury', ...command, ...at, '--json');
    expect(json.error).toMatchObject({ code: 'log_forked', remembered: before.log.checkpoint });
  }
});
