import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { Page } from '../../../http/operation.ts';
import { paymentIdPattern } from '../payment-ids.ts';
import type { CheckoutCoin, CheckoutView } from './checkout-view.ts';
import { renderCheckout } from './render-checkout.ts';
import { renderErrorPage } from './render-message.ts';
import type { CheckoutWords } from './words/checkout-words.ts';
import { chooseWords } from './words/choose-language.ts';

/** What the page needs. */
export type CheckoutContext = {
  profile: CheckoutCoin;
  /** Unix milliseconds. */
  now: () => number;
  /** Whether this service has pages of transactions. */
  hasExplorer: boolean;
  /** What the page of a payment shows; undefined when there is no such payment. */
  findView(paymentId: string): Promise<CheckoutView | undefined>;
};

/** Registers `GET /pay/{payment_id}`: the page for the payer, in HTML, with HTML errors. */
export function registerCheckoutPage(app: FastifyInstance, context: CheckoutContext): void {
  const { profile, now, findView } = context;
  app.get<{ Params: { payment_id: string } }>(
    '/pay/:payment_id',
    {
      config: { renderError: renderCheckoutError },
    },
    async (request, reply) => {
      const id = request.params.payment_id;
      const view = paymentIdPattern.test(id) ? await findView(id) : undefined;
      if (view === undefined) {
        throw new AppError('payment_not_found', `There is no payment ${quoteReceived(id)}.`);
      }
      const frame = {
        coin: profile,
        words: wordsFor(request),
        hasExplorer: context.hasExplorer,
        nowMs: now(),
      };
      const page = renderCheckout(view, frame);
      return reply
        .headers(page.headers)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page.html);
    },
  );
}

/** The page for an error, in the reader's language. */
export function renderCheckoutError(error: AppError, request: FastifyRequest): Page {
  return renderErrorPage(error, request.id, wordsFor(request));
}

/** The words of the language that is asked for. */
export function wordsFor({ query, headers }: FastifyRequest): CheckoutWords {
  return chooseWords((query as { lang?: unknown } | undefined)?.lang, headers['accept-language']);
}
