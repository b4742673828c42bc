import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyPackages } from '../pack/copy-packages.ts';
import { root } from '../pack/files.ts';
import { buildProgram } from '../pack/service-package.ts';

const files = join(import.meta.dirname, 'files');
const units = [
  'coinfront.service',
  'coinfront@.service',
  'coinfront-backup.service',
  'coinfront-backup.timer',
];
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Debian's name of this machine's architecture; the package is made for it alone, since Node and the image library are inside. */
export function findArchitecture(): string {
  const name = architectures[process.arch];
  if (process.platform === 'linux' && name !== undefined) return name;
  throw new Error(
    `A Debian package is made on Linux for x64 or arm64; this is ${process.platform} on ${process.arch}.`,
  );
}

/** Lays out in `folder` what the package installs, and its control files. */
export async function layOutDeb(folder: string, version: string): Promise<void> {
  const home = join(folder, 'usr/lib/coinfront');
  const packages = await buildProgram(join(home, 'dist'));
  copyPackages(home, [...packages]);
  writeFileSync(join(home, 'package.json'), '{"type":"module"}\n');
  put(process.execPath, join(home, 'bin/node'), 0o755);
  put(join(files, 'coinfront.sh'), join(folder, 'usr/bin/coinfront'), 0o755);
  for (const unit of units) {
    const to = join(folder, 'usr/lib/systemd/system', unit);
    mkdirSync(join(to, '..'), { recursive: true });
    writeFileSync(to, writeUnit(unit));
  }
  put(join(files, 'coinfront.sysusers'), join(folder, 'usr/lib/sysusers.d/coinfront.conf'), 0o644);
  const docs = join(folder, 'usr/share/doc/coinfront');
  put(join(root, 'LICENSE'), join(docs, 'copyright'), 0o644);
  for (const name of ['operations.md', 'configuration.md', 'coin-profile.md'])
    put(join(root, 'docs', name), join(docs, name), 0o644);
  // Not among the documents, which small images of Debian leave out.
  const operate = join(root, 'docs/operate');
  for (const name of readdirSync(operate))
    put(join(operate, name), join(folder, 'usr/share/coinfront/operate', name), 0o644);
  writeControl(join(folder, 'DEBIAN'), version);
}

/** Makes the package of what was laid out; gives its path. */
export function writeDeb(folder: string, target: string, version: string): string {
  const file = join(target, `coinfront_${version}_${findArchitecture()}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z6', '--build', folder, file], {
    stdio: 'pipe',
  });
  return file;
}

/** A unit with what all units have in common. */
export function writeUnit(name: string): string {
  return read(name).replace('@SERVICE@', read('service.conf')).replace('@HARDENING@', read('hardening.conf'));
}

/** The control file and the scripts around installing and removing. */
export function writeControl(folder: string, version: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    description: string;
  };
  writeFileSync(
    join(folder, 'control'),
    `Package: coinfront
Version: ${version}
Architecture: ${findArchitecture()}
Maintainer: Coinfront <coinfront@localhost>
Section: net
Priority: optional
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6, passwd, util-linux
Recommends: ca-certificates
Suggests: postgresql, nginx | caddy
Description: ${description}
 The service with its explorer, and the Node.js that it runs on. Beside a node of a
 Bitcoin-derived coin it serves an explorer, a chain API, payments with signed
 webhooks, proofs of existence, names, tokens, a node registry and a treasury.
`,
  );
  for (const script of ['postinst', 'prerm', 'postrm']) put(join(files, script), join(folder, script), 0o755);
}

function read(name: string): string {
  return readFileSync(join(files, name), 'utf8').trimEnd();
}

function put(from: string, to: string, mode: number): void {
  mkdirSync(join(to, '..'), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}
