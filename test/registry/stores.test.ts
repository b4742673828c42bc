import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRegistryCommand } from '../../service/src/admin/registry-commands.ts';
import type { NamedClient } from '../../service/src/clients/client-names.ts';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { verifyRegistry } from '../../service/src/parts/registry/audit/verify-registry.ts';
import { addClaim, clientOfClaim } from '../../service/src/parts/registry/claims/claim-bounds.ts';
import { findAwaiting, findClaim, useClaim } from '../../service/src/parts/registry/claims/claim-store.ts';
import { handOverEndpoint } from '../../service/src/parts/registry/claims/register-node.ts';
import { findEpoch } from '../../service/src/parts/registry/log/epoch-store.ts';
import { appendReceipts, type LogRules } from '../../service/src/parts/registry/log/receipt-log.ts';
import { findLastReceipt, readReceipt } from '../../service/src/parts/registry/log/receipt-store.ts';
import { activateNode, findNode, listNodes } from '../../service/src/parts/registry/nodes/node-store.ts';
import {
  findProber,
  holdLease,
  LeaseLostError,
  releaseLease,
  saveSlotEnd,
} from '../../service/src/parts/registry/probing/prober-store.ts';
import { recordOutage } from '../../service/src/parts/registry/probing/record-outage.ts';
import { recordSlot } from '../../service/src/parts/registry/probing/record-slot.ts';
import type { LookedNode } from '../../service/src/parts/registry/probing/settle-move.ts';
import { lockRegistry } from '../../service/src/parts/registry/registry-context.ts';
import { listEpochNodes } from '../../service/src/parts/registry/rewards/verdict-store.ts';
import type {
  RegistryClaimTable,
  RegistryTables,
} from '../../service/src/parts/registry/schema/registry-tables.ts';
import { openServiceKey } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';

const SLOT_MS = 600_000;
const T0 = 1_700_000_400_000;

