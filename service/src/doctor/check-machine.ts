/** The machine: room on the disk, whether its clock is kept, and who can read what is secret. */

import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, isReadable } from '../config.ts';
import { findFolderProblem } from '../db/private-files.ts';
import { serviceKeyFile } from '../signing/service-key.ts';
import { type Finding, fault, good, unknown, warning } from './finding.ts';

const GIGABYTE = 1e9;
const LEAST_FREE = 2 * GIGABYTE;
const OTHERS = 0o077;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 14;

/** Looks at the room on the disk of the index; with PostgreSQL, of what is kept beside it. */
export async function checkDisk({
  dataDir,
  databaseUrl,
  index: indexFolder = dataDir,
}: Config): Promise<Finding> {
  const place = databaseUrl === undefined ? indexFolder : dataDir;
  const folder = existsSync(place) ? place : dirname(place);
  const { bavail, bsize } = await statfs(existsSync(folder) ? folder : '.');
  return judgeDisk(
    folder,
    bavail * bsize,
    databaseUrl === undefined ? await sizeOfIndex(indexFolder) : undefined,
  );
}

/**
 * A large merge of the index writes a second copy of what it merges: half of what is there has to be free.
 *
 * @param index bytes of it; undefined where it is on another disk
 */
export function judgeDisk(folder: string, free: number, index: number | undefined): Finding {
  const name = 'disk.free';
  const needed = Math.max(LEAST_FREE, (index ?? 0) / 2);
  const about = `${inGb(free)} free in ${folder}${index === undefined ? '' : `, beside an index of ${inGb(index)}`}`;
  if (free >= needed) return good(name, `${about}.`);
  return (free < LEAST_FREE ? fault : warning)(
    name,
    `${about}; ${inGb(needed)} should be.`,
    'Make room, or move COINFRONT_DATA_DIR to a larger disk while the service does not run.',
  );
}

async function sizeOfIndex(dataDir: string): Promise<number> {
  const sizeOf = async (path: string): Promise<number> =>
    (await stat(path).catch(() => undefined))?.size ?? 0;
  const runs = await readdir(join(dataDir, 'chain.db-runs')).catch(() => []);
  const sizes = await Promise.all([
    ...['chain.db', 'chain.db-wal'].map((file) => sizeOf(join(dataDir, file))),
    ...runs.map((file) => sizeOf(join(dataDir, 'chain.db-runs', file))),
  ]);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Where systemd keeps the clock it says whether it is in step; other ways of keeping it say so elsewhere. */
export function checkClockKept(): Finding {
  const name = 'clock.kept';
  if (existsSync('/run/systemd/timesync/synchronized')) return good(name, 'The clock is set by the network.');
  if (existsSync('/run/chrony/chronyd.pid') || existsSync('/run/ntpd.pid') || existsSync('/run/ntpsec.pid'))
    return good(name, 'A service that sets the clock is running.');
  return unknown(name, 'Nothing here says that the clock is set by the network; "timedatectl" may know.');
}

/** Who can read what is secret. */
export function checkFiles(config: Config): Finding[] {
  const { dataDir, databaseUrl, registry, tls, nodeCookieFile } = config;
  const secrets = [
    ...(databaseUrl === undefined ? ['front.db', 'front.db-wal'].map((file) => join(dataDir, file)) : []),
    serviceKeyFile(dataDir, registry.keyFile),
    ...(tls ? [tls.keyFile] : []),
  ].filter((file) => existsSync(file));
  const open = secrets.filter((file) => (statSync(file).mode & OTHERS) !== 0);
  const findings = open.map((file) =>
    fault('files.secret', `${file} can be read by others than its owner.`, `chmod 600 ${file}`),
  );
  if (open.length === 0)
    findings.push(good('files.secret', `${secrets.length} files with secrets are for their owner alone.`));
  if (existsSync(dataDir)) {
    const problem = findFolderProblem(statSync(dataDir), process.geteuid?.() ?? 0);
    findings.push(
      problem === undefined
        ? good('files.folder', `${dataDir} is the service's.`)
        : fault(
            'files.folder',
            `${dataDir}: ${problem}.`,
            `Give it to the service's user, and chmod 700 ${dataDir}.`,
          ),
    );
  }
  if (nodeCookieFile !== undefined && !isReadable(nodeCookieFile))
    findings.push(
      fault(
        'files.cookie',
        `The node's cookie ${nodeCookieFile} cannot be read.`,
        "Run the doctor, and the service, as a user of the node's group, and set -rpccookieperms=group.",
      ),
    );
  return findings;
}

/** A certificate of the service's own that is about to expire. */
export function checkCertificate({ tls }: Config): Finding[] {
  if (tls === undefined) return [];
  const name = 'tls.certificate';
  const { validTo } = new X509Certificate(readFileSync(tls.certFile));
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  const remedy = 'Renew it, and restart the service, which reads it at its start.';
  if (days < 0) return [fault(name, `The certificate expired on ${validTo}.`, remedy)];
  if (days < CERTIFICATE_DAYS) return [warning(name, `The certificate expires in ${days} days.`, remedy)];
  return [good(name, `The certificate is valid for ${days} days.`)];
}

function inGb(bytes: number): string {
  return `${(bytes / GIGABYTE).toFixed(1)} GB`;
}
