import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { getName } from '@coinfront/sdk/names/get-name.ts';
import { getNameAvailability } from '@coinfront/sdk/names/get-name-availability.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';

export const nameShowCommand = defineCommand({
  name: 'name show',
  summary: 'show the owner of a name, or its price',
  args: [{ name: 'name', summary: 'such as alice.coin' }],
  options: {},
  async run(context, { args: { name } }) {
    const file = await loadWallet(context);
    const { client } = await connectWallet(context, file);
    const availability = await getNameAvailability(client, { name });
    const record = await getName(client, { name }).catch((error: unknown) => {
      if (isCoinfrontError(error, 'name_not_found')) return undefined;
      throw error;
    });
    const { available, status, cost } = availability;
    const { ticker } = file.watch.network;
    return {
      json: { name, available, status, cost, record: record ?? null },
      lines: [
        `${name}: ${status}${available ? ', can be registered' : ''}`,
        `  costs     ${cost.per_period} ${ticker} a period${cost.premium.match(/[1-9]/) ? `, and ${cost.premium} once` : ''}`,
        ...(record === undefined
          ? []
          : [
              `  owner     ${record.owner.address ?? record.owner.script}${record.resolves ? '' : ' (does not resolve)'}`,
              ...(record.resolves && record.is_reverse
                ? ['  shown     the address is shown with this name']
                : []),
              `  expires   at block ${record.expiry.height}, about ${record.expiry.time.slice(0, 10)}`,
            ]),
      ],
    };
  },
});
