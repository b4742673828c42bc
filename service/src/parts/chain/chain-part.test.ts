import { blockHashOf } from '@coinfront/protocol/block.ts';
import { getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { verifyMerkleBranch } from '@coinfront/protocol/merkle.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { DatabaseUnavailableError } from '../../db/database.ts';
import { NodeError } from '../../node/node-error.ts';
import {
  addressOf,
  createFixtureServer,
  fixtureFacts,
  fixtureProfile,
  makeFixtureChain,
  makeUnknownTx,
  miner,
  payee,
  polled,
  scriptOf,
} from '../../testing/fixture-server.ts';

const { app, chain, sent, context } = createFixtureServer();
const payment = chain.txs.find(({ tx }) => tx.outputs.length === 32)!;
const pending = chain.txs.find(({ height }) => height === undefined)!;

beforeAll(() => app.ready());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await app.inject({ url: `/api/v1${path}`, headers });
  return {
    status: response.statusCode,
    headers: response.headers,
    json: () => response.json(),
    body: response.body,
  };
}

/** All items of a paged list. */
async function getAll(path: string, limit: number): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor = '';
  for (let pages = 0; pages < 100; pages++) {
    const separator = path.includes('?') ? '&' : '?';
    const response = await get(`${path}${separator}limit=${limit}${cursor}`);
    expect(response.status, response.body).toBe(200);
    const page = response.json();
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    cursor = `&cursor=${page.next_cursor}`;
  }
  throw new Error('the list does not end');
}

describe('blocks', () => {
  test('the list goes from the tip to genesis without gap or repetition', async () => {
    const items = await getAll('/blocks', 50);
    expect(items.map(({ height }) => height)).toEqual(Array.from({ length: 121 }, (_, i) => 120 - i));
  });

  test('a block is the same by height and by hash', async () => {
    const hash = toDisplayHash(chain.blocks[110]!.hash);
    const byHeight = await get('/block/110');
    expect(byHeight.status).toBe(200);
    expect((await get(`/block/${hash.toUpperCase()}`)).json()).toEqual(byHeight.json());
    expect(byHeight.json()).toMatchObject({
      hash,
      confirmations: 11,
      tx_count: 2,
      fees: '0.99999000',
      coinbase_value: '50.99999000',
      issued: '50.00000000',
      previous_hash: toDisplayHash(chain.blocks[109]!.hash),
      next_hash: toDisplayHash(chain.blocks[111]!.hash),
    });
  });

  test('genesis has no previous block and the tip no next one', async () => {
    expect((await get('/block/0')).json().previous_hash).toBeNull();
    expect((await get('/block/120')).json().next_hash).toBeNull();
  });

  test('the transactions of a block are paged in block order', async () => {
    const first = (await get('/block/110?limit=1')).json().transactions;
    const second = (await get(`/block/110?limit=1&cursor=${first.next_cursor}`)).json().transactions;
    expect([first.items[0].position, second.items[0].position]).toEqual([0, 1]);
    expect(second).toMatchObject({ items: [{ txid: toDisplayHash(payment.txid) }], next_cursor: null });
  });

  test.each(['121', '999999999', 'f'.repeat(64)])('block %s is not found', async (id) => {
    const response = await get(`/block/${id}`);
    expect([response.status, response.json().code]).toEqual([404, 'block_not_found']);
  });

  test('a buried block may be kept for longer than one near the tip', async () => {
    expect((await get('/block/3')).headers['cache-control']).toBe('public, max-age=600');
    expect((await get('/block/118')).headers['cache-control']).toBe('public, max-age=2');
  });
});

