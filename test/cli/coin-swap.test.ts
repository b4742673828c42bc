import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoinDesk, type Machine, openCoinDesk, quickenWallet } from './coin-desk.ts';

const PRICE = '2.5';
const CONFIRMATIONS = 2;
const OP_RETURN = 0x6a;

let desk: CoinDesk;
let seller: Machine;
let buyer: Machine;
let holder = '';
let tokenId = '';
let round = 0;

beforeAll(async () => {
  desk = await openCoinDesk();
  [seller, buyer] = [await desk.newMachine(), await desk.newMachine()];
  for (const machine of [seller, buyer]) {
    const { first_address } = await machine.coin('init', '--service', desk.url);
    await quickenWallet(machine);
    if (machine === seller) holder = first_address;
    await desk.node.rpc('sendtoaddress', first_address, 20);
  }
  await desk.mine();
  const made = ['SWAP', '--premine', '10', '--decimals', '2', '--issuer', holder];
  ({ token_id: tokenId } = await seller.coin('token', 'create', ...made));
  await desk.mine();
});
afterAll(() => desk?.stop());

/** A file of this round, in the folder of a machine. */
const fileOf = ({ home }: Machine, name: string) => join(home, `${round}-${name}.json`);
const swap = (machine: Machine, step: string, ...args: string[]) =>
  machine.coin('token', 'swap', step, ...args);
/** Runs a step that has to fail; its code. */
const refused = async (machine: Machine, step: string, ...args: string[]): Promise<string> => {
  const passphrase = ['--yes', '--json', '--passphrase-file', join(machine.home, 'passphrase')];
  const { code, json } = await machine.run('token', 'swap', step, ...args, ...passphrase);
  expect([step, code]).not.toEqual([step, 0]);
  return json.error.code;
};
const tokensOf = async (address: string): Promise<string> => {
  const { items } = (await desk.service.get(`/api/v1/addresses/${address}/tokens`)).json;
  return items.find(({ token_id }: { token_id: string }) => token_id === tokenId)?.balance ?? '0.00';
};
const mempool = () => desk.node.rpc<string[]>('getrawmempool');

/** The steps up to the funding, which is signed and not sent. */
async function prepare(amount: string, ...options: string[]) {
  round++;
  const [offer, accept] = [fileOf(seller, 'offer'), fileOf(buyer, 'accept')];
  const [funding, refund] = [fileOf(seller, 'funding'), fileOf(buyer, 'refund')];
  const offered = await swap(seller, 'offer', 'SWAP', amount, PRICE, offer, ...options);
  const accepted = await swap(buyer, 'accept', offer, accept);
  expect(accepted.swap).toBe(offered.swap);
  await swap(seller, 'prepare', accept, funding);
  const { escrow } = await swap(buyer, 'sign', funding, refund);
  return { id: offered.swap as string, terms: accepted, offer, accept, funding, refund, escrow };
}

/** The same, and the tokens are in the escrow for long enough. */
async function fund(amount: string, ...options: string[]) {
  const made = await prepare(amount, ...options);
  await swap(seller, 'fund', made.refund);
  await desk.mine(CONFIRMATIONS);
  return made;
}

const buy = (id: string, file: string) =>
  swap(buyer, 'buy', id, file, '--confirmations', String(CONFIRMATIONS));

