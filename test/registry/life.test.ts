import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import {
  hashRegistryText,
  leafOfReceipt,
  type Receipt,
  verifyRegistrySignature,
  writeRegistryText,
} from '@coinfront/protocol/registry/receipt.ts';
import { verifyInclusion } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { findNodeBinary } from '../../scripts/node-process.ts';
import { verifyRegistry } from '../../service/src/parts/registry/audit/verify-registry.ts';
import type { RegistryTables } from '../../service/src/parts/registry/schema/registry-tables.ts';
import { findServicePublicKey } from '../../service/src/signing/service-key.ts';
import { findMismatches } from '../../service/src/testing/document-schemas.ts';
import { type DatabaseLocation, openEngines } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';
import {
  askClaim,
  createOwner,
  getNode,
  handIn,
  type NodeOwner,
  register,
} from '../harness/registry-desk.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Slots of a second: a node is judged in each. */
const settings = {
  COINFRONT_PUBLIC_URL: 'https://nodes.example',
  COINFRONT_REGISTRY_SLOT: '1',
  COINFRONT_REGISTRY_EPOCH_BLOCKS: '25',
  COINFRONT_REGISTRY_PORTS: 'any',
  COINFRONT_REGISTRY_ALLOW: 'loopback',
  COINFRONT_REGISTRY_REWARD: '10',
};
const SLOT_MS = 1_000;
const WAIT_MS = 60_000;
const TEST_MS = 90_000;

type Described = {
  responses: Record<string, { content: Record<string, { schema: Record<string, unknown> }> }>;
};

/** A registry on one of the engines. All of them look at the same node, and see the same happen. */
type Desk = {
  kind: string;
  database: DatabaseLocation;
  service: TestService;
  owner: NodeOwner;
  keyFile: string;
};

const engines = openEngines();
let desks: Desk[] = [];
let folder = '';
let own: TestNode;
let probed: TestNode;
let endpoint = '';

const listening = () => ['-listen=1', `-bind=${endpoint}`, '-listenonion=0'];
const each = <T>(run: (desk: Desk) => Promise<T>): Promise<T[]> => Promise.all(desks.map(run));

