import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  addressOfOwner,
  makeMatureCoins,
  mineCoins,
  mineExactly,
  type RawCoin,
  type RawOutput,
  type RawTx,
  send,
  spend,
} from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { getJson } from './read-api.ts';

const VALUE = 10_000_000n;
const FEE = 10_000n;
/** Says that a transaction may be replaced (BIP-125). */
const REPLACEABLE = 0xffff_fffd;
const P2PKH = Uint8Array.of(0x76, 0xa9, 20, ...new Uint8Array(20), 0x88, 0xac);
const HASH_OP = 0xa8;

let node: TestNode;
let coins: RawCoin[];
let young: RawCoin;
/** Unconfirmed transactions that may depend on each other. */
let longestChain: number;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  coins = await makeMatureCoins(node, { count: 160, value: VALUE, owner: 1 });
  [young] = (await mineCoins(node, 1, 2)) as [RawCoin];
  const { limitclustercount = 25 } = await node.rpc<{ limitclustercount?: number }>('getmempoolinfo');
  longestChain = limitclustercount;
});
afterAll(() => node.stop());

/** Owners that nobody else pays. */
let lastOwner = 1_000;
const nextOwner = () => ++lastOwner;

function nextCoin(): RawCoin {
  return coins.shift()!;
}

/** A transaction of one fresh coin to these outputs; by default all but the fee to an owner. */
function make(outputs: RawOutput[] = [{ value: VALUE - FEE, owner: 3 }]): RawTx {
  return spend([nextCoin()], outputs);
}

/** The answer to one that is there already. */
const known = ({ txid }: RawTx) => ({ txid, already_known: true, visibility: 'visible' });

/** A transaction that was sent, and the coin that it spends. */
type Sent = { tx: RawTx; coin: RawCoin };

/** Sends a transaction of one fresh coin to a fresh owner. */
async function sendTo(service: TestService, path: string): Promise<Sent> {
  const coin = nextCoin();
  const tx = spend([coin], [{ value: VALUE - FEE, owner: nextOwner() }]);
  // What was answered before is kept while nothing changes.
  await Promise.all([
    service.get(`/api/v1/tx/${tx.txid}`),
    service.get(`/api/v1/utxos/${addressOfOwner(tx.coins[0]!.owner)}`),
    service.get(`/esplora/tx/${coin.txid}/outspend/${coin.vout}`),
  ]);
  const answer = await service.post(path, path.startsWith('/api') ? { raw_tx: tx.hex } : tx.hex);
  if (path.startsWith('/api')) {
    expect(answer.json).toEqual({ txid: tx.txid, already_known: false, visibility: 'visible' });
  } else {
    expect([answer.status, answer.text, answer.headers.get('x-chain-visibility')]).toEqual([
      200,
      tx.txid,
      'visible',
    ]);
  }
  return { tx, coin };
}