describe('transactions', () => {
  test('a confirmed one shows what it spends, what spends it, its fee and its block', async () => {
    const tx = (await get(`/tx/${toDisplayHash(payment.txid)}`)).json();
    expect(tx).toMatchObject({
      confirmed: true,
      confirmations: 11,
      block: { height: 110, position: 1 },
      fee: '0.99999000',
      rbf_signaled: true,
      input_count: 1,
      output_count: 32,
      next_output: null,
      inputs: [{ prevout: { value: '50.00000000', address: addressOf(miner) }, witness: ['0102', ''] }],
    });
    expect(tx.outputs[0]).toMatchObject({
      address: addressOf(payee),
      script_type: 'witness_v0_keyhash',
      spent_by: { vin: 0, height: 120 },
    });
    expect(tx.outputs[2].spent_by).toMatchObject({ txid: toDisplayHash(pending.txid), height: null });
    expect(tx.outputs[30]).toMatchObject({ script_type: 'nulldata', data: '01020304', unspendable: true });
  });

  test('a pending one says so', async () => {
    const tx = (await get(`/tx/${toDisplayHash(pending.txid)}`)).json();
    expect(tx).toMatchObject({ confirmed: false, confirmations: 0, block: null, fee: '0.00010000' });
  });

  test('a coinbase has no fee and spends nothing', async () => {
    const tx = (await get(`/tx/${toDisplayHash(chain.txs[5]!.txid)}`)).json();
    expect(tx).toMatchObject({
      coinbase: true,
      fee: null,
      inputs: [{ coinbase: true, txid: null, prevout: null }],
    });
  });

  test('raw bytes hash to the txid', async () => {
    const { raw_tx, size } = (await get(`/tx/${toDisplayHash(payment.txid)}/raw`)).json();
    expect(getHexBytes(raw_tx)).toEqual(Uint8Array.from(payment.raw));
    expect(size).toBe(payment.raw.length);
  });

  test('a proof verifies against its own header, which hashes to the block', async () => {
    const proof = (await get(`/tx/${toDisplayHash(payment.txid)}/proof`)).json();
    const bytes = (hash: string): Uint8Array => {
      const parsed = parseDisplayHash(hash);
      if (!parsed.ok) throw new Error(parsed.reason);
      return parsed.value;
    };
    const header = getHexBytes(proof.header);
    expect(toDisplayHash(blockHashOf(header))).toBe(proof.block_hash);
    expect(header.slice(36, 68)).toEqual(bytes(proof.merkle_root));
    const branch = proof.branch.map(bytes);
    const verdict = verifyMerkleBranch(bytes(proof.txid), branch, proof.position, header.slice(36, 68));
    expect(verdict).toEqual({ ok: true, value: true });
  });

  test('there is no proof for a pending transaction', async () => {
    const response = await get(`/tx/${toDisplayHash(pending.txid)}/proof`);
    expect([response.status, response.json().code]).toEqual([409, 'proof_unavailable']);
  });

  test('an unknown one is not found', async () => {
    const response = await get(`/tx/${'0'.repeat(64)}`);
    expect([response.status, response.json().code]).toEqual([404, 'transaction_not_found']);
  });
});

