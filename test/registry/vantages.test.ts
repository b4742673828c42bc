import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import type { Receipt } from '@coinfront/protocol/registry/receipt.ts';
import { findVotesFault } from '@coinfront/protocol/registry/verify-votes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { openServiceKey, type ServiceSigner } from '../../service/src/signing/service-key.ts';
import { openEngines } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import { askClaim, createOwner, handIn } from '../harness/registry-desk.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type LyingVantage, lookOf, startLyingVantage, stateLooks } from './lying-vantage.ts';

const SLOT_MS = 10_000;
const WAIT_MS = 180_000;
const TEST_MS = 400_000;
const settings = {
  COINFRONT_PUBLIC_URL: 'https://nodes.example',
  COINFRONT_REGISTRY_SLOT: String(SLOT_MS / 1_000),
  COINFRONT_REGISTRY_EPOCH_BLOCKS: '25',
  COINFRONT_REGISTRY_PORTS: 'any',
  COINFRONT_REGISTRY_ALLOW: 'loopback',
};

/** A service that is a vantage point, with its own coin node. The first has the node that is judged. */
type Desk = {
  signer: ServiceSigner;
  keyFile: string;
  port: number;
  service: TestService;
  database: Database;
};
type Database = Awaited<ReturnType<ReturnType<typeof openEngines>[number]['openUrl']>>;

const [sqlite, postgres] = openEngines() as [
  ReturnType<typeof openEngines>[number],
  ReturnType<typeof openEngines>[number],
];
const owner = createOwner('of several vantage points');
let folder = '';
let nodes: TestNode[] = [];
let probed: TestNode;
let endpoint = '';
let token = '';
let desks: Desk[] = [];
let liar: LyingVantage;
let liarSigner: ServiceSigner;
let network = '';

const listening = () => [`-uacomment=${token}`, '-listen=1', `-bind=${endpoint}`, '-listenonion=0'];
const first = () => desks[0]!;
const get = (path: string) => first().service.get(`/api/nodeproof${path}`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-vantages-'));
  endpoint = `127.0.0.1:${await findFreePort()}`;
  nodes = await Promise.all([startNode(), startNode()]);
  await nodes[0]!.mine(30);
  network = await nodes[0]!.rpc<string>('getblockhash', 0);
  liarSigner = openServiceKey(join(folder, 'liar.key'));
  liar = await startLyingVantage(liarSigner);
  const seats = await Promise.all(
    [sqlite, sqlite, postgres].map(async (engine, i) => {
      const keyFile = join(folder, `${i}.key`);
      const [port, database] = [await findFreePort(), await engine.openUrl()];
      return { keyFile, port, database, signer: openServiceKey(keyFile) };
    }),
  );
  const listed = [
    ...seats.map(({ signer, port }) => ({ key: signer.publicKey, url: `http://127.0.0.1:${port}` })),
    { key: liar.key, url: liar.url },
  ];
  desks = await Promise.all(
    seats.map(async (seat, i): Promise<Desk> => {
      const peers = listed.filter(({ key }) => key !== seat.signer.publicKey);
      const service = await startService({
        // The first has a coin node for itself.
        ...{
          nodeUrl: nodes[i === 0 ? 0 : 1]!.url,
          database: seat.database,
          port: seat.port,
          waitFor: 'answer',
        },
        settings: {
          ...settings,
          COINFRONT_REGISTRY_KEY_FILE: seat.keyFile,
          COINFRONT_VANTAGE_PEERS: peers.map(({ key, url }) => `${key}=${url}`).join(),
        },
      });
      return { ...seat, service };
    }),
  );
  await waitUntil('the registry is open', async () => (await get('/status')).json.is_open, WAIT_MS);
  const claim = (await askClaim(first().service, owner, endpoint)).json;
  token = claim.endpoint_token;
  probed = await startNode({ extraArgs: listening() });
  await connectAll();
  const { status, text } = await handIn(first().service, owner, claim);
  expect(status, text).toBe(200);
}, TEST_MS);
afterAll(async () => {
  await Promise.all(desks.map(({ service }) => service.stop()));
  liar?.close();
  await Promise.all([...nodes, probed].map((node) => node?.stop()));
  await rm(folder, { recursive: true, force: true });
});

