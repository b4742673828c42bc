import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { parseArguments } from './parse-arguments.ts';

/** The name of the command that a line asks for, with its input. */
function parse(...argv: string[]) {
  const parsed = parseArguments(commands, argv);
  return parsed.kind === 'run' ? { name: parsed.command.name, ...parsed } : parsed;
}

describe('a command line', () => {
  test('has a command of one or two words, arguments and options in any order', () => {
    expect(parse('name', 'transfer', '--psbt', 'out', 'a.coin', '--json', 'rltc1q')).toMatchObject({
      name: 'name transfer',
      input: { args: { name: 'a.coin', to: 'rltc1q' }, options: { psbt: 'out' } },
      options: { json: true },
    });
    expect(parse('sign', 'psbt', 'file')).toMatchObject({
      name: 'sign psbt',
      input: { args: { file: 'file' } },
    });
    expect(parse('sign', 'rltc1q', 'psbt')).toMatchObject({
      name: 'sign',
      input: { args: { address: 'rltc1q', message: 'psbt' } },
    });
  });

  test('may have options of all commands before its name', () => {
    expect(parse('--wallet', 'send', '--yes', 'balance')).toMatchObject({
      name: 'balance',
      options: { wallet: 'send', yes: true },
    });
    expect(parse('--service=http://a', 'balance')).toMatchObject({
      name: 'balance',
      options: { service: 'http://a' },
    });
  });

  test('gives all that follows to the last argument that takes it', () => {
    expect(parse('send', 'a', '1', 'b', '2')).toMatchObject({
      input: { args: { payment: ['a', '1', 'b', '2'] } },
    });
  });

  test.each([
    [['sned'], /"sned" is no command/],
    [['name'], /"coin name" needs to know what to do\. See: coin help name/],
    [['name', 'steal'], /"name steal" is no command\. See: coin help name/],
    [['send'], /"coin send" needs <payment>/],
    [['balance', 'now'], /"coin balance" does not take "now"/],
    [['balance', '--passphrase', 'secret'], /Unknown option '--passphrase'/],
    [['balance', '--wallet'], /'--wallet <value>' argument missing/],
    [['address', '--kind', 'p2sh'], /--kind is one of segwit, taproot, legacy; received "p2sh"/],
    [['balance', '--json=no'], /does not take an argument/],
  ])('%j is not understood', (argv, message) => {
    expect(() => parse(...argv)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message) }),
    );
  });

  test('asks for help about one command, a group, or all', () => {
    const helped = (...argv: string[]) => {
      const parsed = parseArguments(commands, argv);
      return parsed.kind === 'help' ? parsed.commands.map(({ name }) => name) : undefined;
    };
    expect(helped('send', '--help')).toEqual(['send']);
    expect(helped('help', 'sign', 'psbt')).toEqual(['sign psbt']);
    expect(helped('help', 'proof')).toEqual(['proof anchor', 'proof verify']);
    expect(helped('proof', '--help')).toEqual(['proof anchor', 'proof verify']);
    expect(helped()).toHaveLength(commands.length);
    expect(helped('-h')).toHaveLength(commands.length);
  });
});

describe('docs/wallet.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/wallet.md'), 'utf8');
  // What another command gives is one word.
  const shown = [...text.matchAll(/^\$ coin (.+)$/gm)].map(([, line]) =>
    line!.replaceAll(/\$\([^)]*\)|\$\{[^}]*\}/g, 'word').replace(/\s+(#|>).*$/, ''),
  );

  test('shows commands that there are, as they are', () => {
    expect(shown.length).toBeGreaterThan(20);
    for (const line of shown) expect(parse(...line.split(/\s+/)), line).toHaveProperty('name');
  });

  test('names no command that is not there', () => {
    const names = commands.map(({ name }) => name);
    const named = [...text.matchAll(/`coin ([a-z]+)(?: ([a-z]+)\b)?/g)].map(([, first, second]) => [
      first,
      second,
    ]);
    for (const [first, second] of named) {
      const isKnown =
        names.some((name) => name === `${first} ${second}` || name.startsWith(`${first} ${second} `)) ||
        names.includes(first!) ||
        first === 'help';
      expect(isKnown, `coin ${first} ${second ?? ''}`).toBe(true);
    }
  });
});

describe('the table of commands', () => {
  test('has every command once, with words that fit a line', () => {
    const names = commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, summary, args } of commands) {
      expect(name).toMatch(/^[a-z]+( [a-z]+){0,2}$/);
      expect(summary.length).toBeLessThan(90);
      expect(args.slice(0, -1).filter(({ optional, rest }) => optional || rest)).toEqual([]);
    }
  });

  test('never takes a secret as an argument, where others see it', () => {
    const options = commands.flatMap((command) => Object.keys(command.options));
    expect(
      options.filter((name) => /passphrase|mnemonic|seed|secret/.test(name) && !name.endsWith('-file')),
    ).toEqual([]);
  });
});
