import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { type SocksServer, startSocksServer } from '../../service/src/testing/socks-server.ts';
import { openEngines } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import { askClaim, createOwner, getNode, handIn, register } from '../harness/registry-desk.ts';
import { startService, type TestService } from '../harness/service.ts';

const TEST_MS = 120_000;
const WAIT_MS = 60_000;
const onion = 'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion';
const onionEndpoint = `${onion}:29666`;

type Desk = { kind: string; service: TestService; database: Parameters<typeof runAdmin>[0] };

let own: TestNode;
let probed: TestNode;
let proxy: SocksServer;
let desks: Desk[] = [];
let port = 0;

beforeAll(async () => {
  port = await findFreePort();
  const listening = ['-listen=1', `-bind=127.0.0.1:${port}`, '-listenonion=0'];
  [own, probed] = await Promise.all([startNode(), startNode({ extraArgs: listening })]);
  await own.mine(30);
  proxy = await startSocksServer({ routes: new Map([[onionEndpoint, port]]) });
  desks = await Promise.all(
    openEngines().map(async (engine) => {
      const database = await engine.openUrl();
      const service = await startService({
        nodeUrl: own.url,
        database,
        settings: {
          COINFRONT_PUBLIC_URL: 'https://nodes.example',
          COINFRONT_REGISTRY_SLOT: '1',
          COINFRONT_REGISTRY_PORTS: 'any',
          COINFRONT_REGISTRY_ALLOW: 'loopback',
          COINFRONT_REGISTRY_SOCKS: `127.0.0.1:${proxy.port}`,
        },
      });
      return { kind: engine.kind, service, database };
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
  await Promise.all([own?.stop(), probed?.stop(), proxy?.close()]);
});

const each = <T>(run: (desk: Desk) => Promise<T>): Promise<T[]> => Promise.all(desks.map(run));
const ownerOf = (name: string, { kind }: Desk) => createOwner(`${name} ${kind}`);

test(
  'nodes are registered by a host name and by an onion address; two names of one address are one endpoint',
  async () => {
    const tokens = await each(async (desk) => {
      const { service } = desk;
      const { json: status } = await service.get('/api/nodeproof/status');
      expect(status.rules.endpoints).toEqual(['address', 'host_name', 'onion']);
      expect(status.rules.network_weight.onion).toBe('one_network');
      const first = await register(service, ownerOf('first', desk), `A.localhost:${port}`);
      expect([first.status, first.json.node]).toMatchObject([
        200,
        { endpoint: `a.localhost:${port}`, reached: `127.0.0.1:${port}`, network: '127.0.0.0/24' },
      ]);
      const tor = (await askClaim(service, ownerOf('tor', desk), onionEndpoint.toUpperCase())).json;
      const registered = await handIn(service, ownerOf('tor', desk), tor);
      expect([registered.status, registered.json.node]).toMatchObject([
        200,
        { endpoint: onionEndpoint, reached: null, network: 'onion' },
      ]);
      const second = (await askClaim(service, ownerOf('second', desk), `b.localhost:${port}`)).json;
      expect((await handIn(service, ownerOf('second', desk), second)).status).toBe(202);
      expect((await register(service, ownerOf('third', desk), `127.0.0.1:${port}`)).status).toBe(202);
      const wrong = await askClaim(service, ownerOf('first', desk), `q${onionEndpoint.slice(1)}`);
      expect([wrong.status, wrong.json.code]).toEqual([400, 'endpoint_invalid']);
      expect(wrong.json.detail).toMatch(/checksum/);
      return [tor.endpoint_token as string, second.endpoint_token as string];
    });
    await probed.stop();
    const comments = tokens.flat().map((token) => `-uacomment=${token}`);
    probed = await startNode({
      extraArgs: ['-listen=1', `-bind=127.0.0.1:${port}`, '-listenonion=0', ...comments],
    });
    await waitUntil(
      'both nodes have one chain',
      async () => {
        if ((await own.rpc<number>('getconnectioncount')) === 0)
          await own.rpc('addnode', `127.0.0.1:${port}`, 'onetry');
        return (await own.rpc('getbestblockhash')) === (await probed.rpc('getbestblockhash'));
      },
      WAIT_MS,
    );
    await each(async (desk) => {
      const { service } = desk;
      // What failed while the node was away is not waited for by the back-off.
      await register(service, ownerOf('tor', desk), onionEndpoint);
      await waitUntil(
        'the name that shows its token has the endpoint, and both are proven',
        async () => {
          const [second, tor] = await Promise.all([
            getNode(service, ownerOf('second', desk)),
            getNode(service, ownerOf('tor', desk)),
          ]);
          return second.endpoint_proven === true && tor.endpoint_proven === true;
        },
        WAIT_MS,
      );
      expect((await getNode(service, ownerOf('first', desk))).state).toBe('displaced');
      const { last_verdict } = await getNode(service, ownerOf('second', desk));
      const { json } = await service.get(`/api/nodeproof/receipts/${last_verdict.sequence}`);
      expect(json.receipt.endpoint).toBe(`127.0.0.1:${port}`);
    });
    expect(new Set(proxy.asked)).toEqual(new Set([onionEndpoint]));
  },
  TEST_MS,
);

test(
  'what is not there fails: the log of names and onion addresses is sound',
  async () => {
    await probed.pause();
    await each(async (desk) => {
      const { service } = desk;
      const verdicts = async () =>
        await Promise.all(
          ['second', 'tor'].map(async (name) => (await getNode(service, ownerOf(name, desk))).last_verdict),
        );
      await waitUntil(
        'both failed',
        async () =>
          (await verdicts()).every((last) => last.verdict === 'fail' && last.reason === 'unreachable'),
        WAIT_MS,
      );
      await service.stop();
      const verified = await runAdmin(desk.database, ['registry', 'verify', '--json']);
      expect(JSON.parse(verified.stdout).faults).toEqual([]);
    });
  },
  TEST_MS,
);