describe('addresses', () => {
  test('the summary keeps chain and mempool apart', async () => {
    expect((await get(`/address/${addressOf(payee)}`)).json()).toMatchObject({
      address: addressOf(payee),
      balance: '29.99990000',
      confirmed: { tx_count: 2, received_count: 31, spent_count: 2, balance: '29.99990000' },
      mempool: { tx_count: 2, received_count: 1, spent_count: 2, balance: '-1.00000000' },
    });
  });

  test('an address never used has zeros, not an error', async () => {
    const summary = (await get(`/address/${addressOf(0x77)}`)).json();
    expect(summary).toMatchObject({
      balance: '0.00000000',
      confirmed: { tx_count: 0 },
      utxos: { items: [] },
    });
  });

  test('spendable outputs are listed once each, without the one spent in the mempool', async () => {
    const items = await getAll(`/utxos/${addressOf(payee)}`, 7);
    expect(items).toHaveLength(28);
    expect(new Set(items.map(({ txid, vout }) => `${txid}:${vout}`)).size).toBe(28);
    expect(items.every(({ spendable }) => spendable)).toBe(true);
    expect(items.some(({ vout, txid }) => vout === 2 && txid === toDisplayHash(payment.txid))).toBe(false);
  });

  test('immature coinbases are not spendable, and the unconfirmed output comes last', async () => {
    const items = await getAll(`/utxos/${addressOf(miner)}`, 100);
    const coinbases = items.filter(({ coinbase }) => coinbase);
    // Heights 0 to 21 are mature for block 121; that of height 1 is spent.
    expect(coinbases.map(({ height }) => height)).toEqual([
      0,
      ...Array.from({ length: 20 }, (_, i) => i + 2),
    ]);
    expect(items.at(-1)).toMatchObject({ height: null, confirmations: 0, value: '0.99980000' });
  });

  test('the cursor of the summary goes on in /utxos', async () => {
    const { utxos } = (await get(`/address/${addressOf(payee)}`)).json();
    expect(utxos.items).toHaveLength(25);
    const rest = (await get(`/utxos/${addressOf(payee)}?cursor=${utxos.next_cursor}`)).json();
    expect(rest.items).toHaveLength(4);
  });

  test('the history is newest first, with the mempool before the chain', async () => {
    const items = await getAll(`/address/${addressOf(payee)}/txs`, 1);
    expect(items.map(({ confirmed, delta }) => [confirmed, delta])).toEqual([
      [false, '-0.99990000'],
      [false, '-0.00010000'],
      [true, '-0.00010000'],
      [true, '30.00000000'],
    ]);
  });

  test('a cursor expires when the block that it stands in is replaced', async () => {
    const own = createFixtureServer({ chain: makeFixtureChain() });
    const path = `/api/v1/address/${addressOf(miner)}/txs`;
    const page = (await own.app.inject(`${path}?limit=2`)).json();
    own.chain.removeTip();
    own.chain.addBlock(scriptOf(0x55));
    const response = await own.app.inject(`${path}?limit=2&cursor=${page.next_cursor}`);
    expect([response.statusCode, response.json().code]).toEqual([409, 'cursor_expired']);
  });

  test.each(['nonsense', addressOf(payee).slice(0, -1), '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa1'])(
    '%s is no address',
    async (address) => {
      const response = await get(`/address/${address}`);
      expect([response.status, response.json().code]).toEqual([400, 'address_invalid']);
      expect(response.json().detail).not.toContain(address);
    },
  );

  test('coinbase payouts are paged, with totals of the whole chain', async () => {
    const path = `/mining/address/${addressOf(miner)}`;
    const items = await getAll(`${path}?scan=50`, 20);
    expect(items.map(({ height }) => height)).toEqual(Array.from({ length: 50 }, (_, i) => 120 - i));
    expect((await get(`${path}?limit=1`)).json()).toMatchObject({
      totals: { blocks: 121, first_height: 0, last_height: 120 },
      scanned: { from_height: 0, to_height: 120 },
      items: [{ mature: false, confirmations: 1 }],
    });
  });
});

describe('search', () => {
  test.each([
    ['110', ['block']],
    [toDisplayHash(chain.blocks[7]!.hash), ['block']],
    [toDisplayHash(payment.txid), ['transaction']],
    [` ${toDisplayHash(pending.txid).toUpperCase()} `, ['transaction']],
    [addressOf(payee), ['address']],
    [`${toDisplayHash(payment.txid)}:1`, ['transaction']],
    [`${fixtureProfile.uriScheme}:${addressOf(payee)}?amount=1&message=A%20word`, ['address']],
    ['999', []],
    ['nothing like that', []],
  ])('%s finds %j, at a path that answers', async (q, kinds) => {
    const { items } = (await get(`/search?q=${encodeURIComponent(q)}`)).json();
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    for (const { path } of items) expect((await app.inject(path)).statusCode).toBe(200);
  });
});

describe('supply', () => {
  test('figures agree with one another and with the blocks', async () => {
    expect((await get('/supply')).json()).toMatchObject({
      height: 120,
      issued: '6050.00000000',
      // The coinbases of the 99 blocks from 22 on, with the fees of two of them.
      immature: '4951.00009000',
      burned: '0.00001000',
      matured: '1098.99991000',
      circulating: '1098.99990000',
      subsidy: '50.00000000',
      next_subsidy: { height: 150, subsidy: '25.00000000', blocks_left: 30 },
    });
  });

  test.each([
    ['/supply/circulating', '1098.99990000'],
    ['/supply/total', '6050.00000000'],
  ])('%s is one plain number', async (path, number) => {
    const response = await get(path);
    expect(response.headers['content-type']).toMatch(/^text\/plain/);
    expect(response.body).toBe(number);
  });
});

