import { formatAmount } from '@coinfront/protocol/amount.ts';
import { getPayment } from '@coinfront/sdk/payments/get-payment.ts';
import { readPaymentRequest } from '@coinfront/sdk/wallet/read-payment-request.ts';
import { planPayment } from '@coinfront/sdk/wallet/transaction-plan.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { readCoins, showCoins } from '../wallet/amounts.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const payCommand = defineCommand({
  name: 'pay',
  summary: 'pay a payment URI, a VP- id or a checkout page',
  details:
    'Shows the request and the exact amount before signing. If a part was paid already, pays the rest.',
  args: [{ name: 'request', summary: 'a payment URI, VP-… or the address of a checkout page' }],
  options: {
    ...spendOptions,
    amount: { value: '<coins>', summary: 'the amount, if the request has none' },
  },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { network } = purse.file.watch;
    const { client } = purse.session;
    const page = /^https?:\/\/.*\/pay\/(VP-[0-9A-Z]{12})$/.exec(args.request);
    const request = await readPaymentRequest(page?.[1] ?? args.request, network, async (payment_id) => {
      const payment = await getPayment(client, { payment_id });
      if (page !== null) checkPage(page[0], payment.checkout_url, client.baseUrl);
      return payment;
    });
    const { address, label, message, reference, payment } = request;
    if (request.amount !== undefined && options.amount !== undefined) {
      throw misuse(`The request says how much it is: ${showCoins(request.amount, network)}.`);
    }
    const amount =
      request.amount ?? (options.amount === undefined ? undefined : readCoins(options.amount, network));
    if (amount === undefined) throw misuse('The request leaves the amount to you: give --amount.');
    const told: [string, string | undefined][] = [
      ['payment', payment?.id],
      ['for', payment?.description],
      ['label', label],
      ['message', message],
      ['reference', reference],
      ['until', payment && new Date(payment.expiresAtMs).toISOString()],
    ];
    const intro = [
      `You pay ${showCoins(amount, network)} to ${address}`,
      ...told.flatMap(([name, value]) => (value ? [`  ${name.padEnd(10)} ${value}`] : [])),
    ];
    const facts = {
      payment_id: payment?.id ?? null,
      address,
      amount: formatAmount(amount, network.decimals),
    };
    const plan = planPayment([{ address, amount }], network);
    return (await spend(context, purse, { plan, intro, facts }, options)).outcome;
  },
});

/**
 * A page of elsewhere could name a payment of anybody: who reads the address of a shop would pay somebody else.
 *
 * @throws CliError `payment_elsewhere`
 */
function checkPage(page: string, checkoutUrl: string, service: string): void {
  if (page === checkoutUrl || page.startsWith(`${service}/pay/`)) return;
  const detail = `${page} is no page of ${service}, whose payment of this id has the page ${checkoutUrl}: give --service, or that page if it is meant.`;
  throw new CliError('payment_elsewhere', detail);
}