/**
 * All coin nodes are connected to the one that is judged, until they have one chain. One after the other: a new node asks one peer for the
 * chain, and for many minutes no other, also where that one has nothing.
 */
async function connectAll(): Promise<void> {
  for (const node of nodes) {
    await waitUntil(
      'a node and the one that is judged have one chain',
      async () => {
        if ((await node.rpc<number>('getconnectioncount')) === 0)
          await node.rpc('addnode', endpoint, 'onetry').catch(() => {});
        const [tip, probedTip] = await Promise.all(
          [node, probed].map((each) => each.rpc('getbestblockhash')),
        );
        return tip === probedTip;
      },
      WAIT_MS,
    );
  }
}

/** The liar states this of the node for all slots of these minutes, to whoever asks. */
function lie(result: 'pass' | 'fail', change: object = {}): SignedLooks[] {
  const now = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
  return Array.from({ length: 40 }, (_, i) => now + (i - 2) * SLOT_MS).map((startMs) =>
    stateLooks(liarSigner, { startMs, endMs: startMs + SLOT_MS }, [lookOf(endpoint, result)], {
      network,
      ...change,
    }),
  );
}

/** Shows of each slot what is said of it, once the slot is over: nobody asks for more entries than a few. */
function show(...said: SignedLooks[][]): void {
  liar.statements = [];
  liar.answer = () => {
    const since = Date.now() - 2 * SLOT_MS;
    liar.statements = said.flat().filter(({ statement: { slot } }) => {
      const endMs = Date.parse(slot.to);
      return endMs <= Date.now() && endMs > since;
    });
    return false;
  };
}

/** A receipt of a slot from now on in which the node was looked at, and that fits; and it has to follow from its statements. */
async function waitForReceipt(what: string, fits: (receipt: Receipt) => boolean): Promise<Receipt> {
  const before = (await get('/status')).json.last_receipt?.sequence ?? -1;
  let found: Receipt | undefined;
  await waitUntil(
    what,
    async () => {
      const { json } = await get(`/receipts?node_key=${owner.nodeKey}&limit=5`);
      found = json.items
        .map(({ receipt }: { receipt: Receipt }) => receipt)
        .find(
          (receipt: Receipt) => receipt.sequence > before && receipt.votes !== undefined && fits(receipt),
        );
      return found !== undefined;
    },
    WAIT_MS,
  );
  expect(await findFault(found!)).toBeUndefined();
  return found!;
}

async function findFault(receipt: Receipt): Promise<string | undefined> {
  const hashes = (receipt.votes ?? []).flatMap(({ statements }) => statements);
  const statements = await Promise.all(hashes.map(async (hash) => (await get(`/looks/${hash}`)).json));
  return findVotesFault(receipt, (hash) => statements.find((each) => each.hash === hash));
}

const voteOf = ({ votes }: Receipt, key: string) => votes!.find(({ vantage }) => vantage === key)!;
const resultsOf = (receipt: Receipt) =>
  [...desks.map(({ signer }) => signer.publicKey), liar.key].map((key) => voteOf(receipt, key).result);

test(
  'all vantage points see the node, and say so, each by its own key; who is down is missing',
  async () => {
    const receipt = await waitForReceipt('three see it', (each) =>
      desks.every(({ signer }) => voteOf(each, signer.publicKey).result === 'pass'),
    );
    expect(receipt).toMatchObject({ version: 2, verdict: 'pass', observed: { endpoint_proven: true } });
    expect(receipt.votes!.filter(({ proven }) => proven)).toHaveLength(3);
    expect(voteOf(receipt, liar.key)).toEqual({
      ...{ vantage: liar.key, statements: [], result: 'void', reason: 'vantage_missing', proven: false },
    });
    const { vantages } = (await get('/status')).json;
    expect(vantages.map(({ vantage }: { vantage: string }) => vantage)).toHaveLength(3);
    expect(vantages.find(({ vantage }: { vantage: string }) => vantage === liar.key).last_slot).toBeNull();
  },
  TEST_MS,
);