describe('state', () => {
  test('health is ready when the index is at the tip of the node', async () => {
    expect((await get('/health?require=ready')).json()).toMatchObject({
      status: 'ready',
      ready: true,
      lag_blocks: 0,
    });
  });

  test('health answers 200 without the node, and 503 only when readiness is required', async () => {
    const gone = { value: undefined, valueAtMs: undefined, error: 'unreachable', sinceMs: 1_700_000_000_000 };
    const own = createFixtureServer({ context: { getNodeState: () => gone } });
    const response = await own.app.inject('/api/v1/health');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      status: 'node_unavailable',
      ready: false,
      node: { available: false, error: 'unreachable' },
      index: { height: 120 },
    });
    expect((await own.app.inject('/api/v1/health?require=ready')).statusCode).toBe(503);
    expect((await own.app.inject('/api/v1/blocks')).statusCode).toBe(200);
  });

  test('health answers when the database does not', async () => {
    const readChain = async (): Promise<never> => {
      throw new Error('disk on fire at /var/lib/secret');
    };
    const own = createFixtureServer({ context: { readChain } });
    const health = await own.app.inject('/api/v1/health');
    expect([health.statusCode, health.json().status]).toEqual([200, 'index_unavailable']);
    const blocks = await own.app.inject('/api/v1/blocks');
    expect([blocks.statusCode, blocks.json().code]).toEqual([500, 'internal_error']);
    expect(blocks.body).not.toMatch(/disk|secret|at .*\.ts/);
  });

  test('before the first block reads say that the service is not ready', async () => {
    const empty = { ...makeFixtureChain(), blocks: [] };
    const own = createFixtureServer({ chain: empty });
    const response = await own.app.inject('/api/v1/blocks');
    expect([response.statusCode, response.json().code]).toEqual([503, 'not_ready']);
    expect((await own.app.inject('/api/v1/health')).json().status).toBe('starting');
  });

  test('sums that have the mempool in them are kept as long as lists of blocks, so that a cache in front saves them', async () => {
    const stats = await get('/stats');
    expect(stats.headers['cache-control']).toBe('public, max-age=2');
    const again = await get('/stats', { 'if-none-match': String(stats.headers.etag) });
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'public, max-age=2']);
  });

  test('status, stats and config are served in their own shapes', async () => {
    expect((await get('/status')).json()).toMatchObject({
      index: { height: 120 },
      node: { subversion: '/Satoshi:0.21.2/' },
    });
    expect((await get('/stats')).json()).toMatchObject({
      transactions: 123,
      pool: null,
      hashrate: [
        { blocks: 12, hashes_per_second: '0.003', seconds: 7200 },
        { blocks: 144, hashes_per_second: null },
        {},
      ],
    });
    expect((await get('/config')).json()).toMatchObject({
      chain: 'regtest',
      address: { bech32_hrp: 'rltc' },
    });
    expect((await get('/wallet-standard')).json()).toMatchObject({ standard: 'COIN-HD-1' });
    expect((await get('/releases')).json()).toEqual({ configured: false, as_of: null, items: [] });
  });

  test('fees name where each estimate comes from', async () => {
    const fee = (await get('/fee')).json();
    expect(fee.minimum).toEqual({ per_vb: '1.000', per_kvb: '0.00001000', source: 'node' });
    const sources = fee.estimates.map((each: { target_blocks: number; source: string }) => [
      each.target_blocks,
      each.source,
    ]);
    expect(sources.at(-1)).toEqual([1008, 'node']);
    expect(sources[0]).toEqual([1, 'node']);
  });
});

