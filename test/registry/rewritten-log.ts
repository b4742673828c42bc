/** A registry whose whole history is written from a plan: what an operator can do who has the key and the database. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProofJson } from '@coinfront/api/proofs.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createClientNames } from '../../service/src/clients/client-names.ts';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { createHttpMetrics } from '../../service/src/http/http-metrics.ts';
import { createServer } from '../../service/src/http/server.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { appendReceipts, type ReceiptDraft } from '../../service/src/parts/registry/log/receipt-log.ts';
import { holdLease } from '../../service/src/parts/registry/probing/prober-store.ts';
import { lockRegistry } from '../../service/src/parts/registry/registry-context.ts';
import { createRegistryPart } from '../../service/src/parts/registry/registry-part.ts';
import { countSlot } from '../../service/src/parts/registry/rewards/epoch-rules-store.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import type { ServiceSigner } from '../../service/src/signing/service-key.ts';
import { fixtureProfile, makeFixtureChain } from '../../service/src/testing/fixture-server.ts';
import { readFixture } from '../../service/src/testing/fixture-view.ts';
import type { TestEngine } from '../harness/engines.ts';

/** Closed epochs, each with what its receipts say. */
export type Plan = readonly { epoch: number; receipts: readonly ReceiptDraft[] }[];

const T0 = 1_700_000_400_000;
const SLOT_MS = 600_000;

/** A receipt of a node in a slot. */
export function receiptOf(node: string, slot: number, verdict: 'pass' | 'fail'): ReceiptDraft {
  const from = new Date(T0 + slot * SLOT_MS).toISOString();
  const to = new Date(T0 + (slot + 1) * SLOT_MS).toISOString();
  return {
    ...{ kind: 'probe', node_key: node, endpoint: '203.0.113.7:29666', payout_address: `to ${node}` },
    ...{ slots: { from, to, count: 1 }, verdict, reason: verdict === 'pass' ? null : 'timeout' },
    ...{ attempts: [], observed: null },
  };
}

/** A registry that is served; whoever has the same key and the same plan has the same log, to the bit. */
export type WrittenRegistry = {
  precious: Precious;
  client: ReturnType<typeof createClient>;
  /** Runs a statement that the database refuses to others. */
  force(statement: string): Promise<void>;
  close(): Promise<void>;
};

export type WriteOptions = {
  engine: TestEngine;
  signer: ServiceSigner;
  genesisHash: string;
  epochBlocks: number;
  findProof?: (digest: string) => Promise<ProofJson | undefined>;
};

/** Writes the history of a plan, and serves it. */
export async function writeRegistry(
  { engine, signer, genesisHash, epochBlocks, findProof = async () => undefined }: WriteOptions,
  plan: Plan,
): Promise<WrittenRegistry> {
  const location = await engine.openUrl();
  const precious = await openPrecious(
    location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location,
    preciousMigrations,
  );
  const db = precious.query<RegistryTables>();
  const about = { holder: 'a', registryKey: signer.publicKey, epochBlocks };
  await holdLease(db, { ...about, nowMs: T0, leaseUntilMs: T0 + 1, takeOver: true });
  const rules = { signer, genesisHash, epochBlocks, reward: undefined, asTable: undefined, vantages: [] };
  const append = (height: number, drafts: readonly ReceiptDraft[]) =>
    precious.transaction<RegistryTables, void>(async (trx) => {
      await lockRegistry(trx, precious.engine);
      const moment = { nowMs: T0 + height * SLOT_MS, height, blockHash: 'ab'.repeat(32) };
      const made = await appendReceipts(trx, rules, moment, drafts);
      for (const [i, { slots }] of drafts.entries())
        await countSlot(trx, made[i]!.epoch, Date.parse(slots.to));
    });
  for (const { epoch, receipts } of plan) {
    await append(epoch * epochBlocks, receipts);
    await append((epoch + 1) * epochBlocks, []);
  }
  const http = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: () => undefined,
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: [],
  });
  createRegistryPart(
    {
      precious,
      readChain: readFixture(makeFixtureChain()),
      profile: { ...fixtureProfile, genesisHash },
      publicUrl: 'https://coin.example',
      rules: {
        ...{ slotMs: SLOT_MS, epochBlocks, ports: 'any' as const, allow: createAllowList([]) },
        ...{ socks: undefined, asTable: undefined, vantages: [], reward: undefined, requireProof: false },
      },
      nameClient: createClientNames(precious),
      registrationsPerDay: undefined,
      findProof,
      bodies: http.bodies,
      findSigner: () => signer,
      resolve: async () => [],
      checkAlertUrl: (url) => ({ ok: true, value: url }),
      now: () => T0,
    },
    http.routes,
  ).register(http.app);
  const baseUrl = await http.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    precious,
    client: createClient({ baseUrl, retries: 0 }),
    async force(statement) {
      for (const table of ['registry_receipt', 'registry_epoch', ...logTables])
        for (const each of engine.kind === 'sqlite'
          ? ['update', 'delete'].map((verb) => `drop trigger if exists ${table}_no_${verb}`)
          : [`drop trigger if exists ${table}_append_only on ${table}`])
          await sql.raw(each).execute(db);
      await sql.raw(statement).execute(db);
    },
    async close() {
      await http.app.close();
      await precious.close();
    },
  };
}

const logTables = ['signed_log_entry', 'signed_log_hash', 'signed_log_head', 'signed_log_anchor'];

/** A folder that is gone with the test. */
export async function makeFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'coinfront-operator-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
