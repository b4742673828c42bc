import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/free-ports.ts';
import { waitUntil } from './litecoind.ts';
import { findOwner, runSql } from './postgres.ts';

/** When a pooler gives a connection to PostgreSQL to another client. */
export type PoolMode = 'session' | 'transaction' | 'statement';

/** PgBouncer in front of a PostgreSQL, on loopback. */
export type TestPooler = {
  /** The address of a database of PostgreSQL, through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
};

const BINARY = '/usr/sbin/pgbouncer';

/**
 * Starts PgBouncer with the settings that it comes with, besides the mode and the size of its pool.
 *
 * @param url of PostgreSQL
 * @throws Error when it is not installed
 */
export async function startPooler(url: string, mode: PoolMode): Promise<TestPooler> {
  if (!existsSync(BINARY)) throw new Error('PgBouncer is not installed: apt-get install pgbouncer');
  const owner = findOwner();
  const dir = mkdtempSync(join(tmpdir(), 'coinfront-pgbouncer-'));
  if (owner) chownSync(dir, owner.uid, owner.gid);
  const port = await findFreePort();
  const settings = join(dir, 'pgbouncer.ini');
  const { hostname, port: target, username } = new URL(url);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${target} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 400
`,
  );
  const child: ChildProcess = spawn(BINARY, [settings], { stdio: ['ignore', 'ignore', 'pipe'], ...owner });
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed = (printed + String(chunk)).slice(-2_000);
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  const through = (to: string): string => {
    const led = new URL(to);
    led.port = String(port);
    return led.href;
  };
  await waitUntil('PgBouncer answers', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${printed}`);
    return await runSql(through(url), 'select 1').then(
      () => true,
      () => false,
    );
  });
  return {
    through,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
