import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import type { PaymentTable, PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { openRaw } from '../harness/raw-http.ts';
import type { TestService } from '../harness/service.ts';
import { describeListed, insertListed } from './listed-payments.ts';
import { openSuite, type Suite } from './open-suite.ts';

/** Payments that one request looks at. */
const LOOKED = 5_000;
const MARCH = Date.parse('2026-03-01T00:00:00Z');
const DAY = 86_400_000;
const header =
  '\ufeffid,order_id,status,reason,created_at,expires_at,updated_at,paid_at,settled_at,accepted_at,cancelled_at,coin,amount,price_currency,price_amount,price_rate,accepted_amount,' +
  'received_seen,received_confirmed,received_settled,received_late,tolerated,refunded,address,recipient,txids,description\r\n';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(105);
});
afterAll(() => node.stop());

forEachEngine('lists of payments', (engine) => {
  let suite: Suite;
  let service: TestService;
  let precious: Precious;

  beforeAll(async () => {
    suite = await openSuite(engine, node.url);
    ({ service, precious } = suite);
  });
  afterAll(() => suite.close());

  const openShop = () => suite.createMerchant();
  const insert = async (shop: TestMerchant, rows: readonly Partial<PaymentTable>[]) => {
    const payments = rows.map((columns) => describeListed(shop.id, columns));
    await insertListed(precious, payments);
    return payments;
  };
  const idsOf = (payments: readonly { id: string }[]) => payments.map(({ id }) => id);
  /** All pages of a list. */
  const list = async (shop: TestMerchant, query: string, limit = 100) => {
    const found: { id: string }[] = [];
    for (let cursor = ''; ; ) {
      const { status, json, text } = await shop.get(
        `/api/v1/payments?limit=${limit}${query && `&${query}`}${cursor}`,
      );
      if (status !== 200) throw new Error(text);
      found.push(...json.items);
      if (json.next_cursor === null) return idsOf(found);
      cursor = `&cursor=${json.next_cursor}`;
    }
  };
  /** Identifiers of a table, in the order of its lines. */
  const readTable = async (shop: TestMerchant, query = '') => {
    const { status, text } = await readWhole(shop, query);
    expect(status).toBe(200);
    expect(text.startsWith(header)).toBe(true);
    return [...text.matchAll(/^VP-[0-9A-Z]{12}/gm)].map(([id]) => id);
  };
  /** As bytes: a reader of texts takes the byte order mark away. */
  const readWhole = async (shop: TestMerchant, query = '') => {
    const answer = await fetch(`${service.origin}/api/v1/payments.csv${query && `?${query}`}`, {
      headers: { 'x-coin-pay-api-key': shop.apiKey },
    });
    const text = Buffer.from(await answer.arrayBuffer()).toString();
    return { status: answer.status, headers: answer.headers, text };
  };

  describe('are narrowed', () => {
    let shop: TestMerchant;
    let made: PaymentTable[];
    beforeAll(async () => {
      shop = await openShop();
      made = await insert(shop, [
        { created_at: MARCH - 1, status: 'paid', reason: null, order_id: 'A-1', description: 'A-1 tea' },
        { created_at: MARCH, status: 'overpaid', reason: null, order_id: 'A-2', updated_at: MARCH + 9 * DAY },
        { created_at: MARCH + DAY - 1, status: 'expired', order_id: 'A-2' },
        { created_at: MARCH + DAY, status: 'cancelled', reason: null, description: 'order A-2' },
        { created_at: MARCH + DAY, status: 'paid', reason: null, order_id: 'a-2', description: 'Tee, 100%' },
        { created_at: MARCH + 2 * DAY, status: 'expired', order_id: 'Bestellung 7/2026 💥' },
      ]);
    });

    const cases: [string, number[]][] = [
      ['', [0, 1, 2, 3, 4, 5]],
      ['status=paid', [0, 4]],
      ['status=paid,overpaid', [0, 1, 4]],
      ['status=overpaid,paid,paid', [0, 1, 4]],
      ['order_id=A-2', [1, 2]],
      ['order_id=A-2&status=expired', [2]],
      ['order_id=A', []],
      [`order_id=${encodeURIComponent('Bestellung 7/2026 💥')}`, [5]],
      ['q=A-2', [1, 2]],
      ['q=tea', [0]],
      ['q=100%25', [4]],
      ['q=A-2&order_id=A-2', []],
      ['created_from=2026-03-01', [1, 2, 3, 4, 5]],
      ['created_from=2026-03-01&created_to=2026-03-01', [1, 2]],
      ['created_to=2026-02-28', [0]],
      ['created_from=2026-03-02T00:00:00Z&created_to=2026-03-02T00:00:00.000Z', [3, 4]],
      ['created_from=2026-03-01&status=paid&q=tee', [4]],
    ];
    test.each(cases)('?%s', async (query, expected) => {
      const wanted = expected
        .map((i) => made[i]!)
        .toSorted(byCreation)
        .map(({ id }) => id);
      expect(await list(shop, query)).toEqual(wanted.toReversed());
      // Page by page, in both orders, and as a table.
      expect(await list(shop, query, 1)).toEqual(wanted.toReversed());
      expect(await list(shop, both(query, 'sort=created_asc'), 1)).toEqual(wanted);
      expect(await readTable(shop, query)).toEqual(wanted.toReversed());
      expect(await readTable(shop, both(query, 'sort=created_asc'))).toEqual(wanted);
    });

    test.each([
      'status=',
      'status=done',
      'status=paid,',
      'status=paid,,open',
      'status=paid&status=open',
      'order_id=',
      `order_id=${'a'.repeat(201)}`,
      'order_id=a%0Ab',
      'q=a',
      'created_from=2026-02-30',
      'created_from=yesterday',
      'created_to=2026-03-01T00:00:00',
      'created_from=2026-03-02&created_to=2026-03-01',
      'sort=amount',
      'sort=updated',
    ])('bad input is refused: ?%s', async (query) => {
      for (const path of ['/api/v1/payments', '/api/v1/payments.csv']) {
        const answer = await shop.get(`${path}?${query}`);
        expect([answer.status, answer.json.code], path).toEqual([400, 'invalid_parameter']);
        expect(answer.headers.get('content-disposition')).toBeNull();
      }
    });

    test('a cursor is for what it was made for', async () => {
      const { next_cursor } = (await shop.get('/api/v1/payments?limit=1&status=paid,overpaid')).json;
      const next = async (query: string, by = shop) =>
        (await by.get(`/api/v1/payments?cursor=${next_cursor}&${query}`)).json.code ?? 'taken';
      // The same however it is written.
      expect(await next('status=overpaid,paid')).toBe('taken');
      for (const query of [
        'status=paid',
        'status=paid,overpaid&sort=created_asc',
        'status=paid,overpaid&q=tea',
        'status=paid,overpaid&order_id=A-1',
        'status=paid,overpaid&created_from=2020-01-01',
      ])
        expect(await next(query), query).toBe('invalid_cursor');
      expect(await next('status=paid,overpaid', await openShop())).toBe('invalid_cursor');
    });
  });

  test('an order is found behind any number of others, and what has to be looked for in steps', async () => {
    const shop = await openShop();
    const [old] = await insert(shop, [
      { created_at: MARCH, order_id: 'old', description: 'rare word', status: 'paid', reason: null },
    ]);
    await insert(
      shop,
      Array.from({ length: 2 * LOOKED }, (_, i) => ({ created_at: MARCH + 1 + i })),
    );
    for (const query of ['order_id=old', 'q=old', 'order_id=old&status=paid']) {
      const { items, next_cursor } = (await shop.get(`/api/v1/payments?${query}`)).json;
      expect([idsOf(items), next_cursor], query).toEqual([[old!.id], null]);
    }
    for (const query of ['q=rare', 'status=paid']) {
      const first = (await shop.get(`/api/v1/payments?${query}`)).json;
      expect([first.items, typeof first.next_cursor], query).toEqual([[], 'string']);
      expect(await list(shop, query), query).toEqual([old!.id]);
    }
    expect(await readTable(shop, 'q=rare')).toEqual([old!.id]);
    expect(await readTable(shop)).toHaveLength(2 * LOOKED + 1);
  });

  describe('a table', () => {
    test('has a line for each payment, as RFC 4180 writes it and no spreadsheet works it out', async () => {
      const shop = await openShop();
      const [payment] = await insert(shop, [
        {
          created_at: MARCH,
          status: 'overpaid',
          reason: null,
          order_id: '=1+1',
          description: 'Tea, "green"\n-2 Äpfel; @x',
          seen: '150000000',
          mined: '150000000',
          deep: '100000000',
          late: '1',
          refunded: '50000000',
          paid_at: MARCH + 600_000,
          settled_at: MARCH + 1_200_000,
          accepted_at: MARCH + 1,
          accepted_amount: '100000000',
          price_currency: 'EUR',
          price_amount: '19.90',
          price_rate: '19.900000',
        },
      ]);
      const { id, address } = payment!;
      const [first, second, gone] = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
      const { merchant_id } = payment!;
      const output = {
        merchant_id,
        payment_id: id,
        value: '75000000',
        coinbase: 0,
        height: 1,
        block_hash: null,
      } as const;
      const seen = { block_time: null, excluded: 0, late: 0, gone: 0 } as const;
      await precious
        .query<PaymentTables>()
        .insertInto('payment_output')
        .values([
          { ...output, ...seen, txid: first!, vout: 0, first_seen_at: MARCH },
          { ...output, ...seen, txid: second!, vout: 0, first_seen_at: MARCH + 1 },
          { ...output, ...seen, txid: second!, vout: 1, first_seen_at: MARCH + 1 },
          { ...output, ...seen, txid: gone!, vout: 0, first_seen_at: MARCH + 2, gone: 1 },
        ])
        .execute();
      const { headers, text } = await readWhole(shop);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/,
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).toBe(
        `${header}${id},'=1+1,overpaid,,2026-03-01T00:00:00.000Z,2026-03-01T01:00:00.000Z,2026-03-01T00:00:00.000Z,` +
          '2026-03-01T00:10:00.000Z,2026-03-01T00:20:00.000Z,2026-03-01T00:00:00.001Z,,RCOIN,1.00000000,EUR,19.90,19.900000,1.00000000,1.50000000,1.50000000,1.00000000,0.00000001,0.00000000,0.50000000,' +
          `${address},${address},"${second} ${first}","Tea, ""green""\n'-2 Äpfel;' @x"\r\n`,
      );
    });

    test('of nothing has the names of its columns', async () => {
      expect((await readWhole(await openShop())).text).toBe(header);
    });

    test('needs the key, and HEAD answers without it being read', async () => {
      const shop = await openShop();
      const refused = await service.get('/api/v1/payments.csv');
      expect([refused.status, refused.headers.get('content-disposition')]).toEqual([401, null]);
      const asked = { method: 'HEAD', headers: { 'x-coin-pay-api-key': shop.apiKey } };
      for (let i = 0; i < 2; i++)
        expect((await fetch(`${service.origin}/api/v1/payments.csv`, asked)).status).toBe(200);
    });

    test('that breaks off is no whole answer', async () => {
      const shop = await openShop();
      // A row that no service wrote, behind more than is sent at once.
      await insert(
        shop,
        Array.from({ length: 1_000 }, (_, i) => ({
          created_at: MARCH + i,
          amount: i === 0 ? 'damaged' : '1',
          description: 'x'.repeat(500),
        })),
      );
      const answer = await fetch(`${service.origin}/api/v1/payments.csv`, {
        headers: { 'x-coin-pay-api-key': shop.apiKey },
      });
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow('terminated');
      // What breaks before anything was sent is an error, and no file.
      const early = await shop.get('/api/v1/payments.csv?sort=created_asc');
      expect([early.status, early.json.code]).toEqual([500, 'internal_error']);
      expect(early.headers.get('content-disposition')).toBeNull();
      // And the merchant may ask again.
      expect(await readTable(shop, 'created_from=2026-03-02')).toEqual([]);
    });

    describe('of many', () => {
      let shop: TestMerchant;
      let made: PaymentTable[];
      beforeAll(async () => {
        shop = await openShop();
        // More than the buffers between the two hold.
        const description = '💥'.repeat(500);
        made = await insert(
          shop,
          Array.from({ length: 12_000 }, (_, i) => ({ created_at: MARCH + i, description })),
        );
      });

      test('is sent to a merchant one at a time, as fast as it is read, and ends with its reader', async () => {
        const head = `GET /api/v1/payments.csv HTTP/1.1\r\nHost: a\r\nX-COIN-Pay-API-Key: ${shop.apiKey}\r\n\r\n`;
        const { socket } = openRaw(service.origin, head);
        await once(socket, 'data');
        socket.pause();
        const second = await shop.get('/api/v1/payments.csv');
        expect([second.status, second.json?.code]).toEqual([429, 'rate_limited']);
        expect(second.headers.get('retry-after')).not.toBeNull();
        // Others are served meanwhile.
        expect(await readTable(await openShop())).toEqual([]);
        socket.destroy();
        await waitUntil('the place of the one who left is free', async () => {
          return (await shop.get('/api/v1/payments.csv?order_id=none')).status === 200;
        });
      });

      test('is cut off where the database fails in the midst of it', async () => {
        const answer = await fetch(`${service.origin}/api/v1/payments.csv`, {
          headers: { 'x-coin-pay-api-key': shop.apiKey },
        });
        const reader = answer.body!.getReader();
        await reader.read();
        // It is in the midst of it: the last page cannot be read yet.
        const rename = (from: string, to: string) =>
          precious.query<PaymentTables>().schema.alterTable(from).renameTo(to).execute();
        await rename('payment_output', 'payment_output_away');
        const readRest = async () => {
          while (!(await reader.read()).done);
        };
        await expect(readRest()).rejects.toThrow('terminated');
        const early = await shop.get('/api/v1/payments.csv');
        expect([early.status, early.headers.get('content-disposition')]).toEqual([500, null]);
        await rename('payment_output_away', 'payment_output');
        expect(await readTable(shop)).toHaveLength(made.length);
      });

      test('has each payment once, whatever changes and is made while it is sent', async () => {
        const answer = await fetch(`${service.origin}/api/v1/payments.csv?sort=created_asc`, {
          headers: { 'x-coin-pay-api-key': shop.apiKey },
        });
        const reader = answer.body!.getReader();
        const parts = [(await reader.read()).value!];
        // It is in the midst of it: the last page cannot be read yet.
        await insert(shop, [{ created_at: Date.now() + 1_000 }]);
        await precious
          .query<PaymentTables>()
          .updateTable('payment')
          .set({ order_id: 'changed', updated_at: Date.now() })
          .where('merchant_id', '=', shop.id)
          .execute();
        for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
        const lines = Buffer.concat(parts).toString().split('\r\n').slice(1, -1);
        expect(lines.map((line) => line.slice(0, 15))).toEqual(idsOf(made));
        expect([lines[0]!.includes('changed'), lines.at(-1)!.includes('changed')]).toEqual([false, true]);
      });
    });
  });
});

function both(query: string, more: string): string {
  return query === '' ? more : `${query}&${more}`;
}

function byCreation(a: PaymentTable, b: PaymentTable): number {
  return a.created_at - b.created_at || (a.id < b.id ? -1 : 1);
}
