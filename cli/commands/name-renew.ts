import { formatAmount } from '@coinfront/protocol/amount.ts';
import { getNameAvailability } from '@coinfront/sdk/names/get-name-availability.ts';
import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { quoteName, readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { planNameRenew } from '@coinfront/sdk/wallet/plan-names.ts';
import { defineCommand } from '../shell/command.ts';
import { readCoins, readWhole, showCoins, showCount } from '../wallet/amounts.ts';
import { choosePayer } from '../wallet/choose-payer.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const nameRenewCommand = defineCommand({
  name: 'name renew',
  summary: 'renew a name for further periods',
  args: [{ name: 'name', summary: 'such as alice.coin' }],
  options: {
    periods: { value: '<number>', summary: 'periods to pay for (default: 1)' },
    'at-most': { value: '<coins>', summary: 'refuse to pay more' },
    ...spendOptions,
  },
  async run(context, { args: { name }, options }) {
    const purse = await openPurse(context);
    const { client } = purse.session;
    const { network } = purse.file.watch;
    const periods = readWhole('--periods', options.periods ?? '1', { min: 1, max: 255 });
    const most = options['at-most'];
    const status = await getNameStatus(client);
    const cost = quoteName('renew', await getNameAvailability(client, { name }), status, network, {
      periods,
      ...(most === undefined ? {} : { atMost: readCoins(most, network) }),
    });
    const payer = choosePayer(purse.scan, undefined);
    const plan = planNameRenew({ name, payer, periods, cost, syntax: readNameSyntax(status) });
    const intro = [
      `You renew ${name} for ${showCount(periods, 'period')}, ${showCoins(cost.total, network)}`,
    ];
    const facts = { name, periods, cost: formatAmount(cost.total, network.decimals) };
    return (await spend(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
