import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getConfig } from '../../sdk/chain/get-config.ts';
import { createClient } from '../../sdk/client/create-client.ts';
import { mnemonicToSeed } from '../../sdk/wallet/mnemonic.ts';
import { readNetwork } from '../../sdk/wallet/network.ts';
import { openWallet } from '../../sdk/wallet/wallet-keys.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import { type CoinDesk, filePassphrase, type Machine, openCoinDesk, quickenWallet } from './coin-desk.ts';

const execute = promisify(execFile);
const examples = join(import.meta.dirname, '../../examples/wallet');
let desk: CoinDesk;
/** The machine of all that follows; what it made is found again by another one at the end. */
let machine: Machine;
let mnemonic = '';
let address = '';
const fileBytes = randomBytes(50_000);
const fileName = 'the-secret-contract.pdf';

beforeAll(async () => {
  desk = await openCoinDesk();
  machine = await desk.newMachine();
  const made = await machine.coin('init', '--service', desk.url);
  mnemonic = made.mnemonic;
  address = made.first_address;
  await quickenWallet(machine);
});
afterAll(() => desk?.stop());

/** Pays the wallet from the node's. */
async function fund(to: string, coins: number): Promise<void> {
  await desk.node.rpc('sendtoaddress', to, coins);
  await desk.mine();
}

