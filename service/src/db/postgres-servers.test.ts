import { expect, onTestFinished, test } from 'vitest';
import { startPostgres, startStandby } from '../../../test/harness/postgres.ts';
import { createServers, NotPrimaryError } from './postgres-servers.ts';

test('the primary is found among several servers, also after a failover, and one that was replaced is not gone back to', async () => {
  const primary = await startPostgres();
  onTestFinished(() => primary.stop());
  const standby = await startStandby(primary);
  onTestFinished(() => standby.stop());
  const servers = createServers(`${standby.url},${primary.url}`);
  const portOf = (url: string) => Number(new URL(url).port);
  const connect = async (): Promise<number> => {
    const client = await servers.connect({});
    const { rows } = await client.query<{ port: number }>('select inet_server_port() as port');
    await client.end();
    return rows[0]!.port;
  };
  expect(await connect()).toBe(portOf(primary.url));

  await primary.kill();
  await standby.promote();
  expect(await connect()).toBe(portOf(standby.url));

  await primary.resume();
  await standby.halt();
  await expect(connect()).rejects.toThrow(NotPrimaryError);
  await standby.resume();
  expect(await connect()).toBe(portOf(standby.url));
}, 60_000);
