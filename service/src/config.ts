/** The settings of the service. This is the only file that reads the environment; docs/configuration.md lists them. */

import { readFileSync } from 'node:fs';
import { poolNamePattern } from '@coinfront/api/pool-name.ts';
import {
  isNetwork,
  type Listen,
  type PoolSourceSetting,
  parseListen,
  parsePoolSource,
  parsePorts,
  parseProxy,
  parsePublicUrl,
  parseVantagePeers,
  parseWhole,
  parseWitnesses,
  type VantagePeer,
  type WitnessSetting,
} from './config-values.ts';
import { splitUrls } from './db/split-urls.ts';
import { isAllowEntry } from './outbound/allow-list.ts';

/** What this process does: any of the three. */
export type Role = 'api' | 'indexer' | 'worker';

/** Severities of pino; `silent` turns the log off. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Everything an operator can set, checked and with defaults applied. */
export type Config = {
  /** Where the coin node's RPC listens; user and password are part of it unless a cookie file is given. */
  nodeUrl: string;
  nodeCookieFile: string | undefined;
  /** Name of a shipped coin profile, or the path of a profile file. */
  coin: string;
  dataDir: string;
  /** `postgres://…`, of several servers with commas between them; undefined means SQLite files in `dataDir`. */
  databaseUrl: string | undefined;
  /** Where the index is, if not beside the precious data: a folder, or `postgres://…`, as the engine is. */
  index: string | undefined;
  /** Replicas that requests are read from, in the same form. */
  databaseReadUrl: string | undefined;
  listen: Listen;
  metricsListen: Listen | undefined;
  /** Processes that answer requests, on one port. */
  apiProcesses: number;
  /** Without a slash at the end; undefined when the operator gave none. */
  publicUrl: string | undefined;
  roles: ReadonlySet<Role>;
  tls: { certFile: string; keyFile: string } | undefined;
  /** Request units a minute for one client; undefined means no limit. */
  rateLimitPerMinute: number | undefined;
  /** Addresses and networks of the reverse proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** `*`, or the origins that browsers may read from. */
  corsOrigins: '*' | readonly string[];
  logLevel: LogLevel;
  /** The deepest reorganisation, in blocks, that is followed without a resync. */
  reorgHorizon: number;
  releasesFile: string | undefined;
  /** Folder with the coin's mark, colours and links. */
  faceDir: string | undefined;
  /** Blocks after which the list of the richest is made anew; undefined where none is kept. */
  richListBlocks: number | undefined;
  /** Page cache of the indexer's database connection. */
  cacheMegabytes: number;
  /** Answers that wait for their clients to read them, in all. */
  unsentMegabytes: number;
  /** Bodies kept between two changes of the chain; 0 keeps none. */
  bodyCacheMegabytes: number;
  /** Addresses, networks and hosts that webhooks may reach besides the public internet, also without encryption. */
  webhookAllow: readonly string[];
  /** The operator's list of rate sources; undefined: prices are taken in coins only. */
  ratesFile: string | undefined;
  /** Addresses, networks and hosts that rate sources may be at besides the public internet, also without encryption. */
  ratesAllow: readonly string[];
  /** How long a payment that was seen in full, settled or accepted waits past its expiry. */
  paymentWaitSeconds: number;
  /** Base URLs, without a slash at the end, of services whose proofs, names and tokens are compared with those of this one. */
  peers: readonly string[];
  /** Base URLs of services whose logs this one is a witness for, and which are witnesses for its own. */
  witnessPeers: readonly string[];
  /** Witnesses that know nothing of the coin, and only cosign. */
  witnesses: readonly WitnessSetting[];
  /** The node's wallet that pays for anchors, with its budget; undefined when the operator pays for none. */
  anchor: AnchorSettings | undefined;
  /** Where the figures of the main pool are read from; undefined: from the chain alone. */
  poolSource: PoolSourceSetting | undefined;
  /** Further pools of the operator. */
  otherPools: readonly OtherPoolSetting[];
  registry: RegistrySettings;
  electrum: ElectrumSettings;
};