test(
  'one that lies is outvoted',
  async () => {
    show(lie('fail'));
    const receipt = await waitForReceipt(
      'the liar has said that it is not there',
      (each) => resultsOf(each).join() === 'pass,pass,pass,fail',
    );
    expect(receipt).toMatchObject({ verdict: 'pass', reason: null });
  },
  TEST_MS,
);

test(
  'one that says two things does not vote, is told of, and both are kept',
  async () => {
    show(lie('fail'), lie('pass'));
    const receipt = await waitForReceipt(
      'the liar is found out',
      (each) => voteOf(each, liar.key).reason === 'vantage_equivocal',
    );
    const { statements } = voteOf(receipt, liar.key);
    expect(statements).toHaveLength(2);
    const { items } = (await get('/looks?limit=100')).json;
    const listed = items.filter(({ hash }: { hash: string }) => statements.includes(hash));
    expect(listed.map(({ is_second }: { is_second: boolean }) => is_second).sort()).toEqual([false, true]);
    expect(first().service.printed()).toContain(`The vantage point ${liar.key} has signed two statements`);
    const metrics = await (await fetch(`${first().service.metricsOrigin}/metrics`)).text();
    expect(metrics).toMatch(/coinfront_vantage_equivocations [1-9]/);
    expect(metrics).toMatch(/coinfront_vantage_statements [1-4]/);
  },
  TEST_MS,
);

test(
  'the others judge while the own coin node is down',
  async () => {
    show(lie('pass'));
    await nodes[0]!.pause();
    const receipt = await waitForReceipt(
      'the own look is void, and the verdict is not',
      // Where the first look was late, the slot has no time for a second one.
      (each) => resultsOf(each).join() === 'void,pass,pass,pass' && each.attempts.length === 2,
    );
    await nodes[0]!.start();
    await connectAll();
    expect(receipt).toMatchObject({ verdict: 'pass', attempts: [{ result: 'void' }, { result: 'void' }] });
  },
  TEST_MS,
);

test(
  'a node that is gone fails for most, whatever one says',
  async () => {
    show(lie('pass'));
    await probed.pause();
    const receipt = await waitForReceipt(
      'most have seen that it is gone',
      (each) => resultsOf(each).join() === 'fail,fail,fail,pass',
    );
    expect(receipt).toMatchObject({ verdict: 'fail', reason: 'unreachable' });
  },
  TEST_MS,
);

test(
  'with two of four down the own look decides',
  async () => {
    await probed.start();
    show(lie('fail'));
    await Promise.all(desks.slice(1).map(({ service }) => service.stop()));
    await connectAll();
    const receipt = await waitForReceipt(
      'two are missing',
      (each) => resultsOf(each).join() === 'pass,void,void,fail',
    );
    expect(receipt).toMatchObject({ verdict: 'pass', reason: null });
  },
  TEST_MS,
);

test(
  'the log holds what it was judged by, and the operator can verify it',
  async () => {
    await nodes[0]!.mine(25);
    await first().service.waitForTip();
    await waitUntil(
      'the epoch is closed',
      async () =>
        (await get('/epochs?limit=100')).json.items.some(
          ({ state }: { state: string }) => state === 'closed',
        ),
      WAIT_MS,
    );
    const { items } = (await get('/epochs?limit=100')).json;
    const { summary } = items.find(({ state }: { state: string }) => state === 'closed');
    expect(summary).toMatchObject({ version: 4, rules: 4 });
    expect(summary.vantages).toEqual(
      [liar.key, ...desks.slice(1).map(({ signer }) => signer.publicKey)].sort(),
    );
    const { database, keyFile } = first();
    const verified = await runAdmin(database, ['registry', 'verify'], {
      COINFRONT_REGISTRY_KEY_FILE: keyFile,
    });
    expect(verified).toMatchObject({ code: 0 });
  },
  TEST_MS,
);
