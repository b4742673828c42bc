import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { planNameTransfer } from '@coinfront/sdk/wallet/plan-names.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { findRecipient, showRecipient } from '../wallet/find-recipient.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const nameTransferCommand = defineCommand({
  name: 'name transfer',
  summary: 'transfer a name to an address',
  args: [
    { name: 'name', summary: 'a name of the wallet' },
    { name: 'to', summary: 'an address, or a name whose owner receives it' },
  ],
  options: spendOptions,
  async run(context, { args: { name, to }, options }) {
    const purse = await openPurse(context);
    const { network } = purse.file.watch;
    const owner = purse.names.find((each) => each.name === name)?.owner;
    if (owner === undefined) throw new CliError('name_foreign', `${name} is not of this wallet.`);
    const recipient = await findRecipient(to, network, purse.session);
    const syntax = readNameSyntax(await getNameStatus(purse.session.client));
    const plan = planNameTransfer({ name, owner, to: recipient.address, network, syntax });
    const intro = [`You give ${name} to ${showRecipient(recipient)}`];
    const facts = { name, from: owner.address, to: recipient.address };
    return (await spend(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
