import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import {
  makeMatureCoins,
  mineCoins,
  mineExactly,
  type RawCoin,
  type RawOutput,
  type RawTx,
  send,
  spend,
} from './raw-coins.ts';
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
  coins = await makeMatureCoins(node, { count: 60, value: VALUE, owner: 1 });
  [young] = (await mineCoins(node, 1, 2)) as [RawCoin];
  const { limitclustercount = 25 } = await node.rpc<{ limitclustercount?: number }>('getmempoolinfo');
  longestChain = limitclustercount;
});
afterAll(() => node.stop());

function nextCoin(): RawCoin {
  return coins.shift()!;
}

/** A transaction of one fresh coin to these outputs; by default all but the fee to an owner. */
function make(outputs: RawOutput[] = [{ value: VALUE - FEE, owner: 3 }]): RawTx {
  return spend([nextCoin()], outputs);
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

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  const broadcast = (hex: string) => service.post('/api/v1/broadcast', { raw_tx: hex });

  test('reaches the node, is known from then on, and is answered alike each time, mined or not', async () => {
    const tx = make();
    const sent = await broadcast(tx.hex);
    expect([sent.status, sent.json]).toEqual([200, { txid: tx.txid, already_known: false }]);
    expect(await node.rpc('getrawmempool')).toContain(tx.txid);
    expect((await broadcast(tx.hex.toUpperCase())).json).toEqual({ txid: tx.txid, already_known: true });
    await service.waitForMempool();
    expect((await broadcast(tx.hex)).json).toEqual({ txid: tx.txid, already_known: true });
    const [hash] = await node.mine(1);
    // The node knows the block before the service does.
    expect((await broadcast(tx.hex)).json).toEqual({ txid: tx.txid, already_known: true });
    await service.waitForTip(hash);
    expect((await broadcast(tx.hex)).json).toEqual({ txid: tx.txid, already_known: true });
    // With all outputs spent the node has forgotten it; the index has not.
    await service.waitForTip(await mineExactly(node, [spend(tx.coins, [{ value: FEE, owner: 4 }])]));
    expect((await broadcast(tx.hex)).json).toEqual({ txid: tx.txid, already_known: true });
    expect((await getJson(service, `/api/v1/tx/${tx.txid}`)).confirmations).toBe(2);
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
    expect((await broadcast(tx.hex)).json).toEqual({ txid: tx.txid, already_known: false });
  });
});
