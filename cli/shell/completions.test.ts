import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { writeBashCompletion, writeZshCompletion } from './completions.ts';

const folder = mkdtempSync(join(tmpdir(), 'coin-completion-'));
const script = join(folder, 'coin.bash');
writeFileSync(script, writeBashCompletion(commands));
writeFileSync(join(folder, 'contract.pdf'), '');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash would offer after these words, the last of which is being typed. */
function complete(...words: string[]): string[] {
  const line = ['coin', ...words].map((word) => `'${word}'`).join(' ');
  const run = `source ${script}; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _coin; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', run], { cwd: folder, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe('completions for bash', () => {
  test('offer commands, their second words, and their options', () => {
    expect(complete('s')).toEqual(['send', 'sign', 'state', 'status']);
    expect(complete('name', '').slice(0, 6)).toEqual([
      'show',
      'register',
      'renew',
      'transfer',
      'reverse',
      'records',
    ]);
    expect(complete('token', 'transfer', '--f')).toEqual(['--from', '--fee-rate']);
    expect(complete('--wallet', 'x', 'bal')).toEqual(['balance']);
    expect(complete('send', 'rltc1q', '1', '--ps')).toEqual(['--psbt']);
    expect(complete('help', 'na')).toEqual(['name']);
  });

  test('offer the values of options, and files', () => {
    expect(complete('address', '--kind', '')).toEqual(['segwit', 'taproot', 'legacy']);
    expect(complete('proof', 'anchor', 'con')).toEqual(['contract.pdf']);
    expect(complete('balance', '--wallet', 'con')).toEqual(['contract.pdf']);
  });
});

test('completions for zsh have every command', () => {
  const written = writeZshCompletion(commands);
  for (const { name } of commands) expect(written).toContain(`'${name}'`);
  expect(written.startsWith('#compdef coin\n')).toBe(true);
});
