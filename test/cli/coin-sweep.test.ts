import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoinDesk, filePassphrase, type Machine, openCoinDesk, quickenWallet } from './coin-desk.ts';

let desk: CoinDesk;
let owner: Machine;
let heir: Machine;
let from = '';
let to = '';

beforeAll(async () => {
  desk = await openCoinDesk();
  [owner, heir] = [await desk.newMachine(), await desk.newMachine()];
  for (const machine of [owner, heir]) {
    const { first_address } = await machine.coin('init', '--service', desk.url);
    await quickenWallet(machine);
    if (machine === owner) from = first_address;
    else to = first_address;
  }
  await desk.node.rpc('sendtoaddress', from, 10);
  await desk.mine();
});
afterAll(() => desk?.stop());

test('coin token sweep: a person sees what moves, one transaction moves all of it, and nothing is left to move', async () => {
  const passphrase = ['--yes', '--json', '--passphrase-file', join(owner.home, 'passphrase')];
  const codeOf = async (...argv: string[]) => {
    const { code, json } = await owner.run('token', 'sweep', ...argv, ...passphrase);
    expect(code).not.toBe(0);
    return json.error.code;
  };
  expect(await codeOf(to)).toBe('tokens_missing');
  for (const ticker of ['ONE', 'TWO']) {
    await owner.coin('token', 'create', ticker, '--premine', '7', '--issuer', from);
    await desk.mine();
  }
  const refused = await owner.type(['no'], 'token', 'sweep', to);
  expect(refused.code).toBe(3);
  expect(refused.notes).toContain(`You move all tokens of ${from} to ${to}`);
  expect(refused.notes).toMatch(/ {2}7 ONE \([0-9a-f]{64}\)\s+7 TWO \(/);
  expect(refused.notes).toContain('data     moves all tokens of the sender to output 1');
  expect(await codeOf(from)).toBe('token_invalid');
  expect(await desk.node.rpc<string[]>('getrawmempool')).toEqual([]);

  const sent = await owner.coin('token', 'sweep', to);
  expect(sent).toMatchObject({
    ...{ from, to, leaves_more: false },
    moves: [
      { ticker: 'ONE', amount: '7' },
      { ticker: 'TWO', amount: '7' },
    ],
  });
  await desk.mine();
  expect((await heir.coin('token', 'list')).items).toMatchObject([
    { ticker: 'ONE', balance: '7', is_issuer: false, holder: to },
    { ticker: 'TWO', balance: '7', is_issuer: false, holder: to },
  ]);
  expect((await owner.coin('token', 'list')).items).toMatchObject([
    { ticker: 'ONE', balance: '0', is_issuer: true },
    { ticker: 'TWO', balance: '0', is_issuer: true },
  ]);
  expect(await codeOf(to)).toBe('tokens_missing');
  const typed = await owner.type(['yes', filePassphrase], 'token', 'sweep', to, '--from', to);
  expect(typed).toMatchObject({ code: 1, notes: expect.stringContaining('has no tokens') });
});
