import { formatAmount } from '@coinfront/protocol/amount.ts';
import { getNameAvailability } from '@coinfront/sdk/names/get-name-availability.ts';
import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { quoteName, readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { planNameRenew } from '@coinfront/sdk/wallet/plan-names.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { readCoins, readWhole, showCoins, showCount } from '../wallet/amounts.ts';
import { choosePayer } from '../wallet/choose-payer.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { renewSoon } from '../wallet/renew-soon.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

const mostBlocksAhead = 1_000_000;

export const nameRenewCommand = defineCommand({
  name: 'name renew',
  summary: 'renew a name for further periods, or all that expire soon',
  details: `With --all it looks for names of the wallet that expire soon or are in their grace, shows what all of them cost, asks once, and
sends one transaction for each, 24 at most. What waits in the mempool is not renewed again.`,
  args: [{ name: 'name', summary: 'such as alice.coin', optional: true }],
  options: {
    all: { summary: 'all names of the wallet that expire soon' },
    within: { value: '<blocks>', summary: 'with --all: how soon (default: about 30 days)' },
    periods: { value: '<number>', summary: 'periods to pay for (default: 1)' },
    'at-most': { value: '<coins>', summary: 'refuse to pay more, in all' },
    ...spendOptions,
  },
  async run(context, { args: { name }, options }) {
    const { all, within, psbt } = options;
    if ((name === undefined) !== (all === true)) throw misuse('"coin name renew" needs a name, or --all.');
    if (within !== undefined && !all) throw misuse('--within goes with --all.');
    if (psbt !== undefined && all) throw misuse('--all makes several transactions: --psbt takes one.');
    const periods = readWhole('--periods', options.periods ?? '1', { min: 1, max: 255 });
    const blocks =
      within === undefined ? undefined : readWhole('--within', within, { min: 1, max: mostBlocksAhead });
    const purse = await openPurse(context);
    const { client } = purse.session;
    const { network } = purse.file.watch;
    const most = options['at-most'];
    const atMost = most === undefined ? undefined : readCoins(most, network);
    if (name === undefined) {
      return await renewSoon(context, purse, { periods, within: blocks, atMost }, options);
    }
    const status = await getNameStatus(client);
    const cost = quoteName('renew', await getNameAvailability(client, { name }), status, network, {
      periods,
      ...(atMost === undefined ? {} : { atMost }),
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
