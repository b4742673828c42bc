import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../service/src/config.ts';
import { findDebianProgram } from '../harness/debian-program.ts';

/** container/compose.yaml as docker-compose understands it, against what the programs in it take. No container is started. */

const CONTAINER = join(import.meta.dirname, '../../container');
const variables = {
  DOMAIN: 'coin.example',
  RPC_PASSWORD: 'of-the-node',
  DATABASE_PASSWORD: 'of-the-database',
};
const run = (program: string, args: string[], env: Record<string, string> = {}, input = ''): string =>
  execFileSync(program, args, {
    cwd: CONTAINER,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    input,
    stdio: 'pipe',
  });
const isThere = (): boolean => {
  try {
    return run('docker-compose', ['--version']).includes('version');
  } catch {
    console.warn('container/compose.yaml is not looked at: docker-compose is not installed.');
    return false;
  }
};

type Service = {
  build?: { context: string; dockerfile: string };
  image?: string;
  command?: string | string[];
  environment?: Record<string, string>;
  ports?: unknown[];
  volumes: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
};
type Compose = {
  services: Record<'node' | 'database' | 'coinfront' | 'proxy', Service>;
  networks: { inside: { ipam: { config: { subnet: string }[] } } };
};

/** Values of the image that begin with a name of a setting. */
function readImageSettings(): Record<string, string> {
  const text = readFileSync(join(CONTAINER, 'Containerfile'), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/(COINFRONT_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
}

describe.skipIf(!isThere())('container/compose.yaml', () => {
  let compose: Compose;
  beforeAll(() => {
    const resolved = run('docker-compose', ['--file', 'compose.yaml', 'config'], variables);
    // Its interpreter brings what reads YAML.
    const convert = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';
    compose = JSON.parse(run('python3', ['-c', convert], {}, resolved));
  });

  test.each(Object.keys(variables))('does not start without %s', (name) => {
    const others = { ...variables, [name]: '' };
    expect(() => run('docker-compose', ['--file', 'compose.yaml', 'config'], others)).toThrow(name);
  });

  test('gives the service settings that it takes, of the node and the database beside it', () => {
    const image = readImageSettings();
    const { environment, volumes, depends_on } = compose.services.coinfront;
    const read = readConfig({ ...image, ...environment });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    expect(new URL(read.value.nodeUrl).hostname).toBe('node');
    expect(new URL(read.value.nodeUrl).password).toBe(variables.RPC_PASSWORD);
    const { username, password, hostname, pathname } = new URL(read.value.databaseUrl!);
    const { environment: database, healthcheck } = compose.services.database;
    expect([username, password, hostname, pathname]).toEqual([
      database!.POSTGRES_USER,
      database!.POSTGRES_PASSWORD,
      'database',
      `/${database!.POSTGRES_DB}`,
    ]);
    expect(depends_on!.database).toEqual({ condition: 'service_healthy' });
    expect(healthcheck).toBeDefined();
    expect(volumes).toEqual([`coinfront:${image.COINFRONT_DATA_DIR}:rw`]);
    expect(read.value.listen).toEqual({ host: '0.0.0.0', port: 8080 });
    expect(compose.services.proxy.command).toMatch(/ --to coinfront:8080$/);
  });

  test('believes and lets in its own network, and opens the proxy alone', () => {
    const { subnet } = compose.networks.inside.ipam.config[0]!;
    expect(compose.services.coinfront.environment!.COINFRONT_TRUST_PROXY).toBe(subnet);
    expect(compose.services.node.command).toContain(`-rpcallowip=${subnet}`);
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(['proxy']);
  });

  test('says to node and proxy what they know, and builds from files that are there', () => {
    const help = run('litecoind', ['-help', '-help-debug']);
    const options = (compose.services.node.command as string[]).map((option) => option.split('=')[0]!);
    expect(options.filter((option) => !new RegExp(`^ *${option}\\b`, 'm').test(help))).toEqual([]);
    const caddy = findDebianProgram('caddy', 'caddy', '/usr/bin/caddy');
    const proxy = run(caddy, ['reverse-proxy', '--help']);
    for (const option of ['--from', '--to']) expect(proxy).toContain(option);
    const builds = Object.values(compose.services).flatMap(({ build }) => (build ? [build] : []));
    expect(builds).toHaveLength(2);
    for (const { context, dockerfile } of builds) expect(existsSync(join(context, dockerfile))).toBe(true);
  });
});
