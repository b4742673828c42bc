import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeEnvFile, writeEnvText } from './env-file.ts';
import { describeAddress, findNodes } from './find-nodes.ts';
import { judgeMachine } from './judge-machine.ts';
import { judgeNode } from './judge-node.ts';
import { readNodeConf } from './node-conf.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'coinfront-init-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the configuration of a node', () => {
  test('says by which port, user and password its RPC is reached', () => {
    const text =
      '# mine\nserver=1\nrpcuser = alice\nrpcpassword=p@ss # not this\nrpcport=9999\nrpcuser=bob\n';
    expect(readNodeConf(text)).toEqual({ chain: 'main', rpcPort: 9999, user: 'alice', password: 'p@ss' });
  });

  test('has settings of a chain in its section, and the port of another chain nowhere else', () => {
    const text = 'regtest=1\nrpcport=1\nrpcuser=a\n[test]\nrpcport=2\n[regtest]\nrpcport=3\nrpcpassword=b\n';
    expect(readNodeConf(text)).toEqual({ chain: 'regtest', rpcPort: 3, user: 'a', password: 'b' });
    expect(readNodeConf('chain=signet\nrpcport=1').rpcPort).toBeUndefined();
  });
});

describe('nodes at the usual places', () => {
  test('are found by the cookie of each chain that runs, and by user and password', () => {
    mkdirSync(join(home, '.litecoin/regtest'), { recursive: true });
    writeFileSync(join(home, '.litecoin/regtest/.cookie'), '__cookie__:x');
    mkdirSync(join(home, '.bitcoin'));
    writeFileSync(join(home, '.bitcoin/bitcoin.conf'), 'rpcuser=a b\nrpcpassword=c:d/e\n');
    const found = findNodes(home).filter(
      ({ url, cookieFile }) => cookieFile?.startsWith(home) ?? url.includes('@'),
    );
    expect(found).toEqual([
      { url: 'http://a%20b:c%3Ad%2Fe@127.0.0.1:8332', cookieFile: undefined },
      { url: 'http://127.0.0.1:19443', cookieFile: join(home, '.litecoin/regtest/.cookie') },
    ]);
    expect(describeAddress(found[0]!)).toBe('127.0.0.1:8332');
  });
});

describe('the machine', () => {
  const large = { freeDiskBytes: 2e12, memoryBytes: 128e9 };
  const levels = (...args: Parameters<typeof judgeMachine>) =>
    judgeMachine(...args).map(({ level }) => level);

  test('is compared with the size of the chain', () => {
    expect(levels(1e9, large, 'sqlite')).toEqual(['good', 'good']);
    expect(levels(1e9, { ...large, freeDiskBytes: 8e11 }, 'sqlite')).toEqual(['note', 'good']);
    expect(levels(1e9, { ...large, freeDiskBytes: 7e11 }, 'sqlite')).toEqual(['bad', 'good']);
    expect(levels(1e9, { ...large, memoryBytes: 16e9 }, 'sqlite')).toEqual(['good', 'note']);
    expect(levels(1e9, { ...large, memoryBytes: 1e9 }, 'sqlite')).toEqual(['good', 'bad']);
  });

  test('needs no disk where the database has its own, and is not judged by a size that nobody knows', () => {
    expect(levels(1e9, { ...large, freeDiskBytes: 0 }, 'postgres')).toEqual(['note', 'good']);
    expect(levels(undefined, { freeDiskBytes: 0, memoryBytes: 0 }, 'sqlite')).toEqual(['note']);
  });
});

test('a pruned node will not do for a first sync', () => {
  const facts = {
    chain: 'main',
    genesisHash: '00',
    blocks: 900,
    headers: 900,
    initialBlockDownload: false,
    pruned: true,
    pruneHeight: 300,
    version: 290000,
    subversion: '/Satoshi:29.0.0/',
    connections: 8,
    warnings: '',
    relayFee: '0.00001',
    incrementalFee: '0.00001000',
  };
  const look = { facts, rest: true, txindex: false, transactions: 5 };
  expect(judgeNode(look).filter(({ level }) => level === 'bad')).toHaveLength(1);
  expect(judgeNode({ ...look, facts: { ...facts, pruneHeight: 0 } }).map(({ level }) => level)).toEqual([
    'good',
    'good',
  ]);
});

describe('the settings file', () => {
  const settings = new Map([
    ['COINFRONT_NODE_URL', 'http://a:$x%20#y"@127.0.0.1:1'],
    ['COINFRONT_DATA_DIR', '/srv/with space/\\n'],
    ['COINFRONT_COIN', 'litecoin'],
  ]);

  test('gives every value back as it was', () => {
    expect(parseEnv(writeEnvText(settings))).toEqual(Object.fromEntries(settings));
    expect(() => writeEnvText(new Map([['A', "it's"]]))).toThrow(/single quote/);
  });

  test('is read by its owner alone, and is never replaced without being told', () => {
    const file = join(home, 'x.env');
    expect(writeEnvFile(file, 'A=1\n', { replace: false }).ok).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(writeEnvFile(file, 'A=2\n', { replace: false }).ok).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('A=1\n');
    expect(writeEnvFile(file, 'A=3\n', { replace: true }).ok).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('A=3\n');
    expect(existsSync(`${file}.${process.pid}`)).toBe(false);
  });
});
