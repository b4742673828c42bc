/** Parsers of single settings: each returns the value, or a text that says what is wrong with it. */

import { isIP } from 'node:net';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { type NoteKey, parseVerifierKey } from '@coinfront/protocol/signed-log/note.ts';

/** Where a server listens. Port 0 lets the system choose. */
export type Listen = { host: string; port: number };

/** `host:port`, `[ipv6]:port` or `port` alone (loopback). */
export function parseListen(given: string): Listen | string {
  const match = /^(?:(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):)?([0-9]{1,5})$/.exec(given);
  const port = Number(match?.[3] ?? Number.NaN);
  if (match === null || port > 65_535)
    return `"${given}" is not of the form host:port, such as 127.0.0.1:8080.`;
  return { host: match[1] ?? match[2] ?? '127.0.0.1', port };
}

/** Where a proxy listens: a port is needed. */
export function parseProxy(given: string): Listen | string {
  const proxy = parseListen(given);
  if (typeof proxy !== 'string' && proxy.port > 0 && given.includes(':')) return proxy;
  return `"${given}" is not of the form host:port, such as 127.0.0.1:9050.`;
}

/** A whole number in decimal digits between two bounds, both allowed. */
export function parseWhole(given: string, least: number, most: number): number | string {
  const value = /^[0-9]{1,9}$/.test(given) ? Number(given) : Number.NaN;
  return value >= least && value <= most
    ? value
    : `"${given}" is not a whole number from ${least} to ${most}.`;
}

/** Whether this is an IP address, or a network in CIDR notation. */
export function isNetwork(given: string): boolean {
  const [address = '', bits, ...rest] = given.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || typeof parseWhole(bits, 0, version === 4 ? 32 : 128) === 'number';
}

/** An http or https URL without query; the slash at its end is removed. */
export function parsePublicUrl(given: string): Result<string> {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    return fail(`"${given}" is not a URL such as https://coin.example.`);
  }
  if (url.username !== '' || url.password !== '') return fail('a public URL must not hold a password.');
  return ok(url.href.replace(/\/+$/, ''));
}

/** A service whose looks at nodes count: the key of its registry, and its base URL without a slash at the end. */
export type VantagePeer = { key: string; url: string };

/** More are not asked; receipts have a vote of each. */
const maxVantagePeers = 16;

/** `<64 hex digits>=<url>`, several with commas between them; a string says what is wrong. */
export function parseVantagePeers(given: string): readonly VantagePeer[] | string {
  const peers: VantagePeer[] = [];
  for (const entry of given.split(',').map((each) => each.trim())) {
    const match = /^([0-9a-fA-F]{64})=(.+)$/.exec(entry);
    const url = match === null ? undefined : parsePublicUrl(match[2]!);
    if (match === null || url === undefined)
      return `"${entry}" is not the registry_key of a service and its URL, such as 6e7a…=https://coin.example.`;
    if (!url.ok) return url.reason;
    const peer = { key: match[1]!.toLowerCase(), url: url.value };
    // Two voices that are one would outvote others.
    if (peers.some(({ key }) => key === peer.key)) return `the key ${peer.key} is named twice.`;
    if (peers.some((each) => each.url === peer.url)) return `${peer.url} is named twice.`;
    peers.push(peer);
  }
  return peers.length > maxVantagePeers ? `${peers.length} peers; ${maxVantagePeers} at most.` : peers;
}

/** A witness of C2SP that is asked for cosignatures: its key, and where checkpoints are brought to it. */
export type WitnessSetting = { key: NoteKey; url: string };

/** More are not asked: a checkpoint has room for so many lines, and those of peers. */
const maxWitnesses = 16;

/** Reads `verifier key=URL` of witnesses; says what is wrong with the first that is not right. */
export function parseWitnesses(given: string): readonly WitnessSetting[] | string {
  const witnesses: WitnessSetting[] = [];
  for (const entry of given.split(',').map((each) => each.trim())) {
    const at = entry.indexOf('=');
    const key = parseVerifierKey(entry.slice(0, Math.max(0, at)));
    if (!key.ok || key.value.type !== 'cosignature')
      return `"${entry}" is not the verifier key of a witness and its URL, such as witness.example/w1+1a2b3c4d+BK…=https://witness.example/w1${key.ok ? ': this key signs no cosignatures' : `: ${key.reason}`}.`;
    const url = parsePublicUrl(entry.slice(at + 1));
    if (!url.ok) return url.reason;
    if (witnesses.some((each) => each.key.publicKey === key.value.publicKey))
      return `the key of ${key.value.name} is named twice.`;
    witnesses.push({ key: key.value, url: url.value });
  }
  return witnesses.length > maxWitnesses
    ? `${witnesses.length} witnesses; ${maxWitnesses} at most.`
    : witnesses;
}

/** Where the figures of a pool are read from. */
export type PoolSourceSetting =
  | { kind: 'ckpool'; folder: string }
  | { kind: 'miningcore'; url: string; poolId: string }
  | { kind: 'public-pool'; url: string };

/** `ckpool:<folder>`, `miningcore:<url>#<pool id>` or `public-pool:<url>`. */
export function parsePoolSource(given: string): Result<PoolSourceSetting> {
  const separator = given.indexOf(':');
  const kind = given.slice(0, Math.max(0, separator));
  const rest = given.slice(separator + 1);
  if (kind === 'ckpool' && rest !== '') return ok({ kind, folder: rest });
  if (kind === 'miningcore') {
    const [url = '', poolId = '', ...more] = rest.split('#');
    const parsed = parsePublicUrl(url);
    if (parsed.ok && /^[A-Za-z0-9_.-]{1,64}$/.test(poolId) && more.length === 0)
      return ok({ kind, url: parsed.value, poolId });
  }
  if (kind === 'public-pool') {
    const parsed = parsePublicUrl(rest);
    if (parsed.ok) return ok({ kind, url: parsed.value });
  }
  // Somebody may have put a password into the URL: no message repeats it.
  return fail(
    'not of a form such as ckpool:/var/log/ckpool, miningcore:http://127.0.0.1:4000#pool1 or public-pool:http://127.0.0.1:3334.',
  );
}

/** TCP ports with commas between them; for `any` there is none in the list. */
export function parsePorts(given: string): readonly number[] | string {
  if (given === 'any') return [];
  const ports = given.split(',').map((each) => parseWhole(each.trim(), 1, 65_535));
  const fault = ports.find((port) => typeof port === 'string');
  return fault ?? (ports as number[]);
}
