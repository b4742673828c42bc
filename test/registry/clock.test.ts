import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { createNameServers } from '../../service/src/outbound/resolve-host.ts';
import { verifyRegistry } from '../../service/src/parts/registry/audit/verify-registry.ts';
import { addClaim } from '../../service/src/parts/registry/claims/claim-bounds.ts';
import { useClaim } from '../../service/src/parts/registry/claims/claim-store.ts';
import { activateNode, findNode } from '../../service/src/parts/registry/nodes/node-store.ts';
import { type Prober, startProber } from '../../service/src/parts/registry/probing/prober.ts';
import { findProber, holdLease } from '../../service/src/parts/registry/probing/prober-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { openServiceKey } from '../../service/src/signing/service-key.ts';
import { forEachEngine } from '../harness/engines.ts';

const slotMs = 1_000;
const yearMs = 365 * 86_400_000;
const hourMs = 3_600_000;

forEachEngine('a prober whose clock changes', (engine) => {
  let precious: Precious;
  let folder = '';
  let prober: Prober | undefined;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const db = () => precious.query<RegistryTables>();
  const node = async () => (await findNode(db(), 'aa'))!;
  const errors: unknown[] = [];

  beforeAll(async () => {
    const location = await engine.openUrl();
    precious = await openPrecious(
      location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
      preciousMigrations,
    );
    folder = await mkdtemp(join(tmpdir(), 'coinfront-clock-'));
    const claim = {
      id: 'clm_1',
      state: 'pending' as const,
      domain: 'coin.example',
      registry_key: '11',
      node_key: 'aa',
      endpoint: '127.0.0.1:9',
      reached: null,
      network: '127.0.0.0/24',
      payout_address: 'a',
      endpoint_token: 'nodeproof-aa',
      nonce: '22',
      client: 'client',
      client_56: null,
      client_48: null,
      issued_at: Date.now(),
      expires_at: Date.now() + 60_000,
      open_until: Date.now() + 60_000,
      verified_at: null,
      address_signature: null,
      node_signature: null,
    };
    const bounds = { ofKey: 9, ofClient: 9, all: 9, awaiting: 9 };
    const client = [{ share: 1, name: 'client', names: ['client'] }] as const;
    await precious.transaction<RegistryTables, void>(async (trx) => {
      await addClaim(trx, claim, client, bounds);
      await useClaim(trx, claim.id, { address: 'a', node: 'b' }, Date.now(), undefined);
      await activateNode(trx, claim, Date.now());
    });
  });
  afterEach(async () => {
    await prober?.stop();
    expect(errors).toEqual([]);
  });
  afterAll(async () => {
    await precious.close();
    await rm(folder, { recursive: true });
  });

  const key = () => openServiceKey(join(folder, 'registry.key'));
  const start = () =>
    startProber({
      precious,
      // Our own index is behind: every look is void, and tells when it was.
      chain: {
        findState: async () => 'behind',
        findTip: async () => ({ height: 100, blockHash: 'ab'.repeat(32) }),
        findTask: async () => undefined,
      },
      profile: { genesisHash: '00'.repeat(32) },
      nameServers: createNameServers(),
      vantage: undefined,
      rules: {
        slotMs,
        epochBlocks: 50,
        ports: 'any',
        allow: createAllowList(['loopback']),
        socks: undefined,
        asTable: undefined,
        vantages: [],
        reward: undefined,
        requireProof: false,
      },
      signer: key(),
      isOpen: true,
      connections: 1,
      userAgent: '/Test/',
      now,
      onError: (error) => errors.push(error),
    });
  /** How far the slots that are judged are from the clock as it is now, in slots. */
  const distance = async () => Math.abs((await node()).judged_until! - now()) / slotMs;
  const isJudged = () => expect.poll(distance, { timeout: 30_000 }).toBeLessThan(4);

  test.each([
    ['ahead by ten years, and then right', 10 * yearMs],
    ['ahead by ten hours, and then right', 10 * hourMs],
  ])('goes on looking at nodes when it was %s', async (_, jumpMs) => {
    aheadMs = 0;
    prober = start();
    await expect.poll(async () => (await node()).judged_until, { timeout: 30_000 }).not.toBe(null);
    await isJudged();
    aheadMs = jumpMs;
    await isJudged();
    aheadMs = 0;
    await isJudged();
    const { voided } = await node();
    await expect.poll(async () => (await node()).voided, { timeout: 30_000 }).toBeGreaterThan(voided);
    expect((await findProber(db()))!.slot_end).toBeLessThan(now() + 2 * slotMs);
    const about = { precious, genesisHash: '00'.repeat(32), registryKey: undefined, head: undefined };
    expect((await verifyRegistry(about)).faults).toEqual([]);
    await prober.stop();
  });

  test('a lease of a clock that was ahead keeps nobody away', async () => {
    const take = (holder: string, nowMs: number) =>
      holdLease(db(), {
        holder,
        registryKey: '11',
        epochBlocks: 50,
        nowMs,
        leaseUntilMs: nowMs + 8_000,
        takeOver: false,
      });
    const t = now();
    expect(await take('ahead', t + yearMs)).toBe(true);
    expect(await take('right', t)).toBe(true);
    // Clocks of two machines that are a minute apart do not take it from each other.
    expect(await take('ahead', t + 60_000)).toBe(true);
    expect(await take('right', t)).toBe(false);
  });
});
