import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../harness/litecoind.ts';
import { type CoinDesk, type Machine, openCoinDesk, quickenWallet } from './coin-desk.ts';

/** Confirmations from which a proof is final on regtest. */
const FINAL = 6;

let desk: CoinDesk;
let machine: Machine;

beforeAll(async () => {
  desk = await openCoinDesk({ COINFRONT_CALENDAR_INTERVAL: '1' });
  machine = await desk.newMachine();
  await machine.coin('init', '--service', desk.url);
  await quickenWallet(machine);
});
afterAll(() => desk?.stop());

async function newFile(name: string): Promise<string> {
  const path = join(machine.home, name);
  await writeFile(path, randomBytes(10_000));
  return path;
}

const stateOf = async (sha256: string) => (await desk.service.get(`/api/v1/proof/leaf/${sha256}`)).json.state;

/** Hands a file to the calendar, and waits until its transaction is on its way. */
async function hand(file: string): Promise<{ sha256: string; txid: string }> {
  const { sha256 } = await machine.coin('proof', 'anchor', file, '--calendar');
  await waitUntil('the root is on its way', async () => (await stateOf(sha256)) === 'mempool');
  const { json } = await desk.service.get(`/api/v1/proof/leaf/${sha256}`);
  return { sha256, txid: json.pending[0].txid };
}

describe('coin and the calendar, at a real service beside a real node', () => {
  test('a digest is pending, then in a block, then final, and its saved proof needs no service', async () => {
    const file = await newFile('contract.pdf');
    const before = await machine.run('proof', 'verify', file);
    expect(before).toMatchObject({ code: 6, out: 'Not proven: The digest is in no block yet.\n' });

    const taken = await machine.coin('proof', 'anchor', file, '--calendar');
    expect(taken).toMatchObject({ result: 'leaf', txid: null, accepted_at: expect.any(String) });
    const { sha256, txid } = await hand(file);
    expect(sha256).toBe(taken.sha256);
    const kept = join(machine.home, 'contract.proof.json');
    const waits = await machine.run('proof', 'verify', file, '--save', kept);
    expect(waits).toMatchObject({ code: 6, out: expect.stringContaining(`Transaction ${txid} carries it`) });
    expect((await machine.run('proof', 'verify', file, '--json')).json).toEqual({
      sha256,
      valid: false,
      code: 'proof_missing',
      detail: 'The digest is in no block yet.',
      calendar: 'mempool',
    });

    await desk.mine();
    expect(await stateOf(sha256)).toBe('confirmed');
    const block = await desk.node.rpc<string>('getbestblockhash');
    expect(await machine.coin('proof', 'verify', file)).toMatchObject({
      ...{ valid: true, txid, block_hash: block, headers: 1 },
    });

    await desk.mine(FINAL - 1);
    expect(await stateOf(sha256)).toBe('final');
    // What was in no block was not saved: the name is free.
    const saved = await machine.coin('proof', 'verify', file, '--save', kept);
    expect(saved).toMatchObject({ valid: true, txid, block_hash: block, headers: FINAL });
    const text = await readFile(kept, 'utf8');
    expect(JSON.parse(text).proof.leaf.path).toEqual(expect.any(Array));

    const sent = desk.seen.length;
    const offline = await machine.coin('proof', 'verify', file, '--proof', kept, '--trusted-block', block);
    expect(offline).toMatchObject({ valid: true, txid, block_hash: block });
    expect(desk.seen.length).toBe(sent);

    // Neither another file nor a proof in which one digit is another.
    const other = await newFile('other.pdf');
    expect(await machine.run('proof', 'verify', other, '--proof', kept)).toMatchObject({ code: 6 });
    const { root } = JSON.parse(text).proof.leaf;
    const changed = `${root.slice(0, -1)}${root.endsWith('0') ? '1' : '0'}`;
    const forged = join(machine.home, 'forged.json');
    await writeFile(forged, text.replace(root, changed));
    expect(await machine.run('proof', 'verify', file, '--proof', forged)).toMatchObject({ code: 6 });
  });

  test('a proof is saved as a file of OpenTimestamps, which leads to the same block', async () => {
    const file = await newFile('deed.pdf');
    const ots = join(machine.home, 'deed.pdf.ots');
    const { txid } = await hand(file);
    const early = await machine.run('proof', 'verify', file, '--save-ots', ots);
    expect(early).toMatchObject({ code: 6, out: expect.stringContaining(txid) });
    await desk.mine();
    const { block_hash } = await machine.coin('proof', 'verify', file, '--save-ots', ots);
    expect(await machine.coin('proof', 'verify', file, '--ots', ots)).toMatchObject({
      valid: true,
      block_hash,
    });
    const again = await machine.run('proof', 'verify', file, '--save-ots', ots);
    expect(again.code).not.toBe(0);
    const both = await machine.run('proof', 'verify', file, '--save-ots', ots, '--ots', ots);
    expect(both).toMatchObject({ code: 2 });
  });

  test('a digest whose block is undone is pending again, and proven by its next block', async () => {
    const file = await newFile('minutes.pdf');
    const { sha256 } = await hand(file);
    await desk.mine();
    const { block_hash } = await machine.coin('proof', 'verify', file);
    await desk.node.rpc('invalidateblock', block_hash);
    const address = await desk.node.newAddress();
    for (let i = 0; i < 2; i++) await desk.node.rpc('generateblock', address, []);
    await desk.service.waitForTip();
    await waitUntil('it is on its way again', async () => (await stateOf(sha256)) === 'mempool');
    expect(await machine.run('proof', 'verify', file)).toMatchObject({ code: 6 });
    await desk.mine();
    const anew = await machine.coin('proof', 'verify', file);
    expect(anew.valid).toBe(true);
    expect(anew.block_hash).not.toBe(block_hash);
  });

  test('only its digest goes to the service; own coins and the calendar are not asked for at once', async () => {
    const secret = Buffer.from(`the price is ${randomBytes(16).toString('hex')}`);
    const file = join(machine.home, 'offer.txt');
    await writeFile(file, secret);
    const { sha256 } = await machine.coin('proof', 'anchor', file, '--calendar');
    const sent = Buffer.concat(desk.seen);
    expect(sent.includes(sha256)).toBe(true);
    for (const part of [secret.subarray(13), Buffer.from('offer.txt')])
      expect(sent.includes(part)).toBe(false);
    for (const other of ['--own', '--psbt=-'])
      expect(await machine.run('proof', 'anchor', file, '--calendar', other)).toMatchObject({ code: 2 });
    expect(await machine.type(['no'], 'proof', 'anchor', file, '--calendar')).toMatchObject({ code: 3 });
  });
});

describe('coin before a service without a calendar', () => {
  test('says that there is none', async () => {
    const without = await openCoinDesk({ COINFRONT_CALENDAR_INTERVAL: 'off' });
    try {
      const other = await without.newMachine();
      await other.coin('init', '--service', without.url);
      const ran = await other.run('proof', 'anchor', 'ab'.repeat(32), '--calendar', '--yes', '--json');
      expect(ran.code).not.toBe(0);
      expect(ran.json.error.code).toBe('calendar_off');
    } finally {
      await without.stop();
    }
  });
});
