import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A witness of C2SP as somebody else runs one: written from the texts of `tlog-witness`, `tlog-checkpoint` and `tlog-cosignature` with Node's own
 * modules, and none of ours.
 */
export type PublicWitness = {
  /** `name+id+key`, as it is handed on. */
  readonly verifierKey: string;
  /** Where checkpoints are brought to it. */
  readonly url: string;
  /** Tells it of a log, by the log's verifier key. */
  trust(verifierKey: string): void;
  /** Sizes of the checkpoints that it has cosigned of a log. */
  sizesOf(origin: string): readonly number[];
  stop(): Promise<void>;
};

type Log = { key: KeyObject; keyId: Buffer; sizes: number[]; root: string };

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const ED25519 = 1;
const COSIGNATURE = 4;

function idOf(name: string, type: number, key: Buffer): Buffer {
  const about = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([type]), key]);
  return createHash('sha256').update(about).digest().subarray(0, 4);
}

/** Starts it on loopback, below a path. */
export async function startPublicWitness(name: string): Promise<PublicWitness> {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const id = idOf(name, COSIGNATURE, publicKey);
  const logs = new Map<string, Log>();

  function cosign(body: string): { status: number; text: string } {
    const end = body.indexOf('\n\n');
    const note = body.slice(end + 2);
    const [first = '', ...proof] = body.slice(0, end).split('\n');
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const [origin = '', sizeText = '', root = ''] = text.split('\n');
    const log = logs.get(origin);
    if (log === undefined) return { status: 404, text: '' };
    const line = note.split('\n').find((each) => each.startsWith(`\u2014 ${origin} `));
    const signature = Buffer.from(line?.split(' ')[2] ?? '', 'base64');
    if (!signature.subarray(0, 4).equals(log.keyId)) return { status: 403, text: '' };
    if (!verify(null, Buffer.from(text), log.key, signature.subarray(4))) return { status: 403, text: '' };
    const [oldSize, size] = [Number(/^old (\d+)$/.exec(first)?.[1]), Number(sizeText)];
    const known = log.sizes.at(-1) ?? 0;
    if (oldSize !== known) return { status: 409, text: `${known}\n` };
    const hashes = proof.map((each) => Buffer.from(each, 'base64'));
    if (!isConsistent(known, size, Buffer.from(log.root, 'base64'), Buffer.from(root, 'base64'), hashes))
      return { status: 422, text: '' };
    log.sizes.push(size);
    log.root = root;
    const seconds = Math.floor(Date.now() / 1_000);
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(seconds));
    const signed = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), pair.privateKey);
    const made = Buffer.concat([id, time, signed]).toString('base64');
    // A witness that is changing its key signs by both.
    const other = Buffer.concat([Buffer.from('01020304', 'hex'), time, signed]).toString('base64');
    return { status: 200, text: `\u2014 ${name} ${other}\n\u2014 ${name} ${made}\n` };
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST' || request.url !== '/w1/add-checkpoint') {
      response.writeHead(404).end();
      return;
    }
    const { status, text } = cosign(body);
    const type = status === 409 ? 'text/x.tlog.size' : 'text/plain';
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    verifierKey: `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.from([COSIGNATURE]), publicKey]).toString('base64')}`,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w1`,
    trust(verifierKey) {
      // Base64 has plus signs of its own.
      const [, origin = '', keyId = '', material = ''] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(verifierKey) ?? [];
      const bytes = Buffer.from(material, 'base64').subarray(1);
      if (idOf(origin, ED25519, bytes).toString('hex') !== keyId) throw new Error('this is no key of a log');
      const key = Buffer.concat([SPKI_ED25519, bytes]);
      logs.set(origin, {
        key: createPublicKey({ key, format: 'der', type: 'spki' }),
        ...{ keyId: Buffer.from(keyId, 'hex'), sizes: [], root: '' },
      });
    },
    sizesOf: (origin) => logs.get(origin)?.sizes ?? [],
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** RFC 9162, 2.1.4.2: whether a tree of `second` leaves goes on from one of `first`. */
function isConsistent(
  first: number,
  second: number,
  firstRoot: Buffer,
  secondRoot: Buffer,
  proof: readonly Buffer[],
): boolean {
  if (first === 0) return proof.length === 0;
  if (first === second) return proof.length === 0 && firstRoot.equals(secondRoot);
  if (first > second || proof.length === 0) return false;
  const path = Number.isInteger(Math.log2(first)) ? [firstRoot, ...proof] : [...proof];
  let [fn, sn] = [first - 1, second - 1];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  let [fr, sr] = [path[0]!, path[0]!];
  for (const hash of path.slice(1)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [hashPair(hash, fr), hashPair(hash, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = hashPair(sr, hash);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(firstRoot) && sr.equals(secondRoot);
}

function hashPair(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256')
    .update(Buffer.concat([Buffer.from([1]), left, right]))
    .digest();
}
