import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../test/harness/engines.ts';
import { startPair, type TestNode, type TestPair } from '../../test/harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../../test/harness/merchant.ts';
import { startPostgres, type TestPostgres } from '../../test/harness/postgres.ts';
import { startReceiver } from '../../test/harness/receiver.ts';
import { startProxy, type TcpProxy } from '../../test/harness/tcp-proxy.ts';
import type { Abilities } from '../plan/faults.ts';
import { HORIZON_BLOCKS } from '../plan/make-step.ts';
import { type Client, createClient } from './client.ts';
import { type Clock, openClock } from './clock.ts';
import { type Disk, mountDisk } from './disk.ts';
import { createWebhookInbox, type WebhookInbox } from './inbox.ts';
import { createMutex, type Mutex } from './mutex.ts';
import { type SupervisedService, superviseService } from './supervised-service.ts';

/** All that runs in a campaign, each in processes of its own but for the proxies and the receiver of webhooks. */
export type Rig = {
  readonly abilities: Abilities;
  /** Holds everything of this campaign. */
  readonly folder: string;
  readonly pair: TestPair;
  /** The node that the service stands beside. */
  readonly node: TestNode;
  /** The other one: never killed, so that blocks are not lost with the first. */
  readonly peer: TestNode;
  /**
   * Whoever makes or takes blocks does it alone: two nodes that are apart with branches of the same length would not agree when they
   * meet.
   */
  readonly withChain: Mutex;
  readonly postgres: TestPostgres | undefined;
  /** The database without a proxy between. */
  readonly database: DatabaseLocation;
  readonly supervised: SupervisedService;
  readonly links: Readonly<Record<'node' | 'client' | 'receiver', TcpProxy>> & {
    readonly database: TcpProxy | undefined;
  };
  readonly clock: Clock | undefined;
  readonly disk: Disk | undefined;
  readonly merchant: Pick<TestMerchant, 'apiKey' | 'webhookSecret'>;
  readonly inbox: WebhookInbox;
  /** Speaks to the service as its clients do, through the proxy. */
  readonly client: Client;
  /** Settings of the service, for commands of its operator. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ends all; the folder goes too, unless it is kept for whoever looks into a failure. */
  stop(keep: boolean): Promise<void>;
};

const DISK_MB = 320;
/** Blocks at the start: their coinbases pay for all that is sent. */
const FIRST_BLOCKS = 220;
const NODE_ARGS = ['-rpcthreads=60', '-checkblockindex=0', '-whitelist=127.0.0.1'];
/** As it is installed, but small. Only processes are killed, never the machine: nothing has to reach the disk for that. */
const POSTGRES_SETTINGS = {
  fsync: 'off',
  max_connections: '100',
  shared_buffers: '32MB',
  max_wal_size: '96MB',
  min_wal_size: '32MB',
};

/** Starts everything. What was started before something fails is stopped again. */
export async function startRig({ engine, without }: Pick<Abilities, 'engine' | 'without'>): Promise<Rig> {
  await using started = new AsyncDisposableStack();
  let isKept = false;
  const folder = mkdtempSync(join(tmpdir(), 'coinfront-campaign-'));
  // The user that PostgreSQL runs as passes through.
  chmodSync(folder, 0o711);
  started.defer(() => {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  });
  const disk = mountDisk(join(folder, 'disk'), DISK_MB);
  started.defer(() => {
    if (isKept) disk?.keep(join(folder, 'disk-content'));
    disk?.unmount();
  });
  const clock = openClock(folder);

  const pair = await startPair({ extraArgs: NODE_ARGS });
  started.defer(() => pair.stop());
  const node = pair.b;
  await node.mine(FIRST_BLOCKS);
  await pair.join();
  await node.flush();

  const store = disk?.folder ?? folder;
  const dataDir = join(store, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const postgres =
    engine === 'postgres' ? await startPostgres({ settings: POSTGRES_SETTINGS, within: store }) : undefined;
  if (postgres) started.defer(() => (isKept ? postgres.halt() : postgres.stop()));
  const database: DatabaseLocation = postgres
    ? { kind: 'postgres', url: await postgres.createDatabase() }
    : { kind: 'sqlite', dataDir };

  const openLink = async (url: string): Promise<TcpProxy> => {
    const link = await startProxy(url);
    started.defer(() => link.stop());
    return link;
  };
  const nodeLink = await openLink(node.url);
  const databaseLink = database.kind === 'postgres' ? await openLink(database.url) : undefined;

  const settings = {
    COINFRONT_DATA_DIR: dataDir,
    COINFRONT_PUBLIC_URL: 'https://campaign.example',
    COINFRONT_WEBHOOK_ALLOW: 'loopback',
    COINFRONT_REORG_HORIZON: String(HORIZON_BLOCKS),
    COINFRONT_REGISTRY_ALLOW: 'loopback',
    COINFRONT_REGISTRY_PORTS: 'any',
    COINFRONT_REGISTRY_SLOT: '10',
  };
  const supervised = await superviseService(
    {
      nodeUrl: nodeLink.through(node.url),
      database:
        database.kind === 'postgres'
          ? { kind: 'postgres', url: databaseLink!.through(database.url) }
          : database,
      settings: { ...settings, ...clock?.settings },
      onPrinted: (chunk) => appendFileSync(join(folder, 'service.log'), chunk),
    },
    (pid) => clock?.forget(pid),
  );
  started.defer(() => supervised.stop());
  const clientLink = await openLink(supervised.service.origin);

  const inbox = createWebhookInbox();
  const receiver = await startReceiver({ answer: inbox.answer });
  started.defer(() => receiver.stop());
  const receiverLink = await openLink(`http://127.0.0.1:${receiver.port}`);
  const hook = `${receiverLink.through(`http://127.0.0.1:${receiver.port}`)}/hook`;
  const merchant = await createTestMerchant(supervised.service, database, ['--webhook-url', hook], settings);

  const running = started.move();
  return {
    abilities: { engine, disk: disk !== undefined, clock: clock !== undefined, without },
    folder,
    pair,
    node,
    peer: pair.a,
    withChain: createMutex(),
    postgres,
    database,
    supervised,
    links: { node: nodeLink, client: clientLink, receiver: receiverLink, database: databaseLink },
    clock,
    disk,
    merchant,
    inbox,
    client: createClient(clientLink.through(supervised.service.origin), merchant.apiKey),
    settings,
    async stop(keep) {
      isKept = keep;
      await running.disposeAsync();
    },
  };
}