describe('coin, from its first command to its last, at a real service beside a real node', () => {
  test('init: the file is its owner’s alone, holds no word, and is never overwritten', async () => {
    const file = join(machine.home, '.coin', 'wallet.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    expect(mnemonic.split(' ')).toHaveLength(12);
    expect(text).not.toContain(mnemonic.split(' ').slice(0, 2).join(' '));
    const again = await machine.run('init', '--service', desk.url);
    expect(again).toMatchObject({ code: 5, notes: expect.stringContaining('never overwritten') });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('address, balance, history: what was received', async () => {
    expect(await machine.coin('address')).toMatchObject({ address, kind: 'p2wpkh' });
    await fund(address, 20);
    const next = await machine.coin('address');
    expect(next.address).not.toBe(address);
    expect(await machine.coin('balance')).toMatchObject({ spendable: '20.00000000', total: '20.00000000' });
    const { items } = await machine.coin('history');
    expect(items).toMatchObject([{ delta: '20.00000000', confirmed: true }]);
    const people = await machine.run('balance', '--addresses');
    expect(people.out).toMatch(/^spendable {2}20\.00000000 RCOIN\n/);
    expect(people.out).toContain(address);
    const asked = await machine.coin('address', '--kind', 'taproot', '--index', '3', '--amount', '0.5');
    expect(asked).toMatchObject({
      kind: 'p2tr',
      uri: expect.stringMatching(/^coin:rltc1p.*\?amount=0\.50000000$/),
    });
  });

  test('send: a person sees all of it before it is signed, and nothing goes without a yes', async () => {
    const to = await desk.node.newAddress();
    const refused = await machine.type(['no'], 'send', to, '1.5');
    expect(refused.code).toBe(3);
    expect(refused.notes).toContain(`You send 1.50000000 RCOIN to ${to}`);
    expect(refused.notes).toMatch(/pays {5}1\.50000000 RCOIN to/);
    expect(refused.notes).toMatch(/change {3}18\.4999\d{4} RCOIN to rltc1\S+ {2}\(m\/84'\/1'\/0'\/1\/0\)/);
    expect(refused.notes).toMatch(/fee {6}0\.0000\d{4} RCOIN for \d+ vB: \d+\.\d{3} base units a vB/);
    const alone = await machine.run('send', to, '1.5');
    expect(alone).toMatchObject({ code: 3, notes: expect.stringContaining('--yes') });
    const wrong = await machine.type(['yes', 'another passphrase'], 'send', to, '1.5');
    expect(wrong).toMatchObject({ code: 5, notes: expect.stringContaining('passphrase is not that') });
    expect(await desk.node.rpc<string[]>('getrawmempool')).toEqual([]);

    const sent = await machine.type(['yes', filePassphrase], 'send', to, '1.5', '--fee-rate', '2.5');
    expect(sent.code).toBe(0);
    const txid = /^Sent: ([0-9a-f]{64})$/m.exec(sent.out)![1]!;
    expect(await desk.node.rpc<string[]>('getrawmempool')).toEqual([txid]);
    await desk.mine();
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(1.5);
  });

  test.each([
    ['fee_rate_absurd', 'advice of a hundred times the fee', /"per_kvb":"0\.0000/g, '"per_kvb":"0.0100'],
    ['coin_mismatch', 'coins that are worth more than they are', /"value":"1/g, '"value":"9'],
    ['network_mismatch', 'another chain', /"genesis_hash":"5/, '"genesis_hash":"6'],
  ])('send: %s before a service that lies: %s', async (code, _, text, other) => {
    desk.lie(text, other);
    try {
      const to = await desk.node.newAddress();
      const passphrase = ['--yes', '--json', '--passphrase-file', join(machine.home, 'passphrase')];
      expect((await machine.run('send', to, '15', ...passphrase)).json.error.code).toBe(code);
      expect(await desk.node.rpc<string[]>('getrawmempool')).toEqual([]);
    } finally {
      desk.lie();
    }
  });

  test('bump: a higher fee for the same', async () => {
    const to = await desk.node.newAddress();
    const sent = await machine.coin('send', to, '0.25', '--fee-rate', '1');
    const bumped = await machine.coin('bump', sent.txid, '--fee-rate', '20');
    expect(bumped).toMatchObject({ replaces: sent.txid, replaced_fee: sent.fee });
    expect(await desk.node.rpc<string[]>('getrawmempool')).toEqual([bumped.txid]);
    await desk.mine();
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(0.25);
  });

  test('pay: a payment by its id, and a URI', async () => {
    const merchant = await createTestMerchant(desk.service, desk.database);
    const recipient = await desk.node.newAddress();
    const { json } = await merchant.post('/api/v1/payments', {
      recipient,
      amount: '0.75',
      description: 'Order 10023\u202e',
    });
    const shown = await machine.type(['no'], 'pay', `${desk.url}/pay/${json.id}`);
    expect(shown.notes).toContain(`You pay 0.75000000 RCOIN to ${recipient}`);
    // What others wrote cannot turn the direction of what is shown.
    expect(shown.notes).toContain('Order 10023\\u{202e}');
    expect(await machine.coin('pay', json.id)).toMatchObject({ payment_id: json.id, amount: '0.75000000' });
    const other = await desk.node.newAddress();
    await machine.coin('pay', `coin:${other}?amount=0.125&label=Shop`);
    expect(await machine.run('pay', `coin:${other}`)).toMatchObject({ code: 2 });
    await desk.mine();
    expect(await desk.node.rpc<number>('getreceivedbyaddress', recipient)).toBe(0.75);
    expect(await desk.node.rpc<number>('getreceivedbyaddress', other)).toBe(0.125);
  });

  test('proof: a file is anchored by the service and by own coins, and verified without either', async () => {
    const file = join(machine.home, fileName);
    await writeFile(file, fileBytes);
    const own = await machine.coin('proof', 'anchor', file, '--own');
    const other = join(machine.home, 'other.txt');
    await writeFile(other, 'another file');
    expect(await machine.coin('proof', 'anchor', other)).toMatchObject({ result: 'submitted' });
    expect(await machine.run('proof', 'verify', file)).toMatchObject({ code: 6 });
    await desk.mine(8);
    const kept = join(machine.home, 'proof.json');
    const verified = await machine.coin('proof', 'verify', file, '--save', kept);
    expect(verified).toMatchObject({ valid: true, txid: own.txid, headers: 7 });
    expect(await machine.coin('proof', 'verify', other)).toMatchObject({ valid: true });

    const ots = join(machine.home, 'proof.ots');
    const answer = await fetch(`${desk.url}/api/v1/proof/ots/${verified.sha256}`);
    await writeFile(ots, new Uint8Array(await answer.arrayBuffer()));
    expect(await machine.coin('proof', 'verify', file, '--ots', ots)).toMatchObject({
      valid: true,
      block_hash: verified.block_hash,
      headers: 7,
    });
    expect(await machine.run('proof', 'verify', other, '--ots', ots)).toMatchObject({ code: 6 });

    const before = desk.seen.length;
    const trusted = verified.block_hash;
    const offline = await machine.coin('proof', 'verify', file, '--proof', kept, '--trusted-block', trusted);
    expect(offline).toMatchObject({ valid: true, unchecked: [] });
    await writeFile(file, Buffer.concat([fileBytes, Buffer.from('!')]));
    expect(await machine.run('proof', 'verify', file, '--proof', kept)).toMatchObject({ code: 6 });
    expect(desk.seen).toHaveLength(before);
  });

  test('name: registered in two steps, used to be paid, renewed and given away', async () => {
    expect(await machine.coin('name', 'show', 'satchel.coin')).toMatchObject({ available: true });
    const limited = await machine.run(
      'name',
      'register',
      'satchel.coin',
      '--at-most',
      '0.00000001',
      '--yes',
      '--passphrase-file',
      join(machine.home, 'passphrase'),
    );
    expect(limited.code).toBe(1);
    const committed = await machine.coin('name', 'register', 'satchel.coin');
    expect(committed).toMatchObject({ step: 'commit', name: 'satchel.coin' });
    // Asked again too early it commits no second time.
    expect(await machine.coin('name', 'register', 'satchel.coin')).toMatchObject({
      step: 'wait',
      commitment_txid: committed.txid,
    });
    await desk.mine();
    expect(await machine.coin('name', 'register', 'satchel.coin')).toMatchObject({ step: 'wait' });
    await desk.mine(committed.maturity_blocks);
    const registered = await machine.coin('name', 'register', 'satchel.coin');
    expect(registered).toMatchObject({ step: 'register', owner: committed.owner });
    await desk.mine();
    expect((await machine.coin('name', 'list')).items).toMatchObject([
      { name: 'satchel.coin', state: 'registered', owner: committed.owner },
    ]);
    const expiry = (await machine.coin('name', 'show', 'satchel.coin')).record.expiry.height;
    await machine.coin('name', 'renew', 'satchel.coin', '--periods', '2');
    await desk.mine();
    expect((await machine.coin('name', 'show', 'satchel.coin')).record.expiry.height).toBeGreaterThan(expiry);

    const sent = await machine.coin('send', 'satchel.coin', '0.01');
    expect(sent.payments).toMatchObject([{ name: 'satchel.coin', address: committed.owner }]);
    await desk.mine();
  });

  test('name: registered in one go, waiting for the blocks between', async () => {
    const isWaiting = async () => (await desk.node.rpc<string[]>('getrawmempool')).length;
    const registering = machine.coin('name', 'register', 'second.coin', '--wait');
    // Told below, unless something else fails before.
    registering.catch(() => {});
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(1);
    await desk.mine(12);
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(1);
    expect(await registering).toMatchObject({ step: 'register', name: 'second.coin' });
    await desk.mine();
    expect((await machine.coin('name', 'show', 'second.coin')).record).toMatchObject({ state: 'registered' });
  });

  test('name: all that expire soon are renewed at once, each once, within what was allowed', async () => {
    const expiryOf = async (name: string): Promise<number> =>
      (await machine.coin('name', 'show', name)).record.expiry.height;
    const before = [await expiryOf('satchel.coin'), await expiryOf('second.coin')] as const;
    const renewal = ['name', 'renew', '--all'];
    expect(await machine.coin(...renewal, '--within', '1')).toMatchObject({ renewed: [], not_renewed: [] });
    // The first is paid for further ahead.
    const one = await machine.coin(...renewal, '--within', '3000');
    expect(one).toMatchObject({ renewed: [{ name: 'second.coin', cost: '0.10000000' }], cost: '0.10000000' });
    expect(await machine.coin(...renewal, '--within', '3000')).toMatchObject({
      renewed: [],
      not_renewed: ['second.coin: its renewal waits for a block'],
    });
    await desk.mine();
    const passphrase = ['--passphrase-file', join(machine.home, 'passphrase')];
    const dear = await machine.run(...renewal, '--at-most', '0.19', '--yes', ...passphrase);
    expect(dear).toMatchObject({ code: 1, notes: expect.stringContaining('0.20000000') });
    // Nobody is there to be asked: all is shown, nothing is sent.
    const unasked = await machine.run(...renewal, ...passphrase);
    expect(unasked.code).toBe(3);
    for (const shown of ['second.coin', 'satchel.coin', 'in all     0.20000000']) {
      expect(unasked.notes).toContain(shown);
    }
    expect(await desk.node.rpc('getrawmempool')).toEqual([]);
    const two = await machine.coin(...renewal, '--at-most', '0.2', '--fee-rate', '2');
    expect(two.renewed.map(({ name }: { name: string }) => name)).toEqual(['second.coin', 'satchel.coin']);
    expect(two.cost).toBe('0.20000000');
    expect(await machine.coin(...renewal)).toMatchObject({ renewed: [] });
    await desk.mine();
    expect(await expiryOf('satchel.coin')).toBe(before[0] + 2_000);
    expect(await expiryOf('second.coin')).toBe(before[1] + 4_000);
    // What the rules do not allow is left out, and said.
    const far = await machine.coin(...renewal, '--within', '1000000', '--periods', '10');
    expect(far.renewed).toEqual([]);
    expect(far.not_renewed).toHaveLength(2);
    for (const wrong of [
      ['name', 'renew'],
      [...renewal, 'second.coin'],
      [...renewal, '--psbt', 'x'],
    ]) {
      expect((await machine.run(...wrong)).code).toBe(2);
    }
  });

  test('name: an address is shown with a name of the wallet, and with none', async () => {
    const { record } = await machine.coin('name', 'show', 'second.coin');
    const { address: owner } = record.owner;
    await fund(owner, 0.01);
    const isShown = async () => (await machine.coin('name', 'show', 'second.coin')).record.is_reverse;
    expect(await isShown()).toBe(false);
    expect(await machine.coin('name', 'reverse', 'second.coin')).toMatchObject({
      name: 'second.coin',
      address: owner,
      before: null,
    });
    await desk.mine();
    expect(await isShown()).toBe(true);
    const { items } = await machine.coin('name', 'list');
    expect(items.filter((each: { is_reverse: boolean }) => each.is_reverse)).toMatchObject([
      { name: 'second.coin', owner },
    ]);
    const passphrase = ['--passphrase-file', join(machine.home, 'passphrase')];
    for (const [name, code] of [
      ['satchel.coin', 'reverse_other'],
      ['nobodys.coin', 'name_foreign'],
    ] as const) {
      const refused = await machine.run('name', 'reverse', name, '--remove', '--json', ...passphrase);
      expect(refused.code).not.toBe(0);
      expect(refused.notes + refused.out).toContain(code);
    }
    await machine.coin('name', 'reverse', 'second.coin', '--remove');
    await desk.mine();
    expect(await isShown()).toBe(false);
  });

  test('name: text records go on the chain by their hash, are given to the service, shown, and removed', async () => {
    const name = 'second.coin';
    const records = { url: 'https://satchel.example/', email: 'satchel@satchel.example' };
    const set = ['name', 'records', name, '--set', `url=${records.url}; email=${records.email}`];
    expect(await machine.coin('name', 'records', name)).toMatchObject({ state: 'none', records: null });
    const first = await machine.coin(...set);
    expect(first).toMatchObject({ name, step: 'hash', records });
    await desk.mine();
    const { hash } = first;
    expect(await machine.coin('name', 'records', name)).toMatchObject({
      state: 'unknown',
      hash,
      records: null,
    });
    expect(await machine.coin(...set)).toMatchObject({ step: 'document', hash, records });
    expect(await machine.coin('name', 'records', name)).toMatchObject({ state: 'known', hash, records });
    const shown = await machine.run('name', 'records', name);
    expect(shown.out).toContain('email = satchel@satchel.example');
    for (const wrong of ['url', 'url=', 'URL=x', 'a=b;a=c', ''])
      expect((await machine.run('name', 'records', name, '--set', wrong)).code).toBe(2);
    expect((await machine.run(...set, '--remove')).code).toBe(2);
    await machine.coin('name', 'records', name, '--remove');
    await desk.mine();
    expect(await machine.coin('name', 'records', name)).toMatchObject({ state: 'none', hash: null });
  });

  test('token: created, minted, transferred with a raised fee and the same id, and burned', async () => {
    const created = await machine.coin(
      'token',
      'create',
      'BAG',
      '--decimals',
      '2',
      '--premine',
      '10',
      '--mintable',
      '--cap',
      '50',
    );
    const { token_id, issuer } = created;
    await desk.mine();
    expect(await machine.coin('token', 'show', token_id)).toMatchObject({
      ticker: 'BAG',
      issuer: { address: issuer },
      supply: { circulating: '10.00' },
    });
    await machine.coin('token', 'mint', 'BAG', '5.5');
    const description = join(machine.home, 'bag.json');
    await writeFile(description, JSON.stringify({ name: 'Bags', description: 'One for each.' }));
    expect(
      await machine.coin('token', 'describe', 'BAG', description, '--domain', 'coin.example'),
    ).toMatchObject({
      token_id,
      state: 'pending',
    });
    await desk.mine();
    const friend = await desk.node.newAddress();
    const moved = await machine.coin('token', 'transfer', 'BAG', friend, '1.25', '--fee-rate', '1');
    expect(moved).toMatchObject({ token_id, amount: '1.25', to: friend });
    await machine.coin('bump', moved.txid, '--fee-rate', '15');
    await desk.mine();
    await machine.coin('token', 'burn', token_id, '4');
    await desk.mine();
    const { items } = await machine.coin('token', 'list');
    expect(items).toMatchObject([{ token_id, balance: '10.25', is_issuer: true, holder: issuer }]);
    const holders = (await desk.service.get(`/api/v1/tokens/${token_id}/holders`)).json.items;
    expect(holders).toContainEqual(expect.objectContaining({ address: friend, balance: '1.25' }));
    const passphrase = ['--yes', '--passphrase-file', join(machine.home, 'passphrase')];
    const tooMuch = await machine.run('token', 'burn', 'BAG', '100', ...passphrase);
    expect(tooMuch).toMatchObject({ code: 1, notes: expect.stringContaining('10.25 BAG') });
  });

  test('treasury: joined under a pseudonym, given to, and verified', async () => {
    const joined = await machine.coin('treasury', 'join', '--nickname', 'Seamstress');
    expect(joined).toMatchObject({ nickname: 'Seamstress', public_display: false });
    const given = await machine.coin('treasury', 'contribute', '0.25');
    const pending = await machine.coin('treasury', 'verify', given.intent_id, given.txid);
    expect(pending).toMatchObject({ state: 'pending', amount: '0.25000000' });
    const bumped = await machine.coin('bump', given.txid, '--fee-rate', '12');
    await desk.mine(3);
    await expect
      .poll(async () => (await machine.coin('treasury', 'me')).verified_total, { timeout: 60_000 })
      .toBe('0.25000000');
    expect(await machine.coin('treasury', 'verify', given.intent_id, bumped.txid)).toMatchObject({
      state: 'verified',
      matched_by: 'carrier',
    });
    expect(await machine.coin('treasury', 'profile', '--public')).toMatchObject({ public_display: true });
    expect(await machine.coin('treasury', 'status')).toMatchObject({ contributors: 1 });
    const [{ sequence }] = (await machine.coin('treasury', 'me')).contributions;
    const kept = join(machine.home, 'receipt.json');
    const receipt = await machine.coin('treasury', 'receipt', String(sequence), '--save', kept);
    expect(receipt).toMatchObject({ valid: true, opening: { contributor_id: joined.id } });
    const at = ['--service', desk.service.origin];
    const ledger = await machine.coin('treasury', 'ledger', '--receipt', kept, ...at);
    expect(ledger).toMatchObject({ sound: true });
    expect(await machine.coin('treasury', 'ledger', '--since', ledger.head, ...at)).toMatchObject({
      sound: true,
      entries: 1,
    });
    const another = ledger.head.replace(/:.*/, `:${'00'.repeat(32)}`);
    expect(await machine.run('treasury', 'ledger', '--since', another, ...at)).toMatchObject({ code: 6 });
    const strange = await machine.run('treasury', 'ledger', '--key', '00'.repeat(32), ...at);
    expect(strange).toMatchObject({ code: 6 });
  });

  test('treasury claim: a gift that no intent had is credited to the wallet that sent it, and to no other', async () => {
    const { address: treasuryAddress } = (await desk.service.get('/api/treasury/status')).json;
    const before = await machine.coin('treasury', 'me');
    const { txid } = await machine.coin('send', treasuryAddress, '0.125');
    await desk.mine();
    const outputOf = async () => {
      const { json } = await desk.service.get('/api/treasury/ledger?limit=20');
      return json.items.find((entry: { txid: string; amount: string }) => entry.txid === txid);
    };
    await expect.poll(async () => (await outputOf())?.kind, { timeout: 60_000 }).toBe('unattributed');
    const gift = `${txid}:${(await outputOf()).vout}`;
    const [{ prevout }] = (await desk.service.get(`/api/v1/tx/${txid}`)).json.inputs;
    const sender: string = prevout.address;

    const stranger = await desk.newMachine();
    await stranger.coin('init', '--service', desk.url);
    await stranger.coin('treasury', 'join');
    const passphrase = ['--yes', '--json', '--passphrase-file', join(stranger.home, 'passphrase')];
    const foreign = await stranger.run('treasury', 'claim', gift, sender, ...passphrase);
    expect(foreign.json.error.code).toBe('address_foreign');
    const { address: own } = await stranger.coin('address');
    const notSender = await stranger.run('treasury', 'claim', gift, own, ...passphrase);
    expect(notSender.json.error.code).toBe('claim_invalid');

    const shown = await machine.type([filePassphrase, 'no'], 'treasury', 'claim', gift, sender);
    expect(shown).toMatchObject({ code: 3, notes: expect.stringContaining(`Output: ${gift}`) });
    expect(shown.notes).toContain(`Contributor: ${before.id}`);
    const claimed = await machine.coin('treasury', 'claim', gift, sender);
    expect(claimed).toMatchObject({ amount: '0.12500000', contributor_id: before.id });
    await desk.mine(3);
    await expect
      .poll(async () => (await machine.coin('treasury', 'me')).verified_total, { timeout: 60_000 })
      .toBe('0.37500000');
    const { contributions } = await machine.coin('treasury', 'me');
    expect(contributions).toContainEqual(expect.objectContaining({ txid, assigned_by: 'claim' }));
    const again = await machine.coin('treasury', 'claim', gift, sender);
    expect(again).toMatchObject({ state: 'credited' });
  });

  test('node: registered by a key of the wallet and its payout address, for the right registry only', async () => {
    await expect
      .poll(async () => (await machine.coin('node', 'status')).registry_key, { timeout: 60_000 })
      .toMatch(/^[0-9a-f]{64}$/);
    const endpoint = '127.0.0.1:29666';
    const passphrase = ['--yes', '--passphrase-file', join(machine.home, 'passphrase')];
    const elsewhere = await machine.run(
      'node',
      'register',
      endpoint,
      '--domain',
      'other.example',
      ...passphrase,
    );
    expect(elsewhere).toMatchObject({ code: 1, notes: expect.stringContaining('another text') });
    const foreign = await machine.run(
      'node',
      'register',
      endpoint,
      '--registry-key',
      '00'.repeat(32),
      ...passphrase,
    );
    expect(foreign).toMatchObject({ code: 1, notes: expect.stringContaining('not the one that you trust') });
    const made = await machine.coin(
      'node',
      'register',
      endpoint,
      '--domain',
      'coin.example',
      '--payout',
      address,
    );
    expect(made).toMatchObject({ state: 'verified', endpoint, payout_address: address });
    expect(await machine.coin('node', 'show')).toMatchObject({ node_key: made.node_key, state: 'active' });
  });

  test('sign and verify: a message, of each kind of address', async () => {
    for (const kind of ['segwit', 'taproot', 'legacy']) {
      const own = (await machine.coin('address', '--kind', kind, '--index', '0')).address;
      const { signature } = await machine.coin('sign', own, 'I am the owner');
      expect(await machine.coin('verify', own, signature, 'I am the owner')).toMatchObject({ valid: true });
      expect(await machine.run('verify', own, signature, 'I am not')).toMatchObject({ code: 6 });
    }
    const passphrase = ['--yes', '--passphrase-file', join(machine.home, 'passphrase')];
    const foreign = await machine.run('sign', await desk.node.newAddress(), 'x', ...passphrase);
    expect(foreign).toMatchObject({ code: 1, notes: expect.stringContaining('none of the first') });
  });

  test('a wallet that only watches builds, the one with keys signs offline, the first sends', async () => {
    const watcher = await desk.newMachine();
    const exported = join(watcher.home, 'watch.json');
    await writeFile(exported, JSON.stringify(await machine.coin('export')));
    const found = await watcher.coin('restore', '--watch-only', exported, '--service', desk.url);
    expect(found.total).toBe((await machine.coin('balance')).total);
    const to = await desk.node.newAddress();
    expect(await watcher.run('send', to, '0.5', '--yes')).toMatchObject({ code: 5 });
    const unsigned = join(watcher.home, 'unsigned.psbt');
    await watcher.coin('send', to, '0.5', '--psbt', unsigned);
    const before = desk.seen.length;
    const signed = join(machine.home, 'signed.psbt');
    const shown = await machine.type(['no'], 'sign', 'psbt', unsigned);
    expect(shown.notes).toContain(`0.50000000 RCOIN to ${to}`);
    await machine.coin('sign', 'psbt', unsigned, '--out', signed);
    expect(desk.seen).toHaveLength(before);
    await watcher.coin('send', 'psbt', signed);
    await desk.mine();
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(0.5);
  });

  test('the examples pay from a script, and sign on a machine without a network', async () => {
    const words = join(machine.home, 'words');
    await writeFile(words, mnemonic);
    const example = async (name: string, ...args: string[]) =>
      (await execute(process.execPath, [join(examples, name), ...args])).stdout.trim();
    const to = await desk.node.newAddress();
    const txid = await example('pay.ts', desk.url, words, to, '0.3');
    expect(await desk.node.rpc<string[]>('getrawmempool')).toEqual([txid]);
    await desk.mine();

    const watchFile = join(machine.home, 'watch.json');
    await writeFile(watchFile, JSON.stringify(await machine.coin('export')));
    const unsigned = join(machine.home, 'offline.psbt');
    await machine.coin('send', to, '0.2', '--psbt', unsigned);
    const before = desk.seen.length;
    const shown = await example('sign-offline.ts', watchFile, words, unsigned);
    expect(shown).toContain(`external 0.20000000 RCOIN ${to}`);
    await expect(example('sign-offline.ts', watchFile, words, unsigned, '00')).rejects.toThrow(
      'approval_mismatch',
    );
    const approval = /^approval ([0-9a-f]{64})$/m.exec(shown)![1]!;
    const signed = join(machine.home, 'offline-signed.psbt');
    await writeFile(signed, await example('sign-offline.ts', watchFile, words, unsigned, approval));
    expect(desk.seen).toHaveLength(before);
    await machine.coin('send', 'psbt', signed);
    await desk.mine();
    expect(await desk.node.rpc<number>('getreceivedbyaddress', to)).toBe(0.5);
  });

  test('status: the wallet and the service fit', async () => {
    expect(await machine.coin('status')).toMatchObject({
      coin: 'Regtest Coin',
      lag_blocks: 0,
      service: desk.url,
    });
  });

  test('restore on an empty machine: balance, names and tokens are found, and a name is given away', async () => {
    const before = await machine.coin('balance');
    const empty = await desk.newMachine();
    const words = join(empty.home, 'words');
    await writeFile(words, `${mnemonic.toUpperCase().replaceAll(' ', '\n')}\n`);
    const restored = await empty.coin('restore', '--mnemonic-file', words, '--service', desk.url);
    expect(restored).toMatchObject({
      total: before.total,
      names: expect.arrayContaining([expect.objectContaining({ name: 'satchel.coin', state: 'registered' })]),
      tokens: [{ ticker: 'BAG', balance: '10.25', is_issuer: true }],
    });
    const to = await desk.node.newAddress();
    await empty.coin('name', 'transfer', 'satchel.coin', to);
    await desk.mine();
    expect((await empty.coin('name', 'show', 'satchel.coin')).record.owner.address).toBe(to);
    const typed = await desk.newMachine();
    const wrong = await typed.type([`${mnemonic} abandon`], 'restore', '--service', desk.url);
    expect(wrong).toMatchObject({ code: 1, notes: expect.stringContaining('12 or 24 words') });
  });

  test('the service never saw a key, seed, word, passphrase, file byte or file name', async () => {
    const network = readNetwork(await getConfig(createClient({ baseUrl: desk.service.origin })));
    const { keys, watch } = openWallet({ mnemonic, network });
    const words = mnemonic.split(' ');
    const texts = [
      ...words.slice(1).map((word, index) => `${words[index]} ${word}`),
      filePassphrase,
      'correct horse',
      fileName,
      'secret-contract',
      ...watch.accounts.map(({ xpub }) => xpub),
      'xprv',
      'tprv',
    ];
    const bytes: Uint8Array[] = [
      mnemonicToSeed(mnemonic),
      keys.nodeKey(0),
      fileBytes.subarray(0, 32),
      fileBytes.subarray(-32),
    ];
    for (const { kind } of watch.accounts) {
      for (const chain of [0, 1] as const) {
        for (let index = 0; index < 12; index += 1) bytes.push(keys.privateKeyOf({ kind, chain, index }));
      }
    }
    const sent = Buffer.concat(desk.seen);
    const lower = sent.toString('latin1').toLowerCase();
    expect(lower).toContain('/api/v1/broadcast');
    for (const text of texts) {
      for (const form of [text, encodeURIComponent(text), text.replaceAll(' ', '+')]) {
        expect(lower.includes(form.toLowerCase()), text).toBe(false);
      }
    }
    for (const each of bytes) {
      expect(sent.includes(each)).toBe(false);
      expect(lower.includes(bytesToHex(each))).toBe(false);
      expect(lower.includes(Buffer.from(each).toString('base64').slice(0, 40).toLowerCase())).toBe(false);
    }
    // What a treasury knows its contributor by goes there; it leads to no key.
    expect(lower.includes(bytesToHex(keys.contributorSecret(0)))).toBe(true);
    expect(lower.includes(bytesToHex(keys.contributorSecret(1)))).toBe(false);
    // A name's salt is revealed by its register: that is what it is for.
    expect(lower.includes(bytesToHex(keys.nameSalt('satchel.coin')))).toBe(true);
    expect(lower.includes(bytesToHex(keys.nameSalt('another.coin')))).toBe(false);
  });
});
