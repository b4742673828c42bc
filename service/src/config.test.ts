import { readFileSync } from 'node:fs';
import { writeVerifierKey } from '@coinfront/protocol/signed-log/note.ts';
import { describe, expect, test } from 'vitest';
import { readConfig, settingNames } from './config.ts';

const least = { COINFRONT_NODE_URL: 'http://user:pass@127.0.0.1:29667', COINFRONT_COIN: 'coin' };

function problemsOf(env: Record<string, string>): string {
  const result = readConfig({ ...least, ...env });
  return result.ok ? '' : result.problems.join('\n');
}

test('the node and the coin are enough; everything else has a default', () => {
  const result = readConfig(least);
  expect(result).toMatchObject({
    ok: true,
    value: {
      nodeUrl: least.COINFRONT_NODE_URL,
      coin: 'coin',
      dataDir: './data',
      databaseUrl: undefined,
      databaseReadUrl: undefined,
      apiProcesses: 1,
      listen: { host: '127.0.0.1', port: 8080 },
      rateLimitPerMinute: 600,
      trustedProxies: [],
      webhookAllow: [],
      paymentWaitSeconds: 86_400,
      corsOrigins: '*',
      tls: undefined,
    },
  });
  expect(result.ok && [...result.value.roles]).toEqual(['api', 'indexer', 'worker']);
});

test('without settings every missing one is named', () => {
  const result = readConfig({});
  expect(result.ok ? [] : result.problems).toEqual([
    expect.stringContaining('COINFRONT_NODE_URL is not set'),
    expect.stringContaining('COINFRONT_COIN is not set'),
  ]);
});

test('a mistyped name is a problem, and names of other programs are not', () => {
  expect(problemsOf({ COINFRONT_RATELIMIT: '5' })).toContain('COINFRONT_RATELIMIT is not a setting');
  expect(problemsOf({ PATH: '/bin', COINFRONT_TEST_NODE: 'bitcoind' })).toBe('');
});

test('the password of the node is never repeated', () => {
  for (const url of ['ftp://user:hunter2@host', 'user:hunter2@host:1', 'http://hunter2@@:x']) {
    const problems = problemsOf({ COINFRONT_NODE_URL: url });
    expect(problems).toContain('COINFRONT_NODE_URL');
    expect(problems).not.toContain('hunter2');
  }
});

describe('values', () => {
  test.each([
    ['COINFRONT_LISTEN', '[::1]:443', { listen: { host: '::1', port: 443 } }],
    ['COINFRONT_LISTEN', '9000', { listen: { host: '127.0.0.1', port: 9000 } }],
    ['COINFRONT_METRICS_LISTEN', 'off', { metricsListen: undefined }],
    ['COINFRONT_RATE_LIMIT', 'off', { rateLimitPerMinute: undefined }],
    ['COINFRONT_RATE_LIMIT', '42', { rateLimitPerMinute: 42 }],
    ['COINFRONT_PAYMENT_WAIT', '3600', { paymentWaitSeconds: 3_600 }],
    ['COINFRONT_TRUST_PROXY', 'loopback, 10.0.0.0/8', { trustedProxies: ['loopback', '10.0.0.0/8'] }],
    [
      'COINFRONT_CORS_ORIGINS',
      'https://a.example,https://b.example:8443',
      { corsOrigins: ['https://a.example', 'https://b.example:8443'] },
    ],
    ['COINFRONT_PUBLIC_URL', 'https://coin.example/', { publicUrl: 'https://coin.example' }],
    ['COINFRONT_ROLES', 'api, worker', { roles: new Set(['api', 'worker']) }],
    ['COINFRONT_DATABASE_URL', 'postgres://u:p@h/d', { databaseUrl: 'postgres://u:p@h/d' }],
    [
      'COINFRONT_DATABASE_URL',
      'postgres://u:p@h/d, postgres://u:p@i/d',
      { databaseUrl: 'postgres://u:p@h/d, postgres://u:p@i/d' },
    ],
    ['COINFRONT_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    [
      'COINFRONT_WEBHOOK_ALLOW',
      'loopback, 10.0.0.0/8,hooks.internal',
      { webhookAllow: ['loopback', '10.0.0.0/8', 'hooks.internal'] },
    ],
  ])('%s=%s is read', (name, text, value) => {
    expect(readConfig({ ...least, [name]: text })).toMatchObject({ ok: true, value });
  });

  test.each([
    ['COINFRONT_LISTEN', 'host:port'],
    ['COINFRONT_LISTEN', '127.0.0.1:70000'],
    ['COINFRONT_RATE_LIMIT', '0'],
    ['COINFRONT_RATE_LIMIT', '1e3'],
    ['COINFRONT_TRUST_PROXY', 'on'],
    ['COINFRONT_TRUST_PROXY', '10.0.0.0/33'],
    ['COINFRONT_WEBHOOK_ALLOW', '10.0.0.0/33'],
    ['COINFRONT_WEBHOOK_ALLOW', 'http://127.0.0.1'],
    ['COINFRONT_WEBHOOK_ALLOW', '127.1'],
    ['COINFRONT_CORS_ORIGINS', 'https://a.example/path'],
    ['COINFRONT_PUBLIC_URL', 'coin.example'],
    ['COINFRONT_PUBLIC_URL', 'https://u:p@coin.example'],
    ['COINFRONT_ROLES', 'api,miner'],
    ['COINFRONT_API_PROCESSES', '0'],
    ['COINFRONT_DATABASE_URL', 'mysql://h/d'],
    ['COINFRONT_DATABASE_URL', 'postgres://h/d,postgres://h:port/d'],
    ['COINFRONT_DATABASE_READ_URL', 'postgres://h/d'],
    ['COINFRONT_LOG_LEVEL', 'loud'],
    ['COINFRONT_REORG_HORIZON', '0'],
    ['COINFRONT_RICH_LIST', '0'],
    ['COINFRONT_RICH_LIST', 'on'],
    ['COINFRONT_CACHE_MB', '1'],
    ['COINFRONT_TLS_CERT', '/no/such/file'],
    ['COINFRONT_POOL_SOURCE', 'ckpool:'],
    ['COINFRONT_POOL_SOURCE', '/var/log/ckpool'],
    ['COINFRONT_POOL_SOURCE', 'miningcore:http://127.0.0.1:4000'],
    ['COINFRONT_POOL_SOURCE', 'miningcore:http://127.0.0.1:4000#a/b'],
    ['COINFRONT_POOL_SOURCE', 'miningcore:127.0.0.1#one'],
    ['COINFRONT_POOL_SOURCE', 'public-pool:ftp://127.0.0.1'],
    ['COINFRONT_REGISTRY_SLOT', '0'],
    ['COINFRONT_REGISTRY_PORTS', '29666,x'],
    ['COINFRONT_REGISTRY_PORTS', '0'],
    ['COINFRONT_REGISTRY_ALLOW', 'node.example'],
    ['COINFRONT_REGISTRY_REWARD', '-1'],
    ['COINFRONT_REGISTRY_ENDPOINT_PROOF', 'maybe'],
    ['COINFRONT_REGISTRY_CONNECTIONS', '33'],
    ['COINFRONT_POOL_OTHERS', 'ckpool:/a'],
    ['COINFRONT_POOL_OTHERS', 'Home=ckpool:/a'],
    ['COINFRONT_POOL_OTHERS', 'a=ckpool:/a,a=ckpool:/b'],
    ['COINFRONT_POOL_OTHERS', 'a=ckpool:/a,'],
    ['COINFRONT_POOL_OTHERS', Array.from({ length: 9 }, (_, i) => `p${i}=ckpool:/a`).join()],
  ])('%s=%s is refused by name', (name, text) => {
    expect(problemsOf({ [name]: text })).toContain(name);
  });
});