test('two wallets swap tokens against coins by files, and each sees what it signs', async () => {
  const { id, terms, refund, escrow } = await prepare('2.50');
  expect(terms).toMatchObject({ token_id: tokenId, ticker: 'SWAP', amount: '2.50', price: '2.50000000' });
  expect(await mempool()).toEqual([]);
  const signed = fileOf(buyer, 'swap');
  expect(await refused(buyer, 'buy', id, signed)).not.toBe('misused');

  await swap(seller, 'fund', refund);
  await desk.mine();
  expect([await tokensOf(escrow), await tokensOf(holder)]).toEqual(['2.50', '7.50']);
  // One block is fewer than were asked for.
  expect(await refused(buyer, 'buy', id, signed, '--confirmations', '2')).toBe('swap_not_funded');
  expect(await refused(seller, 'refund', id)).toBe('swap_early');
  await desk.mine();

  const shown = await buyer.type(['no'], 'token', 'swap', 'buy', id, signed, '--confirmations', '2');
  expect(shown.code).toBe(3);
  expect(shown.notes).toContain('tokens   2.50 SWAP');
  expect(shown.notes).toContain('price    2.50000000 RCOIN');
  expect(shown.notes).toMatch(/leaves {3}2\.50\d{6} RCOIN leave the wallet/);
  await buy(id, signed);
  const asked = await seller.type(['no'], 'token', 'swap', 'complete', signed);
  expect(asked).toMatchObject({ code: 3, notes: expect.stringContaining('You get 2.5') });
  expect(await mempool()).toEqual([]);
  const { txid } = await swap(seller, 'complete', signed);
  expect(await mempool()).toEqual([txid]);
  await desk.mine();

  expect([await tokensOf(escrow), await tokensOf(terms.buyer)]).toEqual(['0.00', '2.50']);
  expect((await buyer.coin('token', 'list')).items).toMatchObject([{ token_id: tokenId, balance: '2.50' }]);
  const paid = await desk.node.rpc<{ total_amount: number }>('scantxoutset', 'start', [
    `addr(${terms.seller})`,
  ]);
  expect(paid.total_amount).toBeGreaterThan(2.5);
  // It is over: nothing is left to take back or to get back.
  expect(await refused(buyer, 'cancel', id)).toBe('swap_done');
  const { items } = await swap(seller, 'list');
  expect(items).toMatchObject([{ swap: id, role: 'seller', state: 'sent', txid }]);
});

test('where the buyer is never seen again, the seller has the tokens back after the agreed block', async () => {
  const { id, terms, escrow } = await fund('1.00', '--refund-in', '25');
  const before = await tokensOf(holder);
  expect(await refused(seller, 'refund', id)).toBe('swap_early');
  const height = await desk.node.rpc<number>('getblockcount');
  await desk.mine(terms.refund_after - height);
  // The buyer comes back too late for a swap, which the refund could overtake.
  expect(await refused(buyer, 'buy', id, fileOf(buyer, 'late'))).toBe('swap_late');
  const { txid } = await swap(seller, 'refund', id);
  expect(await mempool()).toEqual([txid]);
  await desk.mine();
  expect([await tokensOf(escrow), await tokensOf(terms.seller)]).toEqual(['0.00', '1.00']);
  expect(await tokensOf(holder)).toBe(before);
});

test('where the seller does not complete it, the buyer takes back what was signed', async () => {
  const { id, escrow } = await fund('1.00');
  const signed = fileOf(buyer, 'swap');
  expect(await refused(buyer, 'cancel', id)).toBe('swap_not_ready');
  await buy(id, signed);
  const { txid } = await swap(buyer, 'cancel', id);
  expect(await mempool()).toEqual([txid]);
  await desk.mine();
  expect(await refused(seller, 'complete', signed)).not.toBe('misused');
  expect(await mempool()).toEqual([]);
  expect(await tokensOf(escrow)).toBe('1.00');
});

test('the buyer signs the refund of one funding of an escrow, ever', async () => {
  const { id, accept, funding, refund } = await prepare('0.50');
  // Preparing again gives the same funding, and signing again the same refund.
  const [again, resigned] = [fileOf(seller, 'again'), fileOf(buyer, 'again')];
  await swap(seller, 'prepare', accept, again);
  expect(await readFile(again, 'utf8')).toBe(await readFile(funding, 'utf8'));
  await swap(buyer, 'sign', again, resigned);
  expect(await readFile(resigned, 'utf8')).toBe(await readFile(refund, 'utf8'));
  // A seller who makes another one all the same is refused.
  const kept = join(seller.home, '.coin', 'swaps', `${id}.json`);
  const { funding: _, ...without } = JSON.parse(await readFile(kept, 'utf8'));
  await writeFile(kept, JSON.stringify(without));
  const other = fileOf(seller, 'other');
  await swap(seller, 'prepare', accept, other, '--fee-rate', '7');
  expect(await readFile(other, 'utf8')).not.toBe(await readFile(funding, 'utf8'));
  expect(await refused(buyer, 'sign', other, fileOf(buyer, 'other'))).toBe('swap_changed');
});

test('tokens that are gone before the funding are noticed, and nothing is sent', async () => {
  const { id, refund } = await prepare('1.00');
  const held = await tokensOf(holder);
  const away = await desk.node.newAddress();
  await seller.coin('token', 'transfer', 'SWAP', away, held, '--from', holder);
  await desk.mine();
  expect(await refused(seller, 'fund', refund)).not.toBe('misused');
  expect(await mempool()).toEqual([]);
  expect(await refused(buyer, 'buy', id, fileOf(buyer, 'swap'))).not.toBe('misused');
  expect(await refused(seller, 'refund', id)).toBe('swap_not_ready');
});

