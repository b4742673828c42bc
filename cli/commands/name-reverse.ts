import { getNameReverse } from '@coinfront/sdk/names/get-name-reverse.ts';
import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { planNameReverse } from '@coinfront/sdk/wallet/plan-names.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const nameReverseCommand = defineCommand({
  name: 'name reverse',
  summary: 'show the address of a name with this name',
  args: [{ name: 'name', summary: 'a name of the wallet' }],
  options: {
    remove: { summary: 'show the address with no name any more' },
    ...spendOptions,
  },
  async run(context, { args: { name }, options: { remove, ...options } }) {
    const purse = await openPurse(context);
    const { client } = purse.session;
    const owner = purse.names.find((each) => each.name === name)?.owner;
    if (owner === undefined) throw new CliError('name_foreign', `${name} is not of this wallet.`);
    const status = await getNameStatus(client);
    const from = status.rules.reverse_activation_height;
    if (from === null || status.as_of.height + 1 < from)
      throw new CliError(
        'reverse_inactive',
        from === null ? 'This coin has no reverse records.' : `Reverse records begin at block ${from}.`,
      );
    const { address } = owner;
    const before = (await getNameReverse(client, { address })).name;
    if (remove && before !== name)
      throw new CliError('reverse_other', `${address} is not shown with ${name}: nothing to remove.`);
    const plan = planNameReverse({ name: remove ? null : name, owner, syntax: readNameSyntax(status) });
    const intro = [
      remove ? `${address} is shown with no name any more` : `${address} is shown with the name ${name}`,
    ];
    const facts = { name: remove ? null : name, address, before };
    return (await spend(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
