import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateExamples } from '../service/src/parts/chain/examples-state.ts';

const run = promisify(execFile);
const coin = join(import.meta.dirname, 'coin');
let folder = '';
/** A service that says what its coin is, and answers nothing else. */
let server: Server;
let url = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coin-main-'));
  server = createServer((request, response) => {
    if (request.url === '/api/v1/config') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(stateExamples.config));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A program in a terminal of its own, before which somebody sits. */
function startInTerminal(command: string) {
  const child: ChildProcess = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...process.env, HOME: folder },
  });
  let shown = '';
  child.stdout!.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  return {
    shown: () => shown,
    /** Waits until this is shown; gives what of it was matched. */
    async see(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = pattern.exec(shown);
        if (match) return match;
        await once(child.stdout!, 'data');
      }
    },
    type: (line: string) => void child.stdin!.write(`${line}\n`),
    ended: once(child, 'exit').then(([code]) => code as number),
  };
}

describe('coin as a program', () => {
  test('prints its help, and ends with the codes that scripts rely on', async () => {
    const { stdout } = await run(coin, ['help']);
    expect(stdout).toContain('Usage: coin <command>');
    await expect(run(coin, ['sned'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('sned'),
    });
    await expect(run(coin, ['status', '--service', 'http://127.0.0.1:9'])).rejects.toMatchObject({
      code: 4,
      stderr: expect.stringContaining('http://127.0.0.1:9 gave no whole answer'),
    });
    await expect(run(coin, ['balance', '--wallet', join(folder, 'none'), '--json'])).rejects.toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^\{"error":\{"code":"wallet_missing"/),
    });
  });

  test('shows a person the words, has some typed back, and never shows the passphrase', async () => {
    const terminal = startInTerminal(`${coin} init --service ${url}`);
    await terminal.see(/type word (\d+): /);
    const words = [...terminal.shown().matchAll(/(\d+)\. ([a-z]+)/g)].map((match) => match[2]!);
    expect(words).toHaveLength(12);
    const wordAt = (text: string) => words[Number(text) - 1]!;
    terminal.type(wordAt(/type word (\d+): /.exec(terminal.shown())![1]!));
    const second = await terminal.see(/type word \d+: [\s\S]*type word (\d+): /);
    terminal.type(wordAt(second[1]!));
    await terminal.see(/Passphrase for the wallet file: /);
    terminal.type('not to be shown');
    await terminal.see(/The same again: /);
    terminal.type('not to be shown');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain('Receive at ');
    expect(terminal.shown()).not.toContain('not to be shown');
  });

  test('makes no wallet for who did not write the words down', async () => {
    const terminal = startInTerminal(`${coin} init --service ${url} --wallet ${join(folder, 'other.json')}`);
    await terminal.see(/type word \d+: /);
    terminal.type('nothing');
    expect(await terminal.ended).toBe(3);
    await expect(run(coin, ['address', '--wallet', join(folder, 'other.json')])).rejects.toMatchObject({
      code: 5,
    });
  });

  test('says so when the answer cannot be written, and does not end as if it had been', async () => {
    await writeFile(join(folder, 'pass'), 'from a file\n');
    const wallet = join(folder, 'full.json');
    const command = `${coin} init --service ${url} --wallet ${wallet} --passphrase-file ${join(folder, 'pass')}`;
    await expect(run('sh', ['-c', `${command} --json > /dev/full`])).rejects.toMatchObject({
      code: 9,
      stderr: expect.stringContaining('could not be written'),
    });
  });

  test('reads the passphrase from a descriptor, and ends by Ctrl-C', async () => {
    const wallet = join(folder, 'third.json');
    await writeFile(join(folder, 'pass'), 'from a descriptor\n');
    const made = await run('sh', [
      '-c',
      `${coin} init --service ${url} --wallet ${wallet} --passphrase-fd 3 --json 3<${join(folder, 'pass')}`,
    ]);
    expect(JSON.parse(made.stdout)).toMatchObject({ wallet });

    const waiting = spawn(process.execPath, [
      join(import.meta.dirname, 'main.ts'),
      'balance',
      '--wallet',
      wallet,
    ]);
    await once(server, 'request');
    const ended = once(waiting, 'exit');
    waiting.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });
});
