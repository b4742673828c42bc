/** X.509 certificates (RFC 5280) made here, so that suites need neither openssl nor keys in the repository. */

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate with its key, both PEM. */
export type TestCertificate = { readonly cert: string; readonly key: string };

export type CertificateOptions = {
  /** Host names and IPv4 addresses it is for. */
  readonly names?: readonly string[];
  readonly notAfter?: Date;
};

/** An authority that a test trusts. */
export type TestAuthority = {
  readonly cert: string;
  issue(options: CertificateOptions): TestCertificate;
};

type Signer = { readonly name: string; readonly key: KeyObject };

const DAY_MS = 86_400_000;
const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
} as const;

/** Makes an authority. */
export function createAuthority(name = 'Test authority'): TestAuthority {
  const { privateKey, publicKey } = makeKeys();
  const self = { name, key: privateKey };
  const isAuthority = sequence(bytes(0x01, Buffer.of(0xff)));
  return {
    cert: build(self, name, publicKey, [extension(oids.basicConstraints, isAuthority)], {}),
    issue: (options) => issue(self, options),
  };
}

/** A certificate that nobody vouches for. */
export function createSelfSigned(options: CertificateOptions): TestCertificate {
  const { privateKey, publicKey } = makeKeys();
  const name = 'Self-signed';
  return { cert: buildLeaf({ name, key: privateKey }, name, publicKey, options), key: writeKey(privateKey) };
}

function issue(authority: Signer, options: CertificateOptions): TestCertificate {
  const { privateKey, publicKey } = makeKeys();
  return { cert: buildLeaf(authority, 'Test receiver', publicKey, options), key: writeKey(privateKey) };
}

function buildLeaf(signer: Signer, subject: string, key: KeyObject, options: CertificateOptions): string {
  const names = (options.names ?? []).map((name) =>
    isIPv4(name)
      ? bytes(0x87, Buffer.from(name.split('.').map(Number)))
      : bytes(0x82, Buffer.from(name, 'latin1')),
  );
  return build(signer, subject, key, [extension(oids.subjectAltName, sequence(...names))], options);
}

function build(
  signer: Signer,
  subject: string,
  key: KeyObject,
  extensions: readonly Buffer[],
  { notAfter = new Date(Date.now() + DAY_MS) }: CertificateOptions,
): string {
  const algorithm = sequence(oid(oids.ecdsaWithSha256));
  const content = sequence(
    bytes(0xa0, bytes(0x02, Buffer.of(2))),
    bytes(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    writeName(signer.name),
    sequence(writeTime(new Date(notAfter.getTime() - 2 * DAY_MS)), writeTime(notAfter)),
    writeName(subject),
    key.export({ type: 'spki', format: 'der' }),
    bytes(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', content, signer.key);
  const whole = sequence(content, algorithm, bytes(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function makeKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function writeKey(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}

function writeName(name: string): Buffer {
  return sequence(bytes(0x31, sequence(oid(oids.commonName), bytes(0x0c, Buffer.from(name)))));
}

function writeTime(time: Date): Buffer {
  return bytes(0x18, Buffer.from(`${time.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`, 'latin1'));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), bytes(0x04, value));
}

function oid(hex: string): Buffer {
  return bytes(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return bytes(0x30, Buffer.concat(parts));
}

/** One value of DER: tag, length, content. */
function bytes(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
}
