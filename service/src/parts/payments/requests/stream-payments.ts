/** A merchant's payments as one table, read page by page while it is sent. */

import type { TimedPlace } from '../../../http/cursor.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { writeCsvLine } from './csv-rules.ts';
import { listPayments } from './list-payments.ts';
import { type PaymentLine, paymentColumns } from './payment-columns.ts';
import type { PaymentFilter } from './payment-filter.ts';
import { listShownOutputs, paymentQuery } from './payment-store.ts';

/** Payments that are read at a time: what a request takes of memory. */
const PAGE = 250;

/** By which spreadsheets know that a text is UTF-8. */
const byteOrderMark = '\ufeff';

/** Lines that are read together. */
export type Lines = Iterable<string>;

/**
 * Lines of the table, the names of its columns first. Each payment that is there when this begins comes once, as it was
 * when its page was read. It fails as the database does.
 *
 * @param charge is called for each page that gave less than it took to look for it
 */
export async function* streamPayments(
  { precious, profile, now }: Pick<PaymentRouteContext, 'precious' | 'profile' | 'now'>,
  merchantId: string,
  filter: PaymentFilter,
  charge: () => void,
): AsyncGenerator<Lines> {
  const query = paymentQuery(precious);
  // What is made meanwhile is left out: the table has an end.
  const belowMs = Math.min(filter.created.belowMs ?? Number.MAX_SAFE_INTEGER, now() + 1);
  const bounded = { ...filter, created: { ...filter.created, belowMs } };
  let place: TimedPlace | undefined;
  yield [byteOrderMark, writeCsvLine(paymentColumns.map(([name]) => name))];
  do {
    const page = await listPayments(query, precious.engine, merchantId, bounded, place, PAGE);
    const outputs = await listShownOutputs(
      query,
      page.payments.map(({ id }) => id),
    );
    yield writeLines(
      page.payments.map((payment) => ({ payment, outputs: outputs.get(payment.id)!, coin: profile })),
    );
    place = page.next;
    if (place !== undefined && page.payments.length < PAGE) charge();
  } while (place !== undefined);
}

/** One line after the other, as they are sent. */
function* writeLines(lines: readonly PaymentLine[]): Lines {
  for (const line of lines) yield writeCsvLine(paymentColumns.map(([, write]) => write(line) ?? ''));
}