/** Where wallets that speak the Electrum protocol are served; undefined: not there. */
export type ElectrumSettings = { tcp: Listen | undefined; tls: Listen | undefined; ws: Listen | undefined };

/** How nodes are registered and looked at. */
export type RegistrySettings = {
  slotSeconds: number;
  /** Undefined: about a day of the coin's blocks. */
  epochBlocks: number | undefined;
  /** Undefined: the coin's own port. Empty: any that needs no privilege. */
  ports: readonly number[] | undefined;
  /** Addresses and networks that may be registered besides those of the public internet. */
  allow: readonly string[];
  /** SOCKS5 proxy that leads to onion addresses; undefined: none can be registered. */
  socks: Listen | undefined;
  /** File of prefixes and their autonomous systems; undefined: weights are not bounded by these. */
  asTable: string | undefined;
  /** Decimal of coins that are set aside for an epoch. */
  reward: string | undefined;
  endpointProof: 'optional' | 'required';
  /** Undefined: registry.key in the data folder. */
  keyFile: string | undefined;
  /** To nodes, at once. */
  connections: number;
  /** Services whose signed looks count beside those of this one. */
  vantages: readonly VantagePeer[];
};

/** A pool beside the main one. */
export type OtherPoolSetting = { name: string; source: PoolSourceSetting };

/** What the operator spends on anchoring digests for others. */
export type AnchorSettings = {
  /** Name of a loaded wallet of the node; may be empty, as the name of Core's default wallet is. */
  wallet: string;
  dailyLimit: number;
  dailyLimitPerClient: number;
  /** Decimal of coins that one transaction may cost. */
  maxFee: string;
  calendar: CalendarSettings;
};

/** How digests are gathered to be anchored together. */
export type CalendarSettings = {
  /** Seconds between two transactions at the least; undefined: those between two blocks of the coin. 0: it takes no digests. */
  intervalSeconds: number | undefined;
  dailyLimit: number;
  dailyLimitPerClient: number;
};