beforeAll(async () => {
  const port = await findFreePort();
  endpoint = `127.0.0.1:${port}`;
  folder = await mkdtemp(join(tmpdir(), 'coinfront-registry-'));
  [own, probed] = await Promise.all([startNode(), startNode({ extraArgs: listening() })]);
  await own.mine(30);
  await connectNodes();
  desks = await Promise.all(
    engines.map(async (engine): Promise<Desk> => {
      const database = await engine.openUrl();
      const keyFile = join(folder, `${engine.kind}.key`);
      const env = { ...settings, COINFRONT_REGISTRY_KEY_FILE: keyFile };
      const service = await startService({ nodeUrl: own.url, database, settings: env });
      return { kind: engine.kind, database, service, keyFile, owner: createOwner(`first ${engine.kind}`) };
    }),
  );
  await each(({ service }) =>
    waitUntil('the registry is open', async () => {
      const { json } = await service.get('/api/nodeproof/status');
      return json.is_open && json.prober.own_node === 'ready';
    }),
  );
}, TEST_MS);
afterAll(async () => {
  await each(({ service }) => service.stop());
  await Promise.all([own?.stop(), probed?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** Connects the nodes until both have the same chain. */
async function connectNodes(): Promise<void> {
  await waitUntil(
    'both nodes have one chain',
    async () => {
      if ((await own.rpc<number>('getconnectioncount')) === 0) await own.rpc('addnode', endpoint, 'onetry');
      const [a, b] = await Promise.all([own.rpc('getbestblockhash'), probed.rpc('getbestblockhash')]);
      return a === b;
    },
    WAIT_MS,
  );
}

/** Renews the registrations: a node that failed is not waited for by the back-off then. */
async function renew(): Promise<void> {
  for (const { status, text } of await each(({ service, owner }) => register(service, owner, endpoint)))
    expect(status, text).toBe(200);
}

/** Waits until the last verdict of each registry is this, for this reason, and was given after now. */
async function waitForVerdict(verdict: string, reasons: readonly (string | null)[]) {
  return await each(async ({ service, owner }) => {
    const before = (await service.get('/api/nodeproof/status')).json.last_receipt?.sequence ?? -1;
    let node = await getNode(service, owner);
    await waitUntil(
      `the verdict is ${verdict}`,
      async () => {
        node = await getNode(service, owner);
        const { last_verdict: last } = node;
        return last?.verdict === verdict && reasons.includes(last.reason) && last.sequence > before;
      },
      WAIT_MS,
    );
    return node;
  });
}

test('a node is registered by two signatures, which are good once', async () => {
  const stranger = createOwner('stranger');
  await each(async ({ service, owner }) => {
    const asked = (await askClaim(service, owner, endpoint)).json;
    expect(asked).toMatchObject({ state: 'pending', endpoint, node_key: owner.nodeKey });
    expect((await getNode(service, owner)).code).toBe('node_not_found');
    const verify = (id: string, signatures: object) =>
      service.post('/api/nodeproof/claim/verify', { claim_id: id, ...signatures });

    const signed = owner.sign(asked.message);
    const wrong = stranger.sign(asked.message);
    for (const signatures of [
      { ...signed, node_signature: wrong.node_signature },
      { ...signed, address_signature: wrong.address_signature },
      owner.sign(`${asked.message} `),
    ]) {
      const { status, json } = await verify(asked.id, signatures);
      expect([status, json.code]).toEqual([422, 'signature_invalid']);
    }
    const [first, second] = await Promise.all([verify(asked.id, signed), verify(asked.id, signed)]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const taken = first.status === 200 ? first : second;
    expect(taken.json.node).toMatchObject({
      state: 'active',
      endpoint,
      last_verdict: null,
      first_seen: null,
    });
    expect((await verify(asked.id, signed)).json.code).toBe('claim_used');
    const next = (await askClaim(service, owner, endpoint)).json;
    expect((await verify(next.id, signed)).json.code).toBe('signature_invalid');
    expect(service.printed()).not.toContain(signed.node_signature.slice(0, 40));
    expect(service.printed()).not.toContain(signed.address_signature.slice(10, 50));
  });
});

test('it passes while it has the chain', async () => {
  for (const node of await waitForVerdict('pass', [null])) {
    expect(node).toMatchObject({ height_lag: 0, endpoint_proven: false, state: 'active' });
    expect(node.user_agent).toMatch(/^\/\w+:/);
    expect(node.total.passed).toBeGreaterThan(0);
  }
  await each(async ({ service, owner }) => {
    const { sequence } = (await getNode(service, owner)).last_verdict;
    const { receipt, hash, signature } = (await service.get(`/api/nodeproof/receipts/${sequence}`)).json;
    expect(await own.rpc('getblockhash', receipt.observed.block_height)).toBe(receipt.observed.block_hash);
    expect(hashRegistryText(writeRegistryText(receipt))).toBe(hash);
    expect(verifyRegistrySignature(receipt, signature)).toBe(true);
    expect(verifyRegistrySignature({ ...receipt, verdict: 'fail' }, signature)).toBe(false);
  });
});

test('it fails when it is stopped', async () => {
  await probed.pause();
  const nodes = await waitForVerdict('fail', ['unreachable']);
  for (const [i, { last_verdict }] of nodes.entries()) {
    const { json } = await desks[i]!.service.get(`/api/nodeproof/receipts/${last_verdict.sequence}`);
    const results = (json.receipt as Receipt).attempts.map(({ result }) => result);
    expect(results).toEqual(['fail', 'fail']);
  }
});

test(
  'it fails when it is 10 blocks behind, and passes when it has caught up',
  async () => {
    await own.mine(10);
    await each(({ service }) => service.waitForTip());
    await probed.start();
    await renew();
    for (const node of await waitForVerdict('fail', ['lagging'])) expect(node.height_lag).toBe(10);
    await connectNodes();
    await renew();
    for (const node of await waitForVerdict('pass', [null])) expect(node.height_lag).toBe(0);
  },
  TEST_MS,
);

test(
  'it fails when another chain is at its endpoint, unless that one has more work than ours',
  async () => {
    await probed.pause();
    const stopOther = await startOtherNetwork();
    await renew();
    await waitForVerdict('fail', ['wrong_magic', 'closed']);
    await stopOther();
    const branch = await startNode({ extraArgs: listening() });
    await branch.mine(20);
    await renew();
    await waitForVerdict('fail', ['wrong_chain']);
    // Ours may be the stale one, as far as anybody can tell by the work.
    const ours = await own.rpc<number>('getblockcount');
    await branch.mine(ours + 1 - 20);
    await renew();
    await waitForVerdict('void', ['registry_outworked']);
    await branch.stop();
    await probed.start();
    await connectNodes();
    await renew();
    await waitForVerdict('pass', [null]);
  },
  TEST_MS,
);

test(
  'it is judged by nobody while our own node is down',
  async () => {
    await own.pause();
    await waitForVerdict('void', ['own_node_unavailable']);
    const failed = await each(async ({ service, owner }) => {
      await waitUntil('the registry says so', async () => {
        const { prober } = (await service.get('/api/nodeproof/status')).json;
        return prober.state === 'running' && prober.own_node === 'unavailable';
      });
      return (await getNode(service, owner)).total.failed;
    });
    await own.start();
    await connectNodes();
    const after = await waitForVerdict('pass', [null]);
    expect(after.map(({ total }) => total.failed)).toEqual(failed);
  },
  TEST_MS,
);

test(
  'it is judged by nobody while the service does not run',
  async () => {
    const before = await each(({ service, owner }) => getNode(service, owner));
    // On PostgreSQL a lease outlives its holder for some seconds, unless that lets it go.
    await each<unknown>(({ service, kind }) => (kind === 'sqlite' ? service.kill() : service.stop()));
    const endedMs = Date.now();
    await waitUntil('slots have passed', () => Date.now() > endedMs + 3 * SLOT_MS);
    await each(({ service }) => service.start());
    const after = await waitForVerdict('pass', [null]);
    for (const [i, node] of after.entries()) {
      expect(node.total.failed).toBe(before[i].total.failed);
      expect(node.total.void).toBeGreaterThanOrEqual(before[i].total.void + 2);
    }
    await each(async ({ service }) => {
      const { json } = await service.get('/api/nodeproof/receipts?limit=100');
      const outage = json.items.find(({ receipt }: { receipt: Receipt }) => receipt.kind === 'outage');
      expect(outage.receipt).toMatchObject({ node_key: null, verdict: 'void', reason: 'registry_down' });
    });
  },
  TEST_MS,
);

test('its uptime is told for each of 90 days, and days on which nobody looked are unknown', async () => {
  await each(async ({ service, owner }) => {
    const path = `/api/nodeproof/nodes/${owner.nodeKey}/uptime`;
    type Day = { day: string; passed: number; failed: number; uptime_ppm: number | null };
    const readDays = async () => (await service.get(path)).json.days as Day[];
    const sum = (days: Day[], field: 'passed' | 'failed') => days.reduce((all, each) => all + each[field], 0);
    // A slot may end between the two answers.
    await waitUntil('the days have every slot that was judged', async () => {
      const [days, { total }] = [await readDays(), await getNode(service, owner)];
      return sum(days, 'passed') === total.passed && sum(days, 'failed') === total.failed;
    });
    const days = await readDays();
    expect(days).toHaveLength(90);
    const at = days.map(({ day }) => Date.parse(day));
    expect(at.every((time, i) => i === 0 || time - at[i - 1]! === 86_400_000)).toBe(true);
    expect(Math.abs(Date.now() - at.at(-1)!)).toBeLessThan(2 * 86_400_000);
    // The test may have gone on past midnight.
    const seen = days.filter(({ uptime_ppm }) => uptime_ppm !== null);
    expect(days.slice(-seen.length)).toEqual(seen);
    expect([1, 2]).toContain(seen.length);
    expect(sum(seen, 'failed')).toBeGreaterThan(0);
    for (const { passed, failed, uptime_ppm } of seen)
      expect(uptime_ppm).toBe(Math.floor((passed * 1_000_000) / (passed + failed)));
    for (const each of days.slice(0, -seen.length))
      expect(each).toMatchObject({ passed: 0, failed: 0, uptime_ppm: null });

    const upper = await service.get(path.replace(owner.nodeKey, owner.nodeKey.toUpperCase()));
    expect([upper.status, upper.json.node_key]).toEqual([200, owner.nodeKey]);
    const stranger = await service.get(path.replace(owner.nodeKey, createOwner('nobody').nodeKey));
    expect([stranger.status, stranger.json.code]).toEqual([404, 'node_not_found']);
    const malformed = await service.get('/api/nodeproof/nodes/ff/uptime');
    expect([malformed.status, malformed.json.code]).toEqual([400, 'invalid_parameter']);
  });
});

test(
  'who shows the token of a claim gets the endpoint from who cannot',
  async () => {
    const claims = await each(async ({ service, kind }) => {
      const owner = createOwner(`real ${kind}`);
      const claim = (await askClaim(service, owner, endpoint)).json;
      const signed = await handIn(service, owner, claim);
      expect([signed.status, signed.json.claim.state, signed.json.node]).toEqual([
        202,
        'awaiting_endpoint',
        null,
      ]);
      return { owner, token: claim.endpoint_token as string };
    });
    await probed.stop();
    const comments = claims.map(({ token }) => `-uacomment=${token}`);
    probed = await startNode({ extraArgs: [...listening(), ...comments] });
    await connectNodes();
    const former = desks;
    desks = desks.map((desk, i) => ({ ...desk, owner: claims[i]!.owner }));
    await each(({ service, owner }) =>
      waitUntil(
        'the endpoint has changed hands',
        async () => (await getNode(service, owner)).state === 'active',
        WAIT_MS,
      ),
    );
    for (const { service, owner } of former) expect((await getNode(service, owner)).state).toBe('displaced');
    for (const node of await waitForVerdict('pass', [null])) expect(node.endpoint_proven).toBe(true);
  },
  TEST_MS,
);

test(
  'receipts are proven to be in their epoch, and rewards are split by it',
  async () => {
    await own.mine(25);
    await connectNodes();
    await each(async ({ service }) => {
      type Epoch = { epoch: number; state: string; receipts: number };
      let closed: Epoch | undefined;
      await waitUntil(
        'an epoch is closed',
        async () => {
          const { json } = await service.get('/api/nodeproof/epochs');
          closed = json.items.find(({ state }: Epoch) => state === 'closed');
          return closed !== undefined;
        },
        WAIT_MS,
      );
      const { json: list } = await service.get('/api/nodeproof/epochs');
      const { summary, signature } = list.items.find(({ state }: Epoch) => state === 'closed');
      expect(verifyRegistrySignature(summary, signature)).toBe(true);
      for (const sequence of [summary.first_sequence, summary.last_sequence]) {
        const { json } = await service.get(`/api/nodeproof/receipts/${sequence}/proof`);
        const proof = {
          leafHash: leafOfReceipt(json.hash),
          index: json.index,
          size: json.size,
          path: json.path.map(getHexBytes),
          root: getHexBytes(summary.merkle_root),
        };
        expect(verifyInclusion(proof)).toBe(true);
        expect(verifyInclusion({ ...proof, leafHash: leafOfReceipt('0'.repeat(64)) })).toBe(false);
      }
      const open = await service.get('/api/nodeproof/rewards/preview');
      expect(open.json).toMatchObject({ is_final: false, non_consensus: true, pool: '10.00000000' });
      const last = (await service.get('/api/nodeproof/status')).json.last_receipt.sequence;
      const unproven = await service.get(`/api/nodeproof/receipts/${last}/proof`);
      expect([unproven.status, unproven.json.code]).toEqual([409, 'epoch_open']);
      const final = await service.get(`/api/nodeproof/rewards/preview?epoch=${summary.epoch}`);
      expect(final.json).toMatchObject({ is_final: true, pool: '10.00000000' });
      expect(final.json.last_sequence).toBe(summary.last_sequence);
    });
  },
  TEST_MS,
);

test('every answer fits its documented schema', async () => {
  await each(async ({ service, owner }) => {
    const document = (await service.get('/api/nodeproof/openapi.json')).json;
    const { json: receipts } = await service.get('/api/nodeproof/receipts?limit=100');
    const { json: epochs } = await service.get('/api/nodeproof/epochs');
    const values: Record<string, string[]> = {
      node_key: [owner.nodeKey],
      sequence: receipts.items.map(({ receipt }: { receipt: Receipt }) => String(receipt.sequence)),
      id: [(await askClaim(service, owner, endpoint)).json.id],
      // Nobody else is asked here; services read one another's statements by the schema (vantages.test.ts).
      hash: [],
      epoch: epochs.items.flatMap(({ epoch, state }: { epoch: number; state: string }) =>
        state === 'closed' ? [String(epoch)] : [],
      ),
    };
    const queries: Record<string, string> = { '/log/consistency': '?from=0&to=1' };
    const problems: string[] = [];
    for (const [path, { get }] of Object.entries<{ get?: Described }>(document.paths)) {
      const name = /\{(\w+)\}/.exec(path)?.[1];
      for (const value of name === undefined ? [''] : values[name]!) {
        const answer = await service.get(
          `/api/nodeproof${path.replace(/\{\w+\}/, value)}${queries[path] ?? ''}`,
        );
        if (get === undefined || answer.json?.code === 'epoch_open') continue;
        const schema = get.responses['200']!.content['application/json']?.schema;
        if (answer.status !== 200) problems.push(`${path}: ${answer.text}`);
        else if (schema !== undefined)
          problems.push(...findMismatches(schema, document, answer.json).map((each) => `${path}: ${each}`));
      }
    }
    expect(problems).toEqual([]);
  });
});

test(
  'whatever is changed in the log is found',
  async () => {
    await each(async ({ service, database, keyFile }) => {
      const shown = (await service.get('/api/nodeproof/status')).json.last_receipt.hash;
      await service.stop();
      expect(service.printed()).not.toContain('Warning');
      const verify = (...args: string[]) =>
        runAdmin(database, ['registry', 'verify', '--json', ...args], {
          COINFRONT_REGISTRY_KEY_FILE: keyFile,
        });
      const precious = await openBeside(database);
      const db = precious.query<RegistryTables>();
      const rows = await db.selectFrom('registry_receipt').selectAll().orderBy('sequence').execute();
      // A slot may have ended since.
      expect(rows.map(({ hash }) => hash)).toContain(shown);
      const head = rows.at(-1)!.hash;
      const sound = await verify('--head', head);
      expect([sound.code, sound.stderr, JSON.parse(sound.stdout).faults]).toEqual([0, '', []]);
      await expect(db.updateTable('registry_receipt').set({ epoch: 0 }).execute()).rejects.toThrow(
        'append-only',
      );
      await expect(db.deleteFrom('registry_epoch').execute()).rejects.toThrow('append-only');
      // Who owns the database can do more than the service.
      for (const text of precious.engine === 'sqlite' ? dropSqlite : dropPostgres)
        await sql.raw(text).execute(db);
      const victim = rows.find(({ document }) => document.includes('"verdict":"fail"'))!;
      const forged = victim.document.replace('"verdict":"fail"', '"verdict":"pass"');
      const write = (document: string) =>
        db
          .updateTable('registry_receipt')
          .set({ document })
          .where('sequence', '=', victim.sequence)
          .execute();
      await write(forged);
      const found = await verify();
      expect(found.code).toBe(1);
      expect(JSON.parse(found.stdout).faults).toEqual(
        expect.arrayContaining([
          `receipt ${victim.sequence}: its text has another hash`,
          `receipt ${victim.sequence}: its signature is wrong`,
        ]),
      );
      await write(victim.document);
      await db.deleteFrom('registry_receipt').where('sequence', '=', rows.at(-1)!.sequence).execute();
      const cut = await verifyRegistry({
        precious,
        genesisHash: undefined,
        registryKey: findServicePublicKey(keyFile),
        head,
      });
      expect(cut.faults.join()).toContain(`no receipt has the hash ${head}`);
      await precious.close();
    });
  },
  TEST_MS,
);

const dropSqlite = ['update', 'delete'].map((verb) => `drop trigger registry_receipt_no_${verb}`);
const dropPostgres = ['drop trigger registry_receipt_append_only on registry_receipt'];

/** A node of another network at the endpoint. */
async function startOtherNetwork(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-other-'));
  const rpcPort = await findFreePort();
  const child: ChildProcess = spawn(
    findNodeBinary(),
    [
      '-testnet',
      `-datadir=${dataDir}`,
      ...listening(),
      `-rpcport=${rpcPort}`,
      '-rpcuser=u',
      '-rpcpassword=p',
      '-dnsseed=0',
      '-connect=0',
      '-printtoconsole=1',
      '-dbcache=50',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
  });
  await waitUntil('the other node has started', () => printed.includes('Done loading'), WAIT_MS);
  return async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
}