test('files with anything else than what was agreed are refused by both, before a signature', async () => {
  const back = (await buyer.coin('token', 'list')).items[0];
  await buyer.coin('token', 'transfer', tokenId, holder, back.balance);
  await desk.mine();
  const { id, offer, accept, funding, refund } = await fund('1.00');
  const signed = fileOf(buyer, 'swap');
  await buy(id, signed);
  let count = 0;
  const change = async (file: string, alter: (json: Record<string, never>) => void): Promise<string> => {
    const json = JSON.parse(await readFile(file, 'utf8'));
    alter(json);
    const path = fileOf(seller, `changed-${count++}`);
    await writeFile(path, JSON.stringify(json));
    return path;
  };
  const out = () => fileOf(seller, `out-${count++}`);
  type Json = { terms: Record<string, unknown>; psbt: string; funding: string; step: string };
  const changed = (file: string, alter: (json: Json) => void) =>
    change(file, alter as unknown as (json: Record<string, never>) => void);

  const dearer = (json: Json) => {
    json.terms.price = '100';
  };
  for (const file of [accept, refund, signed]) {
    const step = file === accept ? 'prepare' : file === refund ? 'fund' : 'complete';
    const args = file === accept ? [out()] : [];
    expect([step, await refused(seller, step, await changed(file, dearer), ...args)]).toEqual([
      step,
      step === 'prepare' || step === 'fund' || step === 'complete' ? expect.stringMatching(/^swap_/) : '',
    ]);
  }
  expect(await refused(buyer, 'sign', await changed(funding, dearer), out())).toMatch(/^swap_/);
  const later = (json: Json) => {
    json.terms.refund_after = Number(json.terms.refund_after) + 1;
  };
  expect(await refused(buyer, 'sign', await changed(funding, later), out())).toBe('swap_changed');
  // A funding that is none of these terms.
  const other = (json: Json) => {
    const { outputs } = getValue(parseTransaction(getHexBytes(json.funding)));
    const carrier = bytesToHex(outputs.find(({ script }) => script[0] === OP_RETURN)!.script);
    json.funding = json.funding.replace(carrier, `6b${carrier.slice(2)}`);
  };
  const wrong = await changed(funding, other);
  expect(await refused(buyer, 'sign', wrong, out())).toBe('swap_changed');
  // Nor is it signed by a buyer who has seen no other.
  const kept = join(buyer.home, '.coin', 'swaps', `${id}.json`);
  const whole = await readFile(kept, 'utf8');
  const { funding: _, ...without } = JSON.parse(whole);
  await writeFile(kept, JSON.stringify(without));
  expect(await refused(buyer, 'sign', wrong, out())).toBe('swap_mismatch');
  await writeFile(kept, whole);
  // The PSBT of the refund where the swap should be.
  const { psbt } = JSON.parse(await readFile(refund, 'utf8'));
  const mixed = await changed(signed, (json) => {
    json.psbt = psbt;
  });
  expect(await refused(seller, 'complete', mixed)).toBe('swap_mismatch');
  const garbled = await changed(signed, (json) => {
    json.psbt = json.psbt.slice(0, 40);
  });
  expect(await refused(seller, 'complete', garbled)).toBe('psbt_invalid');
  // Steps are not mixed up, files of others not taken, an offer not accepted twice, and none overwritten.
  expect(await refused(seller, 'complete', refund)).toBe('swap_unreadable');
  expect(await refused(buyer, 'accept', offer, out())).toBe('swap_known');
  expect(await refused(buyer, 'complete', signed)).toBe('swap_missing');
  const foreign = await changed(offer, (json) => {
    Object.assign(json, { genesis_hash: '00'.repeat(32) });
  });
  expect(await refused(buyer, 'accept', foreign, out())).toBe('swap_unreadable');
  await writeFile(fileOf(seller, 'junk'), '[1, 2');
  expect(await refused(buyer, 'accept', fileOf(seller, 'junk'), out())).toBe('swap_unreadable');
  expect(await mempool()).toEqual([]);

  // What was agreed goes through all the same.
  await swap(seller, 'complete', signed);
  await desk.mine();
  expect((await buyer.coin('token', 'list')).items).toContainEqual(
    expect.objectContaining({ token_id: tokenId, balance: '1.00' }),
  );
});