forEachEngine('the registry', (engine) => {
  let precious: Precious;
  let folder = '';
  let rules: LogRules;
  const db = () => precious.query<RegistryTables>();
  const options = () => ({ precious, holder: 'a', slotMs: SLOT_MS, log: rules });
  const listFaults = async () => {
    const { genesisHash, signer } = rules;
    const about = { precious, genesisHash, registryKey: signer.publicKey, head: undefined };
    return (await verifyRegistry(about)).faults;
  };
  const at = (slots: number, height = 100) => ({
    nowMs: T0 + slots * SLOT_MS,
    height,
    blockHash: 'ab'.repeat(32),
  });
  const slot = (n: number) => ({ startMs: T0 + n * SLOT_MS, endMs: T0 + (n + 1) * SLOT_MS });
  const lease = (holder: string, nowMs: number, takeOver = false) =>
    holdLease(db(), {
      holder,
      registryKey: rules.signer.publicKey,
      epochBlocks: 50,
      nowMs,
      leaseUntilMs: nowMs + 10,
      takeOver,
    });

  beforeAll(async () => {
    const location = await engine.openUrl();
    precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
    folder = await mkdtemp(join(tmpdir(), 'coinfront-key-'));
    const signer = openServiceKey(join(folder, 'registry.key'));
    rules = {
      signer,
      genesisHash: '00'.repeat(32),
      epochBlocks: 50,
      reward: 7n,
      asTable: undefined,
      vantages: [],
    };
  });
  afterAll(async () => {
    await precious.close();
    await rm(folder, { recursive: true });
  });

  const makeClaim = (name: string, more: Partial<RegistryClaimTable> = {}): RegistryClaimTable => ({
    id: `clm_${randomBytes(16).toString('base64url')}`,
    state: 'pending',
    domain: 'coin.example',
    registry_key: '11',
    node_key: name,
    endpoint: `8.8.8.8:${name.length}`,
    reached: null,
    network: '8.8.8.0/24',
    payout_address: `to ${name}`,
    endpoint_token: `nodeproof-${name}`,
    nonce: '22',
    client: 'client',
    client_56: null,
    client_48: null,
    issued_at: T0,
    expires_at: T0 + 1_000,
    open_until: T0 + 1_000,
    verified_at: null,
    address_signature: null,
    node_signature: null,
    ...more,
  });
  const bounds = { ofKey: 1_000, ofClient: 1_000, all: 1_000, awaiting: 1_000 };
  const client = [{ share: 1, name: 'client', names: ['client'] }] as const;
  const add = async (name: string, more?: Partial<RegistryClaimTable>) => {
    const claim = makeClaim(name, more);
    await precious.transaction<RegistryTables, void>(
      async (trx) => void (await addClaim(trx, claim, client, bounds)),
    );
    return claim;
  };
  const activate = async (name: string, more?: Partial<RegistryClaimTable>) => {
    const claim = await add(name, more);
    await precious.transaction<RegistryTables, void>(async (trx) => {
      await useClaim(trx, claim.id, { address: 'a', node: 'b' }, T0, undefined);
      await activateNode(trx, claim, T0);
    });
    return (await findNode(db(), name))!;
  };
  test('has room for a claim when there are too many: the oldest unsigned one of whoever has the most gives way', async () => {
    const named = (name: string, site?: string) =>
      [name, ...(site === undefined ? [] : [`${name}/56`, site])].map((each) => ({
        share: 1,
        name: each,
        names: [each],
      })) as unknown as NamedClient;
    const ask = async (name: string, who: NamedClient, issued_at: number) => {
      const claim = makeClaim(name, { ...clientOfClaim(who), issued_at });
      const limits = { ...bounds, all: 6 };
      const isAdded = await precious.transaction<RegistryTables, boolean>((trx) =>
        addClaim(trx, claim, who, limits),
      );
      return { ...claim, isAdded };
    };
    const owner = await ask('owner', named('owner'), T0 - 9);
    const signed = await ask('signed', named('a', 'site'), T0 - 8);
    await useClaim(db(), signed.id, { address: 'a', node: 'b' }, T0 - 7, T0 + 1_000);
    const many = [];
    for (let i = 0; i < 4; i++) many.push(await ask(`m${i}`, named(`a${i}`, 'site'), T0 - 6 + i));
    const late = await ask('late', named('late'), T0);
    const all = [owner, signed, ...many, late];
    expect(all.map(({ isAdded }) => isAdded)).toEqual(Array(7).fill(true));
    const there = await Promise.all(all.map(async ({ id }) => (await findClaim(db(), id)) !== undefined));
    expect(there).toEqual([true, true, false, true, true, true, true]);
    await db()
      .deleteFrom('registry_claim')
      .where(
        'id',
        'in',
        all.map(({ id }) => id),
      )
      .execute();
  });

  const looks = (...results: ('pass' | 'fail' | 'void')[]): LookedNode['looks'] =>
    results.map((result) => ({
      attempt: {
        at: new Date(T0).toISOString(),
        result,
        reason: result === 'pass' ? null : result === 'fail' ? 'lagging' : 'own_node_behind',
      },
      observed: null,
      tokens: [],
    }));
  const record = async (n: number, name: string, ...results: ('pass' | 'fail' | 'void')[]) =>
    await recordSlot(options(), slot(n), at(n + 1), [
      { node: (await findNode(db(), name))!, token: 't', looks: looks(...results) },
    ]);

  test('is looked after by one holder of the lease, until it ends or is let go', async () => {
    expect(await lease('a', 1_000)).toBe(true);
    expect(await lease('b', 1_005)).toBe(false);
    expect(await lease('a', 1_009)).toBe(true);
    expect(await lease('b', 1_021)).toBe(true);
    await releaseLease(db(), 'b', 1_022);
    expect(await lease('a', 1_022)).toBe(true);
    expect(await lease('c', 1_023, true)).toBe(true);
    await expect(
      precious.transaction<RegistryTables, void>((trx) => saveSlotEnd(trx, 'a', 5)),
    ).rejects.toThrow(LeaseLostError);
    expect((await findProber(db()))?.slot_end).toBe(null);
    expect(await lease('a', 9_000)).toBe(true);
  });

  test('uses a claim up once, of many at the same moment', async () => {
    const claim = await add('once');
    const use = () =>
      precious.transaction<RegistryTables, boolean>((trx) =>
        useClaim(trx, claim.id, { address: 'a', node: 'b' }, T0, undefined),
      );
    const used = await Promise.all(Array.from({ length: 8 }, use));
    expect(used.filter((each) => each)).toHaveLength(1);
    const late = await add('late');
    expect(
      await precious.transaction<RegistryTables, boolean>((trx) =>
        useClaim(trx, late.id, { address: 'a', node: 'b' }, T0 + 1_000, undefined),
      ),
    ).toBe(false);
  });

  test('has one active node for an endpoint', async () => {
    await activate('n1', { endpoint: '1.1.1.1:1' });
    await expect(activate('n2', { endpoint: '1.1.1.1:1' })).rejects.toThrow();
  });

  test('gives every receipt a place of its own, also when two write at once', async () => {
    const draft = {
      kind: 'outage' as const,
      node_key: null,
      endpoint: null,
      payout_address: null,
      slots: { from: '', to: '', count: 1 },
      verdict: 'void' as const,
      reason: 'registry_down',
      attempts: [],
      observed: null,
    };
    const append = () =>
      precious.transaction<RegistryTables, void>(async (trx) => {
        await lockRegistry(trx, precious.engine);
        await appendReceipts(trx, rules, at(0), [draft, draft]);
      });
    await Promise.all([append(), append(), append()]);
    expect((await findLastReceipt(db()))?.sequence).toBe(5);
    expect(await listFaults()).toEqual([]);
  });

  test('counts slots by their verdicts; those between two failures are failures, those before a pass are void', async () => {
    await activate('x', { endpoint: '2.2.2.2:1' });
    await record(0, 'x', 'pass');
    await record(1, 'x', 'fail', 'pass');
    await record(2, 'x', 'fail', 'fail');
    await record(3, 'x', 'fail');
    await record(4, 'x', 'void', 'void');
    expect(await findNode(db(), 'x')).toMatchObject({ passed: 2, failed: 1, voided: 2, fails_in_row: 1 });
    for (const n of [5, 6, 7]) await record(n, 'x', 'fail', 'fail');
    expect(await findNode(db(), 'x')).toMatchObject({
      failed: 4,
      fails_in_row: 4,
      next_look_at: slot(8).endMs,
    });
    await record(9, 'x', 'fail', 'fail');
    expect(await findNode(db(), 'x')).toMatchObject({
      failed: 6,
      fails_in_row: 5,
      next_look_at: slot(9).endMs + 3 * SLOT_MS,
    });
    await record(13, 'x', 'pass');
    expect(await findNode(db(), 'x')).toMatchObject({
      passed: 3,
      failed: 6,
      voided: 5,
      fails_in_row: 0,
      next_look_at: 0,
    });
    const last = readReceipt((await findLastReceipt(db()))!);
    expect(last).toMatchObject({ verdict: 'pass', slots: { count: 1 } });
    const [node] = await listEpochNodes(db(), 2, ['x']);
    expect(node).toMatchObject({ passed: 3, failed: 6, voided: 5 });
  });

  test('says of an outage once what it was, and counts it for who was registered', async () => {
    const before = (await findNode(db(), 'x'))!;
    await activate('new', { endpoint: '3.3.3.3:1' });
    const registeredMs = slot(17).startMs + 1;
    await db()
      .updateTable('registry_node')
      .set({ verified_at: registeredMs })
      .where('node_key', '=', 'new')
      .execute();
    await recordOutage(options(), { startMs: slot(10).startMs, endMs: slot(20).startMs }, at(20));
    const after = (await findNode(db(), 'x'))!;
    expect(after).toMatchObject({
      voided: before.voided + 6,
      judged_until: slot(20).startMs,
      last_verdict: 'void',
    });
    expect(await findNode(db(), 'new')).toMatchObject({ voided: 2, last_reason: 'registry_down' });
    const counted = await listEpochNodes(db(), 2, ['x', 'new']);
    expect(counted.map(({ nodeKey, voided }) => [nodeKey, voided]).sort()).toEqual([
      ['new', 2],
      ['x', 11],
    ]);
    expect(readReceipt((await findLastReceipt(db()))!)).toMatchObject({
      kind: 'outage',
      slots: { count: 10 },
    });
    await expect(recordOutage({ ...options(), holder: 'other' }, slot(21), at(22))).rejects.toThrow(
      LeaseLostError,
    );
  });

  test('closes an epoch when the chain is past it, and never opens it again', async () => {
    await recordSlot(options(), slot(21), at(22, 149), []);
    expect(await findEpoch(db(), 2)).toBeUndefined();
    await recordSlot(options(), slot(22), at(23, 150), []);
    expect(await findEpoch(db(), 2)).toMatchObject({ epoch: 2, reward: 7n });
    // A reorganisation: the chain is in the closed epoch again.
    await recordOutage(options(), { startMs: slot(22).endMs, endMs: slot(24).endMs }, at(25, 148));
    expect(await findLastReceipt(db())).toMatchObject({ epoch: 3 });
    expect(await listFaults()).toEqual([]);
  });

  test('says of nobody that it failed when nobody could be connected to', async () => {
    const gone = ['8.1.1.1:1', '8.2.1.1:1', '8.3.1.1:1'];
    const looked: LookedNode[] = [];
    for (const [i, endpoint] of gone.entries()) {
      const node = await activate(`gone${i}`, { endpoint, network: `8.${i}.1.0/24` });
      const attempt = { at: new Date(T0).toISOString(), result: 'fail' as const, reason: 'unreachable' };
      looked.push({
        node,
        token: 't',
        looks: [attempt, attempt].map((each) => ({ attempt: each, observed: null, tokens: [] })),
      });
    }
    await recordSlot(options(), slot(30), at(31, 160), looked);
    expect(await findNode(db(), 'gone0')).toMatchObject({
      failed: 0,
      voided: 1,
      last_reason: 'registry_isolated',
    });
    await recordSlot(options(), slot(31), at(32, 160), looked.slice(0, 2));
    expect(await findNode(db(), 'gone0')).toMatchObject({ failed: 1, last_reason: 'unreachable' });
  });

  test('is kept by its operator: nodes are listed, removed, blocked and let in again', async () => {
    await activate('ff', { endpoint: '7.7.7.7:1' });
    const run = async (kind: 'registry-remove' | 'registry-block' | 'registry-unblock') => {
      const outcome = await runRegistryCommand(precious, { kind, nodeKey: 'FF' });
      return outcome.ok ? (await findNode(db(), 'ff'))!.state : outcome.reason;
    };
    expect(await run('registry-remove')).toBe('removed');
    expect(await run('registry-remove')).toBe('The node is removed already.');
    expect(await run('registry-block')).toBe('blocked');
    expect(await run('registry-unblock')).toBe('removed');
    const list = await runRegistryCommand(precious, { kind: 'registry-list' });
    expect(list.ok && list.value.lines.join('\n')).toContain('ff  removed');
    expect(await runRegistryCommand(precious, { kind: 'registry-block', nodeKey: 'nobody' })).toMatchObject({
      ok: false,
    });
  });

  test('forgets claims that are over, never those that nodes are registered by', async () => {
    const laterMs = T0 + 3 * 86_400_000;
    const kept = (await findNode(db(), 'x'))!.claim_id;
    await precious.transaction<RegistryTables, void>(async (trx) => {
      await trx.updateTable('registry_claim').set({ state: 'superseded' }).where('id', '=', kept).execute();
    });
    for (let i = 0; i < 10; i++)
      await add('later', { issued_at: laterMs, expires_at: laterMs + 1, open_until: laterMs + 1 });
    const rows = await db().selectFrom('registry_claim').select(['id', 'node_key', 'state']).execute();
    expect(rows.map(({ id }) => id)).toContain(kept);
    expect(rows.filter(({ node_key, state }) => state === 'pending' && node_key !== 'later')).toEqual([]);
  });

  test('gives an endpoint to the claim whose token is shown there, while that is awaited', async () => {
    const holder = await activate('holder', { endpoint: '9.9.9.9:1' });
    const claim = await add('real', { endpoint: '9.9.9.9:1' });
    await precious.transaction<RegistryTables, boolean>((trx) =>
      useClaim(trx, claim.id, { address: 'a', node: 'b' }, T0, T0 + 5_000),
    );
    const find = (tokens: string[], nowMs = T0) => findAwaiting(db(), ['9.9.9.9:1'], tokens, nowMs);
    expect(await find(['nodeproof-other'])).toBeUndefined();
    expect(await find([])).toBeUndefined();
    expect(await find(['nodeproof-real'], T0 + 5_000)).toBeUndefined();
    const found = await find(['nodeproof-real']);
    await precious.transaction<RegistryTables, void>((trx) => handOverEndpoint(trx, found!, holder, T0));
    const states = (await listNodes(db(), { state: undefined, afterKey: undefined, limit: 100 })).map(
      ({ node_key, state }) => [node_key, state],
    );
    expect(states).toEqual(
      expect.arrayContaining([
        ['holder', 'displaced'],
        ['real', 'active'],
      ]),
    );
  });
});
