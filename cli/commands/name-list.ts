import { defineCommand } from '../shell/command.ts';
import { describeName } from '../wallet/find-holdings.ts';
import { openPurse } from '../wallet/open-purse.ts';

export const nameListCommand = defineCommand({
  name: 'name list',
  summary: 'list names of the wallet',
  args: [],
  options: {},
  async run(context) {
    const names = (await openPurse(context)).names.map(describeName);
    return {
      json: { items: names },
      lines:
        names.length === 0
          ? ['No names.']
          : names.map(
              ({ name, state, expiry_height, owner, resolves, is_reverse }) =>
                `${name.padEnd(24)} ${state.padEnd(11)} until block ${expiry_height}  ${owner}${resolves && is_reverse ? ', shown with it' : ''}`,
            ),
    };
  },
});