/** Either the settings, or every problem found, one line each. */
export type ConfigResult = { ok: true; value: Config } | { ok: false; problems: string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const prefix = 'COINFRONT_';

/** The names of all settings; a name outside of it that begins with COINFRONT_ is refused as a typing error. */
export const settingNames = [
  'COINFRONT_NODE_URL',
  'COINFRONT_NODE_COOKIE',
  'COINFRONT_COIN',
  'COINFRONT_DATA_DIR',
  'COINFRONT_DATABASE_URL',
  'COINFRONT_DATABASE_READ_URL',
  'COINFRONT_INDEX',
  'COINFRONT_LISTEN',
  'COINFRONT_METRICS_LISTEN',
  'COINFRONT_API_PROCESSES',
  'COINFRONT_PUBLIC_URL',
  'COINFRONT_ROLES',
  'COINFRONT_TLS_CERT',
  'COINFRONT_TLS_KEY',
  'COINFRONT_RATE_LIMIT',
  'COINFRONT_TRUST_PROXY',
  'COINFRONT_CORS_ORIGINS',
  'COINFRONT_LOG_LEVEL',
  'COINFRONT_REORG_HORIZON',
  'COINFRONT_RELEASES_FILE',
  'COINFRONT_FACE_DIR',
  'COINFRONT_RICH_LIST',
  'COINFRONT_CACHE_MB',
  'COINFRONT_BODY_CACHE_MB',
  'COINFRONT_UNSENT_MB',
  'COINFRONT_WEBHOOK_ALLOW',
  'COINFRONT_PAYMENT_WAIT',
  'COINFRONT_RATES',
  'COINFRONT_RATES_ALLOW',
  'COINFRONT_PEERS',
  'COINFRONT_TOKEN_PEERS',
  'COINFRONT_WITNESS_PEERS',
  'COINFRONT_WITNESSES',
  'COINFRONT_VANTAGE_PEERS',
  'COINFRONT_ANCHOR_WALLET',
  'COINFRONT_ANCHOR_DAILY',
  'COINFRONT_ANCHOR_DAILY_PER_CLIENT',
  'COINFRONT_ANCHOR_MAX_FEE',
  'COINFRONT_CALENDAR_INTERVAL',
  'COINFRONT_CALENDAR_DAILY',
  'COINFRONT_CALENDAR_DAILY_PER_CLIENT',
  'COINFRONT_POOL_SOURCE',
  'COINFRONT_POOL_OTHERS',
  'COINFRONT_REGISTRY_SLOT',
  'COINFRONT_REGISTRY_EPOCH_BLOCKS',
  'COINFRONT_REGISTRY_PORTS',
  'COINFRONT_REGISTRY_ALLOW',
  'COINFRONT_REGISTRY_SOCKS',
  'COINFRONT_REGISTRY_AS_TABLE',
  'COINFRONT_REGISTRY_REWARD',
  'COINFRONT_REGISTRY_ENDPOINT_PROOF',
  'COINFRONT_REGISTRY_KEY_FILE',
  'COINFRONT_REGISTRY_CONNECTIONS',
  'COINFRONT_ELECTRUM_LISTEN',
  'COINFRONT_ELECTRUM_TLS',
  'COINFRONT_ELECTRUM_WS',
] as const;

type SettingName = (typeof settingNames)[number];

const logLevels: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const allRoles: readonly Role[] = ['api', 'indexer', 'worker'];

/** Reads the settings; an empty value counts as absent. Names beginning with COINFRONT_TEST_ belong to the tests. */
export function readConfig(env: Environment = process.env): ConfigResult {
  const problems: string[] = [];
  const known: ReadonlySet<string> = new Set(settingNames);
  for (const name of Object.keys(env)) {
    if (name.startsWith(prefix) && !name.startsWith('COINFRONT_TEST_') && !known.has(name)) {
      problems.push(`${name} is not a setting. Known are: ${settingNames.join(', ')}.`);
    }
  }
  const text = (name: SettingName): string | undefined => env[name]?.trim() || undefined;
  const read = <T>(name: SettingName, fallback: T, parse: (value: string) => T | string): T => {
    const value = text(name);
    if (value === undefined) return fallback;
    const parsed = parse(value);
    if (typeof parsed !== 'string') return parsed;
    problems.push(`${name}: ${parsed}`);
    return fallback;
  };
  const oneOf = <T extends string>(name: SettingName, allowed: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback;
    const found = allowed.find((each) => each === value);
    if (found === undefined) problems.push(`${name}: "${value}" is none of ${allowed.join(', ')}.`);
    return found ?? fallback;
  };

  const readCalendar = (): CalendarSettings => ({
    // COINFRONT_CALENDAR_INTERVAL: seconds between two roots, or off.
    intervalSeconds: read<number | undefined>('COINFRONT_CALENDAR_INTERVAL', undefined, (given) =>
      given === 'off' ? 0 : parseWhole(given, 1, 86_400),
    ),
    // COINFRONT_CALENDAR_DAILY, COINFRONT_CALENDAR_DAILY_PER_CLIENT: digests a day, in all and for one client.
    dailyLimit: read('COINFRONT_CALENDAR_DAILY', 1_000_000, (given) => parseWhole(given, 1, 10_000_000)),
    dailyLimitPerClient: read('COINFRONT_CALENDAR_DAILY_PER_CLIENT', 100_000, (given) =>
      parseWhole(given, 1, 10_000_000),
    ),
  });

  /** COINFRONT_ANCHOR_WALLET: name of the wallet, or `default` for the one without a name. */
  const readAnchor = (): AnchorSettings | undefined => {
    const wallet = text('COINFRONT_ANCHOR_WALLET');
    // COINFRONT_ANCHOR_DAILY, COINFRONT_ANCHOR_DAILY_PER_CLIENT: anchors a day, in all and for one client.
    const dailyLimit = read('COINFRONT_ANCHOR_DAILY', 100, (given) => parseWhole(given, 1, 1_000_000));
    const dailyLimitPerClient = read('COINFRONT_ANCHOR_DAILY_PER_CLIENT', 5, (given) =>
      parseWhole(given, 1, 1_000_000),
    );
    // COINFRONT_ANCHOR_MAX_FEE: coins that one anchor may cost.
    const maxFee = text('COINFRONT_ANCHOR_MAX_FEE') ?? '0.001';
    if (!/^[0-9]{1,10}(\.[0-9]{1,8})?$/.test(maxFee))
      problems.push(`COINFRONT_ANCHOR_MAX_FEE: "${maxFee}" is no decimal of coins such as 0.001.`);
    const calendar = readCalendar();
    if (wallet === undefined) return undefined;
    return { wallet: wallet === 'default' ? '' : wallet, dailyLimit, dailyLimitPerClient, maxFee, calendar };
  };

  const readRegistry = (): RegistrySettings => {
    // COINFRONT_REGISTRY_REWARD: coins set aside for an epoch.
    const reward = text('COINFRONT_REGISTRY_REWARD');
    if (reward !== undefined && !/^[0-9]{1,12}(\.[0-9]{1,18})?$/.test(reward))
      problems.push(`COINFRONT_REGISTRY_REWARD: "${reward}" is no decimal of coins such as 25.5.`);
    return {
      // COINFRONT_REGISTRY_SLOT: seconds in which each node is judged once.
      slotSeconds: read('COINFRONT_REGISTRY_SLOT', 600, (given) => parseWhole(given, 1, 86_400)),
      // COINFRONT_REGISTRY_EPOCH_BLOCKS: blocks of an epoch; not to be changed later.
      epochBlocks: read<number | undefined>('COINFRONT_REGISTRY_EPOCH_BLOCKS', undefined, (given) =>
        parseWhole(given, 1, 1_000_000),
      ),
      // COINFRONT_REGISTRY_PORTS: ports that nodes listen on, or any.
      ports: read<RegistrySettings['ports']>('COINFRONT_REGISTRY_PORTS', undefined, parsePorts),
      // COINFRONT_REGISTRY_ALLOW: what may be registered besides addresses of the public internet.
      allow: readNetworks('COINFRONT_REGISTRY_ALLOW', text('COINFRONT_REGISTRY_ALLOW'), problems),
      // COINFRONT_REGISTRY_SOCKS: host:port of a SOCKS5 proxy, such as Tor's, for onion addresses.
      socks: read<Listen | undefined>('COINFRONT_REGISTRY_SOCKS', undefined, parseProxy),
      // COINFRONT_REGISTRY_AS_TABLE: file of prefixes and their autonomous systems.
      asTable: text('COINFRONT_REGISTRY_AS_TABLE'),
      reward,
      // COINFRONT_REGISTRY_ENDPOINT_PROOF: whether nodes that do not show their token are left out of lists.
      endpointProof: oneOf(
        'COINFRONT_REGISTRY_ENDPOINT_PROOF',
        ['optional', 'required'] as const,
        'optional',
      ),
      // COINFRONT_REGISTRY_KEY_FILE: the key that signs receipts; made when it is not there.
      keyFile: text('COINFRONT_REGISTRY_KEY_FILE'),
      // COINFRONT_REGISTRY_CONNECTIONS: connections to nodes at once.
      connections: read('COINFRONT_REGISTRY_CONNECTIONS', 1, (given) => parseWhole(given, 1, 32)),
      // COINFRONT_VANTAGE_PEERS: key=URL of services that look at the same nodes, and vote.
      vantages: read<readonly VantagePeer[]>('COINFRONT_VANTAGE_PEERS', [], parseVantagePeers),
    };
  };

  const readListen = (name: SettingName): Listen | undefined =>
    read<Listen | undefined>(name, undefined, (given) => (given === 'off' ? undefined : parseListen(given)));

  const certFile = text('COINFRONT_TLS_CERT');
  const keyFile = text('COINFRONT_TLS_KEY');
  if ((certFile === undefined) !== (keyFile === undefined)) {
    problems.push('COINFRONT_TLS_CERT and COINFRONT_TLS_KEY: give both, or none.');
  }

  const value: Config = {
    // COINFRONT_NODE_URL: http://user:password@host:port of the node's RPC.
    nodeUrl: readNodeUrl(text('COINFRONT_NODE_URL'), text('COINFRONT_NODE_COOKIE'), problems),
    // COINFRONT_NODE_COOKIE: the node's .cookie file, instead of a user and password in the URL.
    nodeCookieFile: text('COINFRONT_NODE_COOKIE'),
    // COINFRONT_COIN: shipped profile or file. No default: serving the wrong coin must not happen silently.
    coin:
      text('COINFRONT_COIN') ??
      missing('COINFRONT_COIN', 'a profile name such as "coin", or a file', problems),
    // COINFRONT_DATA_DIR: where the SQLite files live.
    dataDir: text('COINFRONT_DATA_DIR') ?? './data',
    // COINFRONT_DATABASE_URL: PostgreSQL instead of SQLite.
    databaseUrl: readDatabaseUrls('COINFRONT_DATABASE_URL', text('COINFRONT_DATABASE_URL'), problems),
    // COINFRONT_DATABASE_READ_URL: replicas of the index's, which requests are read from.
    databaseReadUrl: readReplicaUrls(
      text('COINFRONT_DATABASE_READ_URL'),
      text('COINFRONT_DATABASE_URL'),
      problems,
    ),
    // COINFRONT_INDEX: a folder or a database of the index alone.
    index: readIndex(text('COINFRONT_INDEX'), text('COINFRONT_DATABASE_URL'), problems),
    // COINFRONT_LISTEN: host:port of the public interface.
    listen: read('COINFRONT_LISTEN', { host: '127.0.0.1', port: 8080 }, parseListen),
    // COINFRONT_METRICS_LISTEN: host:port of /metrics, or off. Never the public one: it tells about the machine.
    metricsListen: read<Listen | undefined>(
      'COINFRONT_METRICS_LISTEN',
      { host: '127.0.0.1', port: 9185 },
      (given) => (given === 'off' ? undefined : parseListen(given)),
    ),
    // COINFRONT_API_PROCESSES: how many answer requests on the same port.
    apiProcesses: read('COINFRONT_API_PROCESSES', 1, (given) => parseWhole(given, 1, 64)),
    // COINFRONT_PUBLIC_URL: what clients outside call this service; used in documents and checkout links.
    publicUrl: readPublicUrl(text('COINFRONT_PUBLIC_URL'), problems),
    // COINFRONT_ROLES: all, or a list of api, indexer, worker.
    roles: readRoles(text('COINFRONT_ROLES'), problems),
    // COINFRONT_TLS_CERT and COINFRONT_TLS_KEY: PEM files for HTTPS without a proxy in front.
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    // COINFRONT_RATE_LIMIT: request units a minute for one client address, or off.
    rateLimitPerMinute: read<number | undefined>('COINFRONT_RATE_LIMIT', 600, (given) =>
      given === 'off' ? undefined : parseWhole(given, 1, 10_000_000),
    ),
    // COINFRONT_TRUST_PROXY: addresses, networks or `loopback` of the proxies in front; off means there is none.
    trustedProxies: readProxies(text('COINFRONT_TRUST_PROXY'), problems),
    // COINFRONT_CORS_ORIGINS: * or a comma-separated list of origins.
    corsOrigins: readOrigins(text('COINFRONT_CORS_ORIGINS'), problems),
    // COINFRONT_LOG_LEVEL: the least severe that is written.
    logLevel: oneOf('COINFRONT_LOG_LEVEL', logLevels, 'info'),
    // COINFRONT_REORG_HORIZON: how many blocks can be undone.
    reorgHorizon: read('COINFRONT_REORG_HORIZON', 1000, (given) => parseWhole(given, 1, 100_000)),
    // COINFRONT_RELEASES_FILE: the manifest that /releases serves.
    releasesFile: text('COINFRONT_RELEASES_FILE'),
    // COINFRONT_FACE_DIR: face.json and mark.png of the coin's own face.
    faceDir: text('COINFRONT_FACE_DIR'),
    // COINFRONT_RICH_LIST: blocks after which the list of the richest addresses is made anew, or off.
    richListBlocks: read<number | undefined>('COINFRONT_RICH_LIST', undefined, (given) =>
      given === 'off' ? undefined : parseWhole(given, 1, 100_000),
    ),
    // COINFRONT_CACHE_MB: page cache of the indexer's SQLite connection.
    cacheMegabytes: read('COINFRONT_CACHE_MB', 32, (given) => parseWhole(given, 16, 65_536)),
    // COINFRONT_BODY_CACHE_MB: answers kept until the chain or the mempool changes; 0 keeps none.
    bodyCacheMegabytes: read('COINFRONT_BODY_CACHE_MB', 32, (given) => parseWhole(given, 0, 65_536)),
    // COINFRONT_UNSENT_MB: answers that nobody reads; beyond it the connection that has read nothing the longest is cut.
    unsentMegabytes: read('COINFRONT_UNSENT_MB', 128, (given) => parseWhole(given, 16, 65_536)),
    // COINFRONT_WEBHOOK_ALLOW: what webhooks may reach besides the public internet.
    webhookAllow: readAllowList('COINFRONT_WEBHOOK_ALLOW', text('COINFRONT_WEBHOOK_ALLOW'), problems),
    // COINFRONT_RATES: the list of sources that say what a coin costs in other money.
    ratesFile: text('COINFRONT_RATES'),
    // COINFRONT_RATES_ALLOW: where those sources may be besides the public internet.
    ratesAllow: readAllowList('COINFRONT_RATES_ALLOW', text('COINFRONT_RATES_ALLOW'), problems),
    // COINFRONT_PAYMENT_WAIT: seconds past its expiry in which a payment that was seen has to be in blocks.
    paymentWaitSeconds: read('COINFRONT_PAYMENT_WAIT', 86_400, (given) => parseWhole(given, 1, 2_592_000)),
    // COINFRONT_PEERS: services to compare hashes with. COINFRONT_TOKEN_PEERS is what it was called before.
    peers: [
      ...new Set([
        ...readPeers('COINFRONT_PEERS', text('COINFRONT_PEERS'), problems),
        ...readPeers('COINFRONT_TOKEN_PEERS', text('COINFRONT_TOKEN_PEERS'), problems),
      ]),
    ],
    // COINFRONT_WITNESS_PEERS: services whose logs are witnessed, and which witness this one's.
    witnessPeers: readPeers('COINFRONT_WITNESS_PEERS', text('COINFRONT_WITNESS_PEERS'), problems),
    // COINFRONT_WITNESSES: witnesses of C2SP that are asked to cosign this service's logs.
    witnesses: read<readonly WitnessSetting[]>('COINFRONT_WITNESSES', [], parseWitnesses),
    // COINFRONT_ANCHOR_*: the node's wallet that pays for anchors; off unless a wallet is named.
    anchor: readAnchor(),
    // COINFRONT_POOL_SOURCE: where the figures of the main pool are read from.
    poolSource: readPoolSource(text('COINFRONT_POOL_SOURCE'), problems),
    // COINFRONT_POOL_OTHERS: name=source of further pools.
    otherPools: readOtherPools(text('COINFRONT_POOL_OTHERS'), problems),
    // COINFRONT_REGISTRY_*: nodes that are registered and looked at.
    registry: readRegistry(),
    // COINFRONT_ELECTRUM_*: host:port for wallets, in the clear, with TLS, and over WebSocket.
    electrum: {
      tcp: readListen('COINFRONT_ELECTRUM_LISTEN'),
      tls: readListen('COINFRONT_ELECTRUM_TLS'),
      ws: readListen('COINFRONT_ELECTRUM_WS'),
    },
  };
  if (value.electrum.tls && certFile === undefined)
    problems.push('COINFRONT_ELECTRUM_TLS: COINFRONT_TLS_CERT and COINFRONT_TLS_KEY are needed for it.');
  for (const file of [certFile, keyFile]) {
    if (file !== undefined && !isReadable(file))
      problems.push(`COINFRONT_TLS_*: the file ${file} cannot be read.`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value };
}

/** What the operator's commands need to know: where the precious data are, and what webhooks may reach. */
export type AdminConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'index' | 'webhookAllow'> & {
  /** The file of the registry's key; registry.key in the data folder unless given. */
  registryKeyFile: string | undefined;
  /** Which coin; only what looks at the chain needs it. */
  coin: string | undefined;
};

/** Reads the settings of the operator's commands; the others need not be there. */
export function readAdminConfig(
  env: Environment = process.env,
): { ok: true; value: AdminConfig } | { ok: false; problems: string[] } {
  const problems: string[] = [];
  const text = (name: SettingName): string | undefined => env[name]?.trim() || undefined;
  const value = {
    dataDir: text('COINFRONT_DATA_DIR') ?? './data',
    databaseUrl: readDatabaseUrls('COINFRONT_DATABASE_URL', text('COINFRONT_DATABASE_URL'), problems),
    index: readIndex(text('COINFRONT_INDEX'), text('COINFRONT_DATABASE_URL'), problems),
    webhookAllow: readAllowList('COINFRONT_WEBHOOK_ALLOW', text('COINFRONT_WEBHOOK_ALLOW'), problems),
    coin: text('COINFRONT_COIN'),
    registryKeyFile: text('COINFRONT_REGISTRY_KEY_FILE'),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value };
}

function missing(name: SettingName, what: string, problems: string[]): string {
  problems.push(`${name} is not set; give ${what}.`);
  return '';
}

/** Whether this user can read a file. */
export function isReadable(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

function readNodeUrl(given: string | undefined, cookie: string | undefined, problems: string[]): string {
  if (given === undefined) {
    return missing('COINFRONT_NODE_URL', "the node's RPC as http://user:password@host:port", problems);
  }
  // The value holds a password: no message may repeat it.
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    problems.push('COINFRONT_NODE_URL: not a URL of the form http://user:password@host:port.');
    return '';
  }
  if (new URL(given).username === '' && cookie === undefined) {
    problems.push('COINFRONT_NODE_URL: has no user and password, and COINFRONT_NODE_COOKIE is not set.');
  }
  return given;
}

function readDatabaseUrls(
  name: SettingName,
  given: string | undefined,
  problems: string[],
): string | undefined {
  if (given === undefined) return undefined;
  const isUrl = (url: string) => URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol);
  if (!splitUrls(given).every(isUrl)) {
    problems.push(
      `${name}: not a URL of the form postgres://user:password@host:port/database, or several with commas between them.`,
    );
  }
  return given;
}

function readReplicaUrls(
  given: string | undefined,
  primary: string | undefined,
  problems: string[],
): string | undefined {
  if (given !== undefined && primary === undefined)
    problems.push('COINFRONT_DATABASE_READ_URL: has no meaning without COINFRONT_DATABASE_URL.');
  return readDatabaseUrls('COINFRONT_DATABASE_READ_URL', given, problems);
}

function readIndex(
  given: string | undefined,
  databaseUrl: string | undefined,
  problems: string[],
): string | undefined {
  if (given === undefined) return undefined;
  const isPostgres = /^postgres(ql)?:/.test(given);
  if (isPostgres) readDatabaseUrls('COINFRONT_INDEX', given, problems);
  if (isPostgres !== (databaseUrl !== undefined))
    problems.push(
      databaseUrl === undefined
        ? 'COINFRONT_INDEX: a folder is needed, since COINFRONT_DATABASE_URL is not set.'
        : 'COINFRONT_INDEX: a PostgreSQL database is needed, as COINFRONT_DATABASE_URL is one.',
    );
  return given;
}

function readPublicUrl(given: string | undefined, problems: string[]): string | undefined {
  if (given === undefined) return undefined;
  const parsed = parsePublicUrl(given);
  if (!parsed.ok) problems.push(`COINFRONT_PUBLIC_URL: ${parsed.reason}`);
  return parsed.ok ? parsed.value : undefined;
}

function readRoles(given: string | undefined, problems: string[]): ReadonlySet<Role> {
  if (given === undefined || given === 'all') return new Set(allRoles);
  const roles = new Set<Role>();
  for (const part of given.split(',').map((each) => each.trim())) {
    const role = allRoles.find((each) => each === part);
    if (role === undefined)
      problems.push(`COINFRONT_ROLES: "${part}" is none of all, ${allRoles.join(', ')}.`);
    else roles.add(role);
  }
  return roles;
}

function readProxies(given: string | undefined, problems: string[]): readonly string[] {
  return given === 'off' ? [] : readNetworks('COINFRONT_TRUST_PROXY', given, problems);
}

function readNetworks(name: SettingName, given: string | undefined, problems: string[]): readonly string[] {
  if (given === undefined) return [];
  const networks = given.split(',').map((each) => each.trim());
  for (const network of networks) {
    if (network !== 'loopback' && !isNetwork(network))
      problems.push(`${name}: "${network}" is no address, network such as 10.0.0.0/8, or "loopback".`);
  }
  return networks;
}

function readAllowList(name: SettingName, given: string | undefined, problems: string[]): readonly string[] {
  if (given === undefined) return [];
  const entries = given.split(',').map((each) => each.trim());
  for (const entry of entries) {
    if (!isAllowEntry(entry)) {
      problems.push(
        `${name}: "${entry}" is no address, network such as 10.0.0.0/8, host name, or "loopback".`,
      );
    }
  }
  return entries;
}

function readPeers(name: SettingName, given: string | undefined, problems: string[]): readonly string[] {
  if (given === undefined) return [];
  return given.split(',').flatMap((each) => {
    const parsed = parsePublicUrl(each.trim());
    if (!parsed.ok) problems.push(`${name}: ${parsed.reason}`);
    return parsed.ok ? [parsed.value] : [];
  });
}

function readPoolSource(given: string | undefined, problems: string[]): PoolSourceSetting | undefined {
  if (given === undefined) return undefined;
  const parsed = parsePoolSource(given);
  if (!parsed.ok) problems.push(`COINFRONT_POOL_SOURCE: ${parsed.reason}`);
  return parsed.ok ? parsed.value : undefined;
}

/** Each is polled every half minute: an operator has few pools. */
const maxOtherPools = 8;

function readOtherPools(given: string | undefined, problems: string[]): OtherPoolSetting[] {
  if (given === undefined) return [];
  const pools: OtherPoolSetting[] = [];
  const report = (problem: string) => problems.push(`COINFRONT_POOL_OTHERS: ${problem}`);
  for (const entry of given.split(',').map((each) => each.trim())) {
    const separator = entry.indexOf('=');
    const name = entry.slice(0, Math.max(0, separator));
    const source = parsePoolSource(entry.slice(separator + 1));
    if (!new RegExp(poolNamePattern).test(name))
      report(
        `pool ${pools.length + 1} does not begin with a name such as merged=, of small letters, digits and hyphens.`,
      );
    else if (pools.some((pool) => pool.name === name)) report(`"${name}" is named twice.`);
    else if (!source.ok) report(`${name} is ${source.reason}`);
    else pools.push({ name, source: source.value });
  }
  if (pools.length > maxOtherPools) report(`${pools.length} pools; ${maxOtherPools} at most.`);
  return pools;
}

function readOrigins(given: string | undefined, problems: string[]): '*' | readonly string[] {
  if (given === undefined || given === '*') return '*';
  const origins = given.split(',').map((each) => each.trim());
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      problems.push(`COINFRONT_CORS_ORIGINS: "${origin}" is not an origin such as https://wallet.example.`);
    }
  }
  return origins;
}

/** The environment for a program that is started, with more in it than this one has. */
export function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** A disk serves so many reads at once in little more time than one. */
const POOL_THREADS = '16';

/**
 * Has Node's pool, which waits for the disk in the place of other threads, made with more threads than the four that it has otherwise.
 * Only before anything has used it.
 */
export function widenThreadPool(env: Record<string, string | undefined> = process.env): void {
  env.UV_THREADPOOL_SIZE ??= POOL_THREADS;
}
