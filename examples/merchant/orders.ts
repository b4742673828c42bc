import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { PaymentEventJson, RefundEventJson } from '@coinfront/api/webhooks.ts';

/** An order as the shop keeps it. `payment_status` is null until its payment was made. */
export type Order = {
  id: string;
  item: string;
  amount: string;
  payment_id: string | null;
  checkout_url: string | null;
  payment_status: string | null;
  /** Sequence of the newest event that was taken. */
  sequence: number;
  /** 1 while the goods may go out. */
  is_paid: number;
  /** What came after the time was up: somebody has to accept it or send it back. */
  late: string | null;
};

/** What was made of an event. */
export type Taken = 'taken' | 'repeated' | 'older' | 'foreign';

/** The shop's orders and the events that it has acted on. */
export type Orders = {
  place(item: string, amount: string): Order;
  attachPayment(orderId: string, payment: { id: string; checkout_url: string }): void;
  find(orderId: string): Order | undefined;
  list(): Order[];
  take(event: PaymentEventJson | RefundEventJson): Taken;
  close(): void;
};

/** Statuses with which goods may go out. Any other takes that back: `reorged` above all. */
const paidStatuses: readonly string[] = ['paid', 'overpaid'];

/** Opens the orders in a file, or in memory with `:memory:`. */
export function openOrders(file: string): Orders {
  const db = new DatabaseSync(file);
  db.exec(`
    create table if not exists orders (
      id text primary key, item text not null, amount text not null, payment_id text unique, checkout_url text,
      payment_status text, sequence integer not null default 0, is_paid integer not null default 0, late text);
    create table if not exists events (id text primary key);
  `);
  const find = (orderId: string): Order | undefined =>
    db.prepare('select * from orders where id = ?').get(orderId) as Order | undefined;

  return {
    find,
    list: () => db.prepare('select * from orders order by rowid desc limit 100').all() as Order[],
    place(item, amount) {
      const id = randomUUID();
      db.prepare('insert into orders (id, item, amount) values (?, ?, ?)').run(id, item, amount);
      return find(id)!;
    },
    attachPayment(orderId, { id, checkout_url }) {
      db.prepare('update orders set payment_id = ?, checkout_url = ? where id = ?').run(
        id,
        checkout_url,
        orderId,
      );
    },
    // The event's id and what it does are one transaction: after a crash in between, the next delivery does both.
    take(event) {
      db.exec('begin immediate');
      try {
        const taken = takeEvent(db, event);
        db.exec('commit');
        return taken;
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
    close: () => db.close(),
  };
}

function takeEvent(
  db: DatabaseSync,
  { id, sequence, data: { payment } }: PaymentEventJson | RefundEventJson,
): Taken {
  const order = db.prepare('select sequence from orders where payment_id = ?').get(payment.id);
  if (order === undefined) return 'foreign';
  if (db.prepare('insert or ignore into events (id) values (?)').run(id).changes === 0) return 'repeated';
  // Deliveries may overtake each other; each says the whole state, so only the newest matters.
  if (Number(order.sequence) >= sequence) return 'older';
  const late = /[1-9]/.test(payment.received.late) ? payment.received.late : null;
  db.prepare(
    'update orders set payment_status = ?, sequence = ?, is_paid = ?, late = ? where payment_id = ?',
  ).run(payment.status, sequence, paidStatuses.includes(payment.status) ? 1 : 0, late, payment.id);
  return 'taken';
}