/** Each read that a transaction changes shows it, the first time that it is asked. */
async function expectShown(service: TestService, { tx, coin }: Sent): Promise<void> {
  const address = addressOfOwner(tx.coins[0]!.owner);
  const read = async (path: string) => {
    const { status, json } = await service.get(path);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  const [shown, parent, utxos, owner, outspend, txids, recent] = await Promise.all([
    read(`/api/v1/tx/${tx.txid}`),
    read(`/api/v1/tx/${coin.txid}`),
    read(`/api/v1/utxos/${address}`),
    read(`/api/v1/address/${address}`),
    read(`/esplora/tx/${coin.txid}/outspend/${coin.vout}`),
    read('/esplora/mempool/txids'),
    read('/esplora/mempool/recent'),
  ]);
  expect(shown).toMatchObject({ txid: tx.txid, confirmed: false });
  expect(parent.outputs[coin.vout].spent_by).toMatchObject({ txid: tx.txid });
  expect(utxos.items).toMatchObject([{ txid: tx.txid, vout: 0 }]);
  expect(owner.mempool).toMatchObject({ tx_count: 1, received_count: 1 });
  expect(outspend).toMatchObject({ spent: true, txid: tx.txid });
  expect(txids).toContain(tx.txid);
  expect(recent.length).toBeGreaterThan(0);
}

type Refused = { hex: string; code: string; status: number; reason: RegExp };

/** Transactions that the node refuses, and what the API must make of it. */
const refusals: Record<string, () => Refused | Promise<Refused>> = {
  'bytes that are no transaction': () => ({
    hex: 'ab'.repeat(60),
    code: 'transaction_undecodable',
    status: 400,
    reason: /^Not a serialised transaction/,
  }),
  'a transaction cut off': () => ({
    hex: make().hex.slice(0, -2),
    code: 'transaction_undecodable',
    status: 400,
    reason: /^Not a serialised transaction/,
  }),
  'an output that does not exist': () => ({
    hex: spend([{ ...nextCoin(), txid: 'a'.repeat(64) }], [{ value: VALUE - FEE, owner: 4 }]).hex,
    code: 'missing_inputs',
    status: 422,
    reason: /missingorspent/,
  }),
  'an output that a block spent': async () => {
    const coin = nextCoin();
    await mineExactly(node, [spend([coin], [{ value: VALUE - FEE, owner: 4 }])]);
    const hex = spend([coin], [{ value: VALUE - 2n * FEE, owner: 5 }]).hex;
    return { hex, code: 'missing_inputs', status: 422, reason: /missingorspent/ };
  },
  'a coin that an unconfirmed transaction spends for good': async () => {
    const coin = nextCoin();
    const first = await send(node, spend([coin], [{ value: VALUE - FEE, owner: 4 }]));
    // Of what it conflicts with it spends an output, too, for nodes that would replace anything.
    const { hex } = spend([coin, first.coins[0]!], [{ value: 2n * (VALUE - 9n * FEE), owner: 5 }]);
    return { hex, code: 'mempool_conflict', status: 409, reason: /mempool-conflict|spends-conflicting-tx/ };
  },
  'a replacement that pays no more': async () => {
    const coin = nextCoin();
    await send(node, spend([coin], [{ value: VALUE - FEE, owner: 4 }], { sequence: REPLACEABLE }));
    const hex = spend([coin], [{ value: VALUE - FEE + 1n, owner: 5 }]).hex;
    return { hex, code: 'replacement_fee_too_low', status: 409, reason: /insufficient fee/ };
  },
  'no fee': () => ({
    hex: make([{ value: VALUE, owner: 4 }]).hex,
    code: 'fee_too_low',
    status: 422,
    reason: /min relay fee not met/,
  }),
  'nearly everything as fee': () => ({
    hex: make([{ value: 100_000n, owner: 4 }]).hex,
    code: 'fee_too_high',
    status: 422,
    reason: /fee/i,
  }),
  'more than it has': () => ({
    hex: make([{ value: VALUE + 1n, owner: 4 }]).hex,
    code: 'transaction_invalid',
    status: 422,
    reason: /bad-txns-in-belowout/,
  }),
  'an output of dust': () => ({
    hex: make([
      { value: VALUE - FEE - 1n, owner: 4 },
      { value: 1n, owner: 4 },
    ]).hex,
    code: 'output_dust',
    status: 422,
    reason: /dust/,
  }),
  'a script that nodes do not relay': () => ({
    hex: make([{ value: VALUE - FEE, script: Uint8Array.of(HASH_OP) }]).hex,
    code: 'transaction_nonstandard',
    status: 422,
    reason: /scriptpubkey/,
  }),
  'a wrong witness': () => ({
    hex: spend([{ ...nextCoin(), owner: 99 }], [{ value: VALUE - FEE, owner: 4 }]).hex,
    code: 'script_verification_failed',
    status: 422,
    reason: /script-verify-flag/,
  }),
  'a lock time to come': async () => ({
    hex: spend([nextCoin()], [{ value: VALUE - FEE, owner: 4 }], {
      locktime: (await node.rpc<number>('getblockcount')) + 10,
      sequence: REPLACEABLE,
    }).hex,
    code: 'not_final',
    status: 422,
    reason: /non-final/,
  }),
  'a coinbase that is not mature': () => ({
    hex: spend([young], [{ value: young.value - FEE, owner: 4 }]).hex,
    code: 'coinbase_immature',
    status: 422,
    reason: /premature-spend-of-coinbase/,
  }),
  'more than 100,000 virtual bytes': () => ({
    hex: make(new Array(3_100).fill({ value: 3_000n, script: P2PKH })).hex,
    code: 'transaction_too_large',
    status: 422,
    reason: /tx-size/,
  }),
  'the first that makes a chain too long': async () => {
    let last = make();
    for (let step = 0; step < longestChain; step += 1) {
      await send(node, last);
      last = spend(last.coins, [{ value: last.coins[0]!.value - FEE, owner: 4 }]);
    }
    const reason = /too-long-mempool-chain|too-large-cluster/;
    return { hex: last.hex, code: 'mempool_chain_too_long', status: 422, reason };
  },
};

forEachEngine('a broadcast', (engine) => {
  let service: TestService;
  let database: DatabaseLocation;

  beforeAll(async () => {
    database = await engine.openUrl();
    service = await startService({ nodeUrl: node.url, database });
  });
  afterAll(() => service.stop());

  test('to a process that only answers is shown by it, and by the one that indexes, from its answer on', async () => {
    const front = await startService({
      nodeUrl: node.url,
      database,
      settings: { COINFRONT_ROLES: 'api' },
    });
    // On SQLite nothing tells the indexer: it takes until its next look.
    const rounds = engine.kind === 'postgres' ? 3 : 1;
    for (const path of ['/api/v1/broadcast', '/esplora/tx']) {
      for (let round = 0; round < rounds; round++) {
        const sent = await sendTo(front, path);
        await expectShown(front, sent);
        await expectShown(service, sent);
      }
    }
    await front.stop();
  });

  const broadcast = (hex: string) => service.post('/api/v1/broadcast', { raw_tx: hex });

  test('reaches the node, is known from then on, and is answered alike each time, mined or not', async () => {
    const tx = make();
    const sent = await broadcast(tx.hex);
    expect([sent.status, sent.json]).toEqual([
      200,
      { txid: tx.txid, already_known: false, visibility: 'visible' },
    ]);
    expect(await node.rpc('getrawmempool')).toContain(tx.txid);
    expect((await broadcast(tx.hex.toUpperCase())).json).toEqual(known(tx));
    const [hash] = await node.mine(1);
    // The node knows the block before the service does.
    expect((await broadcast(tx.hex)).json).toEqual(known(tx));
    await service.waitForTip(hash);
    expect((await broadcast(tx.hex)).json).toEqual(known(tx));
    // With all outputs spent the node has forgotten it; the index has not.
    await service.waitForTip(await mineExactly(node, [spend(tx.coins, [{ value: FEE, owner: 4 }])]));
    expect((await broadcast(tx.hex)).json).toEqual(known(tx));
    expect((await getJson(service, `/api/v1/tx/${tx.txid}`)).confirmations).toBe(2);
  });

  for (const path of ['/api/v1/broadcast', '/esplora/tx']) {
    test(`to ${path} is shown by every read from its answer on, one after another and many at once`, async () => {
      for (let round = 0; round < 3; round++) await expectShown(service, await sendTo(service, path));
      const many = await Promise.all(Array.from({ length: 8 }, () => sendTo(service, path)));
      for (const sent of many) await expectShown(service, sent);
    });
  }

  test('of a chain of transactions is shown as one', async () => {
    let last = make();
    const chain = [last];
    for (let step = 0; step < 5; step++) {
      last = spend(last.coins, [{ value: last.coins[0]!.value - FEE, owner: nextOwner() }]);
      chain.push(last);
    }
    for (const { hex } of chain) expect((await broadcast(hex)).json.visibility).toBe('visible');
    await expectShown(service, { tx: last, coin: chain.at(-2)!.coins[0]! });
  });

  test('that another replaces at once is never shown in its place', async () => {
    const coin = nextCoin();
    const pay = (fee: bigint) =>
      spend([coin], [{ value: VALUE - fee, owner: nextOwner() }], { sequence: REPLACEABLE });
    const bids = [1n, 3n, 5n, 7n].map((times) => pay(times * FEE));
    const answers = await Promise.all(bids.map(({ hex }) => broadcast(hex)));
    const best = bids.at(-1)!;
    for (const [i, { status, json }] of answers.entries()) {
      if (bids[i] === best) expect([status, json.visibility]).toEqual([200, 'visible']);
      else if (status === 200) expect(['visible', 'dropped']).toContain(json.visibility);
      else expect(json.code).toMatch(/^(replacement_fee_too_low|mempool_conflict)$/);
    }
    await expectShown(service, { tx: best, coin });
  });

  test('over Esplora takes the bare hex and answers the bare txid', async () => {
    const tx = make();
    const sent = await service.post('/esplora/tx', tx.hex);
    expect([sent.status, sent.text]).toEqual([200, tx.txid]);
    expect(await node.rpc('getrawmempool')).toContain(tx.txid);
    expect((await service.post('/esplora/tx', tx.hex)).text).toBe(tx.txid);
  });

  for (const [what, prepare] of Object.entries(refusals)) {
    test(`of ${what} is refused with its code and the node's reason`, async () => {
      const { hex, code, status, reason } = await prepare();
      await service.waitForTip();
      const answer = await broadcast(hex);
      expect([answer.json.code, answer.status, answer.json.status]).toEqual([code, status, status]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.json.detail.replace('The node refused the transaction: ', '')).toMatch(reason);
      const overEsplora = await service.post('/esplora/tx', hex);
      expect(overEsplora.status).toBe(400);
      expect(overEsplora.text).toMatch(new RegExp(reason.source.replace('^', ''), reason.flags));
    });
  }

  test('is answered with node_unavailable while the node is gone, and taken when it is back', async () => {
    const tx = make();
    await node.pause();
    const refused = await broadcast(tx.hex);
    expect([refused.status, refused.json.code]).toEqual([503, 'node_unavailable']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await node.start();
    expect((await broadcast(tx.hex)).json).toMatchObject({ txid: tx.txid, already_known: false });
  });
});
