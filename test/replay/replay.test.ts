import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { createRandom } from '../../scripts/traffic/random.ts';
import { openDatabase } from '../../service/src/db/open.ts';
import { sql } from '../../service/src/db/statement.ts';
import { type DatabaseLocation, openEngines } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createOwner, register } from '../harness/registry-desk.ts';
import { startService, type TestService } from '../harness/service.ts';
import { toServiceLocation } from '../harness/test-indexer.ts';
import { shortLivedJson, writeShortLivedProfile } from '../names/name-profile.ts';
import { type RandomChain, startRandomChain } from './random-chain.ts';
import { type Replay, type ReplayEnd, runReplay, startReplay } from './run-replay.ts';

const BLOCKS = 180;
const FORKS = 8;
const DEEPEST = 9;
const LONG_MS = 480_000;

/** A service on one of the engines; both follow the same node. */
type Desk = { kind: string; database: DatabaseLocation; service: TestService };

let node: TestNode;
let chain: RandomChain;
let desks: Desk[] = [];
let folder = '';
let coin = '';
const engines = openEngines();

const each = <T>(run: (desk: Desk) => Promise<T>): Promise<T[]> => Promise.all(desks.map(run));
const argsOf = ({ service }: Desk): string[] => ['--url', service.origin, '--coin', coin];
const countOf = (service: TestService, what: string) =>
  waitUntil(`there are ${what}`, async () => {
    const { json } = await service.get(`/api/nodeproof/${what}`);
    return json.items.some(({ state }: { state?: string }) => state !== 'open');
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-replay-'));
  coin = await writeShortLivedProfile(folder);
  const endpoint = `127.0.0.1:${await findFreePort()}`;
  node = await startNode({ extraArgs: ['-listen=1', `-bind=${endpoint}`, '-listenonion=0'] });
  chain = await startRandomChain(node, 25);
  const settings = {
    COINFRONT_COIN: coin,
    COINFRONT_PUBLIC_URL: 'https://nodes.example',
    COINFRONT_REGISTRY_SLOT: '1',
    COINFRONT_REGISTRY_EPOCH_BLOCKS: '5',
    COINFRONT_REGISTRY_PORTS: 'any',
    COINFRONT_REGISTRY_ALLOW: 'loopback',
  };
  desks = await Promise.all(
    engines.map(async (engine): Promise<Desk> => {
      const database = await engine.openUrl();
      const service = await startService({ nodeUrl: node.url, database, settings });
      return { kind: engine.kind, database, service };
    }),
  );
  await each(async ({ service, kind }) => {
    await waitUntil('the registry is open', async () => {
      const { json } = await service.get('/api/nodeproof/status');
      return json.is_open && json.prober.own_node === 'ready';
    });
    expect((await register(service, createOwner(`replay ${kind}`), endpoint)).status).toBe(200);
    await countOf(service, 'receipts');
  });
  await chain.mine(BLOCKS);
  await each(({ service }) => service.waitForTip());
}, LONG_MS);
afterAll(async () => {
  await each(({ service }) => service.stop());
  await node?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** It came to the node's tip, and found no difference. */
async function expectAgreement({ code, lines, stderr }: ReplayEnd) {
  const last = lines.at(-1)!;
  expect([code, stderr, last.event]).toEqual([0, '', 'tip']);
  expect(last.hash).toBe(await node.rpc('getbestblockhash'));
  return last;
}

test('it agrees with the service at every height of a chain of operations of all kinds', {
  timeout: LONG_MS,
}, async () => {
  const tips = await each(async (desk) => {
    await countOf(desk.service, 'epochs');
    return await expectAgreement(await runReplay(...argsOf(desk)));
  });
  for (const tip of tips) {
    expect(tip.height).toBeGreaterThan(270 + BLOCKS);
    expect(Object.keys(tip.seen)).toEqual(
      expect.arrayContaining([
        ...['names 1', 'names 2', 'names 3', 'names 4', 'names coinbase', 'names commit_missing'],
        ...['names fee_too_low', 'names label_hyphens', 'names name_taken', 'names not_owner'],
        ...[
          'names 5',
          'names 6',
          'names name_expired',
          'names name_in_grace',
          'names sender_sighash',
          'proofs 1',
        ],
        ...['tokens 1', 'tokens 2', 'tokens 3', 'tokens 4', 'tokens balance_too_low', 'tokens not_issuer'],
        ...['tokens sender_unsupported', 'tokens several_payloads', 'tokens unknown_flags', 'tokens 7'],
      ]),
    );
    expect(tip.receipts).toBeGreaterThan(0);
    expect(tip.epochs).toBeGreaterThan(0);
    expect(tip.checkpoints).toBe(1);
    expect(tip.entries).toBeGreaterThan(10);
    expect(tip.seals).toBeGreaterThan(10);
  }
  expect(tips[0]!.chain_hashes).toEqual(tips[1]!.chain_hashes);
});

test('it agrees where names and tokens begin within the chain', { timeout: LONG_MS }, async () => {
  const later = join(folder, 'later.json');
  const names = {
    ...shortLivedJson.names,
    activation_height: 330,
    reverse_activation_height: 345,
    records_activation_height: 350,
  };
  const tokens = { ...shortLivedJson.tokens, activation_height: 360, sweep_activation_height: 380 };
  await writeFile(later, JSON.stringify({ ...shortLivedJson, names, tokens }));
  const service = await startService({
    nodeUrl: node.url,
    database: await engines[0]!.openUrl(),
    settings: { COINFRONT_COIN: later },
  });
  try {
    const tip = await expectAgreement(await runReplay('--url', service.origin, '--coin', later));
    expect(Object.keys(tip.seen)).toEqual(expect.arrayContaining(['names 1', 'tokens 1', 'tokens 3']));
    // Of the rules that the service names itself there is a profile, too, but it is another one.
    const { code, lines } = await runReplay('--url', service.origin);
    expect([code, lines.at(-1)]).toMatchObject([1, { height: 0, what: expect.stringContaining('rules_id') }]);
  } finally {
    await service.stop();
  }
});

test('it goes through reorganisations, and still agrees', { timeout: LONG_MS }, async () => {
  const random = createRandom(4);
  const replays = await each(async (desk) => startReplay(...argsOf(desk), '--watch', '--interval', '0.1'));
  const arrive = (hash: string) =>
    Promise.all(
      replays.map((replay: Replay) => replay.waitFor((line) => line.hash === hash && line.event === 'tip')),
    );
  await arrive(await node.rpc('getbestblockhash'));
  for (let i = 0; i < FORKS; i++) {
    await arrive(await chain.fork(random.integer(1, DEEPEST)));
    if (i % 3 === 2) await arrive(await chain.turnBack());
    await arrive(await chain.mine(2));
  }
  for (const replay of replays) {
    const last = await expectAgreement(await replay.stop());
    expect(last.reorgs).toBeGreaterThan(FORKS);
  }
  // Whoever never saw the branches that were left comes to the same.
  for (const [i, end] of (await each((desk) => runReplay(...argsOf(desk)))).entries()) {
    const { chain_hashes, reorgs } = await expectAgreement(end);
    expect(reorgs).toBe(0);
    expect(chain_hashes).toEqual((await replays[i]!.ended).lines.at(-1)!.chain_hashes);
  }
});

test('begun with the state of any block it comes to what it comes to from the first one', {
  timeout: LONG_MS,
}, async () => {
  const height = await node.rpc<number>('getblockcount');
  await each(async (desk) => {
    const whole = await expectAgreement(await runReplay(...argsOf(desk)));
    for (const start of [height - 170, height - 90, height - 20, height]) {
      const tip = await expectAgreement(await runReplay(...argsOf(desk), '--start', String(start)));
      expect(tip.chain_hashes).toEqual(whole.chain_hashes);
      expect(tip.entries).toBe(0);
      if (start === height - 170)
        expect(Object.keys(tip.seen)).toEqual(expect.arrayContaining(['tokens 7', 'names 5']));
    }
    const above = await runReplay(...argsOf(desk), '--start', String(height + 1));
    expect([above.code, above.stderr]).toEqual([2, expect.stringContaining('--start is above')]);
  });
});

test('begun with the state of a block that leaves the chain, it begins anew with that of the new block', {
  timeout: LONG_MS,
}, async () => {
  const start = String((await node.rpc<number>('getblockcount')) - 2);
  const replays = await each(async (desk) =>
    startReplay(...argsOf(desk), '--start', start, '--watch', '--interval', '0.1'),
  );
  for (const replay of replays) await replay.waitFor(({ event }) => event === 'tip');
  const hash = await chain.fork(DEEPEST);
  for (const replay of replays) {
    await replay.waitFor((line) => line.hash === hash && line.event === 'tip');
    await expectAgreement(await replay.stop());
  }
});

/** Changes the index of a service behind its back. */
async function bend({ database, service }: Desk, text: string): Promise<void> {
  await service.stop();
  const opened = await openDatabase(toServiceLocation(database));
  const writer = await opened.openWriter();
  await writer.run(sql(text));
  await writer.close();
  await opened.close();
  await service.start();
  await service.waitForTip();
}

test('it finds a row of a state that was changed: when it looks, and at the next block when it had looked before', {
  timeout: LONG_MS,
}, async () => {
  const height = await node.rpc<number>('getblockcount');
  const watching = desks.map((desk) => startReplay(...argsOf(desk), '--watch', '--interval', '0.1'));
  for (const replay of watching) await replay.waitFor(({ event }) => event === 'tip');
  await each(async (desk) => {
    const most = '(select max(amount) from token_balance)';
    await bend(desk, `update token_balance set amount = amount - 1 where amount = ${most}`);
    expectBentRow(await runReplay(...argsOf(desk)), height);
  });
  await node.mine(1);
  for (const { ended } of watching) expectBentRow(await ended, height + 1);
});

/** It tells of one balance, which is another one in the service. */
function expectBentRow({ code, lines }: ReplayEnd, height: number): void {
  const found = lines.at(-1)!;
  const what = expect.stringMatching(/^row \d+ of the state of tokens$/);
  expect([code, found]).toMatchObject([1, { event: 'difference', height, what }]);
  const [, key] = /^kind 2 key ([0-9a-f]{128}) value [0-9a-f]+$/.exec(found.ours)!;
  expect(found.theirs).toMatch(new RegExp(`^kind 2 key ${key} value [0-9a-f]+$`));
  expect(found.theirs).not.toBe(found.ours);
}

test('it finds a hash that was changed at its height, among all others that are right', {
  timeout: LONG_MS,
}, async () => {
  const height = (await node.rpc<number>('getblockcount')) - 40;
  await each(async (desk) => {
    await bend(desk, `update name_hash set chain = events where height = ${height}`);
    const { code, lines } = await runReplay(...argsOf(desk));
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({ event: 'difference', height, what: 'chain_hash of names' });
    // Who asks for what is above it is told nothing of it.
    const above = await runReplay(...argsOf(desk), '--from', String(height + 1), '--to', String(height + 2));
    expect(above).toMatchObject({ code: 0 });
  });
});