describe('broadcast', () => {
  async function post(body: unknown) {
    const response = await app.inject({ method: 'POST', url: '/api/v1/broadcast', payload: body as object });
    return { status: response.statusCode, json: response.json() };
  }

  test('an unknown transaction goes to the node', async () => {
    const { hex, txid } = makeUnknownTx();
    expect(await post({ raw_tx: hex })).toEqual({
      status: 200,
      json: { txid, already_known: false, visibility: 'visible' },
    });
    expect(sent).toContain(hex);
  });

  test('a confirmed one answers with its txid without asking the node', async () => {
    const before = sent.length;
    const { status, json } = await post({ raw_tx: Buffer.from(payment.raw).toString('hex') });
    expect([status, json]).toEqual([
      200,
      { txid: toDisplayHash(payment.txid), already_known: true, visibility: 'visible' },
    ]);
    expect(sent).toHaveLength(before);
  });

  test('one in our mirror of the mempool is handed to the node, which may have lost it', async () => {
    const raw_tx = Buffer.from(pending.raw).toString('hex');
    expect((await post({ raw_tx })).status).toBe(200);
    expect(sent).toContain(raw_tx);
  });

  test('the database is not needed to send a transaction', async () => {
    const readChain = async (): Promise<never> => {
      throw new DatabaseUnavailableError('gone');
    };
    const own = createFixtureServer({ context: { readChain } });
    const { hex, txid } = makeUnknownTx();
    const url = '/api/v1/broadcast';
    const response = await own.app.inject({ method: 'POST', url, payload: { raw_tx: hex } });
    expect(response.json()).toMatchObject({ txid, already_known: false });
  });

  test.each([
    ['forbidden', 'was not sent', undefined],
    ['busy', 'was not sent', '5'],
    ['timeout', 'is unknown', '5'],
  ] as const)('a node that fails by %s: the transaction %s', async (kind, said, retryAfter) => {
    const broadcast = () => Promise.reject(new NodeError(kind, 'said by the test'));
    const own = createFixtureServer({ context: { broadcast } });
    const payload = { raw_tx: makeUnknownTx().hex };
    const response = await own.app.inject({ method: 'POST', url: '/api/v1/broadcast', payload });
    expect([response.statusCode, response.json().code]).toEqual([503, 'node_unavailable']);
    expect(response.json().detail).toContain(said);
    expect(response.headers['retry-after']).toBe(retryAfter);
  });

  test('nothing is sent to a node of another chain', async () => {
    const getNodeState = () => ({ ...polled(fixtureFacts), error: 'other_chain' });
    const own = createFixtureServer({ context: { getNodeState } });
    const url = '/api/v1/broadcast';
    const response = await own.app.inject({
      method: 'POST',
      url,
      payload: { raw_tx: makeUnknownTx().hex },
    });
    expect([response.statusCode, response.json().code]).toEqual([503, 'node_unavailable']);
    expect(own.sent).toEqual([]);
  });

  test('what is no transaction is refused before the node is asked', async () => {
    const before = sent.length;
    for (const raw_tx of ['00'.repeat(10), 'ab'.repeat(100), `${makeUnknownTx().hex}00`, '0'.repeat(21)]) {
      expect(await post({ raw_tx })).toMatchObject({
        status: 400,
        json: { code: 'transaction_undecodable' },
      });
    }
    expect(sent).toHaveLength(before);
  });

  test("a refusal has a code, and the node's reason", async () => {
    const own = createFixtureServer({
      context: {
        broadcast: async () => ({
          ok: false,
          code: 'missing_inputs',
          reason: 'bad-txns-inputs-missingorspent',
        }),
      },
    });
    const payload = { raw_tx: makeUnknownTx().hex };
    const response = await own.app.inject({ method: 'POST', url: '/api/v1/broadcast', payload });
    expect(response.json()).toMatchObject({ status: 422, code: 'missing_inputs' });
    expect(response.json().detail).toContain('bad-txns-inputs-missingorspent');
  });

  test('an unreachable node is told apart from a refusal', async () => {
    const own = createFixtureServer({
      context: {
        broadcast: async () => {
          throw new NodeError('unreachable', 'connect ECONNREFUSED 10.1.2.3:29667');
        },
      },
    });
    const payload = { raw_tx: makeUnknownTx().hex };
    const response = await own.app.inject({ method: 'POST', url: '/api/v1/broadcast', payload });
    expect([response.statusCode, response.json().code]).toEqual([503, 'node_unavailable']);
    expect(response.body).not.toContain('10.1.2.3');
  });
});

test('lagging and syncing follow from the distance to the node', async () => {
  const state = context.getNodeState();
  for (const [blocks, status] of [
    [121, 'ready'],
    [125, 'lagging'],
    [300, 'syncing'],
  ] as const) {
    const facts = { ...state.value!, blocks, headers: blocks };
    const own = createFixtureServer({ context: { getNodeState: () => polled(facts) } });
    expect((await own.app.inject('/api/v1/health')).json().status).toBe(status);
  }
});