test('pools are read from where the operator says, and a password in their URL is not repeated', () => {
  const result = readConfig({
    ...least,
    COINFRONT_POOL_SOURCE: 'miningcore:http://127.0.0.1:4000/#ltc1',
    COINFRONT_POOL_OTHERS: 'merged=ckpool:/var/log/merged, home=public-pool:https://pool.example/x',
  });
  expect(result).toMatchObject({
    ok: true,
    value: {
      poolSource: { kind: 'miningcore', url: 'http://127.0.0.1:4000', poolId: 'ltc1' },
      otherPools: [
        { name: 'merged', source: { kind: 'ckpool', folder: '/var/log/merged' } },
        { name: 'home', source: { kind: 'public-pool', url: 'https://pool.example/x' } },
      ],
    },
  });
  for (const name of ['COINFRONT_POOL_SOURCE', 'COINFRONT_POOL_OTHERS']) {
    const problems = problemsOf({ [name]: 'x=public-pool:http://user:hidden@127.0.0.1:1' });
    expect(problems).toContain(name);
    expect(problems).not.toContain('hidden');
  }
});

test('every setting is documented, and nothing else is', () => {
  const text = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `(COINFRONT_[A-Z_]+)` \|/gm)].map((match) => match[1]);
  expect(documented).toEqual([...settingNames]);
});

describe('witnesses', () => {
  const [name, publicKey] = ['witness.example/w1', '5a'.repeat(32)];
  const cosigner = writeVerifierKey({ name, type: 'cosignature', publicKey });
  const logKey = writeVerifierKey({ name, type: 'ed25519', publicKey });

  test('are named by verifier key and URL', () => {
    const given = `${cosigner}=https://witness.example/w1/`;
    expect(readConfig({ ...least, COINFRONT_WITNESSES: given })).toMatchObject({
      ok: true,
      value: {
        witnesses: [{ key: { name, type: 'cosignature', publicKey }, url: 'https://witness.example/w1' }],
      },
    });
  });

  test.each([
    ['https://witness.example', 'is not the verifier key of a witness'],
    [`${cosigner}`, 'is not the verifier key of a witness'],
    [`${logKey}=https://witness.example`, 'this key signs no cosignatures'],
    [`${cosigner.replace('+', '-x+')}=https://witness.example`, 'its id is not that of its name and key'],
    [`${cosigner}=ftp://witness.example`, 'is not a URL'],
    [`${cosigner}=https://a.example,${cosigner}=https://b.example`, 'is named twice'],
  ])('%s is refused with what is wrong', (given, words) => {
    const problem = problemsOf({ COINFRONT_WITNESSES: given });
    expect(problem).toContain('COINFRONT_WITNESSES');
    expect(problem).toContain(words);
  });
});
