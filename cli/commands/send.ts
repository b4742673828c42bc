import { formatAmount } from '@coinfront/protocol/amount.ts';
import { planPayment } from '@coinfront/sdk/wallet/transaction-plan.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { readCoins, showCoins } from '../wallet/amounts.ts';
import { findRecipient, type Recipient, showRecipient } from '../wallet/find-recipient.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const sendCommand = defineCommand({
  name: 'send',
  summary: 'pay addresses or names',
  details: `coin send <to> <amount> [<to> <amount> …]; the amount "all" sends everything to one. The transaction is shown before
signing: outputs, change, fee and fee rate.`,
  args: [
    {
      name: 'payment',
      summary: 'an address or a name, and an amount in coins; several in pairs',
      rest: true,
    },
  ],
  options: spendOptions,
  async run(context, { args: { payment }, options }) {
    if (payment.length % 2 !== 0)
      throw misuse(`"${payment.at(-1)}" has no amount: coin send <to> <amount> …`);
    const purse = await openPurse(context);
    const { network } = purse.file.watch;
    const payments: { recipient: Recipient; amount: bigint | 'all' }[] = [];
    for (let index = 0; index < payment.length; index += 2) {
      const text = payment[index + 1]!;
      const amount = text === 'all' ? text : readCoins(text, network);
      payments.push({ recipient: await findRecipient(payment[index]!, network, purse.session), amount });
    }
    const plan = planPayment(
      payments.map(({ recipient, amount }) => ({ address: recipient.address, amount })),
      network,
    );
    const show = (amount: bigint | 'all') => (amount === 'all' ? 'everything' : showCoins(amount, network));
    const intro = payments.map(
      ({ recipient, amount }) => `You send ${show(amount)} to ${showRecipient(recipient)}`,
    );
    const facts = {
      payments: payments.map(({ recipient: { address, name }, amount }) => ({
        address,
        name: name?.text ?? null,
        amount: amount === 'all' ? amount : formatAmount(amount, network.decimals),
      })),
    };
    return (await spend(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
