import type { Order } from './orders.ts';

/** What the shop sells, with its price in coins, and in the shop's currency where it has one. */
export const goods: ReadonlyMap<string, { coins: string; money: string }> = new Map([
  ['coffee', { coins: '0.02500000', money: '4' }],
  ['teapot', { coins: '1.50000000', money: '24' }],
]);

/** A price as the shop writes it. */
export function writePrice({ coins, money }: { coins: string; money: string }, currency?: string): string {
  return currency === undefined ? coins : `${money} ${currency}`;
}

/** The shop's front: what can be bought, and the orders. */
export function renderShop(orders: readonly Order[], currency?: string): string {
  const buttons = [...goods].map(
    ([item, price]) =>
      `<form method="post" action="/orders"><button name="item" value="${item}">Buy ${item} for ${writePrice(price, currency)}</button></form>`,
  );
  const rows = orders.map(
    ({ id, item, amount }) => `<li><a href="/orders/${id}">${item}, ${amount}</a></li>`,
  );
  return renderPage('Shop', `${buttons.join('')}<h2>Orders</h2><ul>${rows.join('')}</ul>`);
}

/** One order, and what is to be done with it. */
export function renderOrder(order: Order): string {
  const late = order.late ? `<p>${order.late} came too late: accept it, or send it back.</p>` : '';
  const link = order.checkout_url
    ? `<p><a href="${quoteAttribute(order.checkout_url)}">To the payment</a></p>`
    : '';
  return renderPage(
    `Order of ${order.item}`,
    `<p>${order.amount}, payment ${order.payment_status ?? 'asked for'}: <b>${advise(order)}</b></p>${late}${link}`,
  );
}

function advise({ is_paid, payment_status }: Order): string {
  if (is_paid === 1) return 'send the goods';
  return payment_status === 'reorged' ? 'hold the goods back' : 'wait';
}

function renderPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<title>${title}</title><h1>${title}</h1>${body}`;
}

function quoteAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
