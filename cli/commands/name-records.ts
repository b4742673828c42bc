import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import {
  findRecordsFault,
  hashRecordsDocument,
  type NameRecords,
  writeRecordsDocument,
} from '@coinfront/protocol/names/name-records.ts';
import { getNameRecords } from '@coinfront/sdk/names/get-name-records.ts';
import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { putNameRecords } from '@coinfront/sdk/names/put-name-records.ts';
import { verifyNameRecords } from '@coinfront/sdk/verify/verify-name-records.ts';
import { readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { planNameRecords } from '@coinfront/sdk/wallet/plan-names.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand, type Outcome } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const nameRecordsCommand = defineCommand({
  name: 'name records',
  summary: 'show the text records of a name, or set them',
  details: `Without --set and --remove it shows them, checked by the hash that the chain has. --set takes all of them, such as
--set 'url=https://alice.example/;email=alice@alice.example', and replaces those of before. Their hash goes on the chain first; once a block has it,
the same command again gives them to the service.`,
  args: [{ name: 'name', summary: 'such as alice.coin' }],
  options: {
    set: { value: '<key=value;…>', summary: 'all text records, which replace those of before' },
    remove: { summary: 'the name has no text records any more' },
    ...spendOptions,
  },
  async run(context, { args: { name }, options: { set, remove, ...options } }) {
    if (set !== undefined && remove) throw misuse('--set and --remove do not go together.');
    if (set === undefined && !remove) return await show(context, name);
    const records = set === undefined ? null : readRecords(set);
    const purse = await openPurse(context);
    const { client } = purse.session;
    const owner = purse.names.find((each) => each.name === name)?.owner;
    if (owner === undefined) throw new CliError('name_foreign', `${name} is not of this wallet.`);
    const status = await getNameStatus(client);
    const from = status.rules.records_activation_height;
    if (from === null || status.as_of.height + 1 < from)
      throw new CliError(
        'records_inactive',
        from === null ? 'This coin has no text records.' : `Text records begin at block ${from}.`,
      );
    const onChain = await getNameRecords(client, { name });
    const hash = records === null ? null : hashOf(name, records);
    if (records !== null && onChain.hash === hash) {
      await putNameRecords(client, { name, records });
      return {
        json: { name, step: 'document', hash, records },
        lines: [`The chain has the hash of these records; the service has taken them for ${name}.`],
      };
    }
    if (records === null && onChain.state === 'none')
      throw new CliError('records_none', `${name} has no text records: nothing to remove.`);
    const plan = planNameRecords({ name, owner, records, syntax: readNameSyntax(status) });
    const intro =
      records === null
        ? [`${name} has no text records any more`]
        : [
            `You set the text records of ${name}`,
            ...Object.entries(records).map(([key, value]) => `  ${key} = ${value}`),
            'Once a block has this, the same command gives them to the service.',
          ];
    const facts = { name, step: 'hash', hash, records };
    return (await spend(context, purse, { plan, intro, facts }, options)).outcome;
  },
});

async function show(context: Context, name: string): Promise<Outcome> {
  const { client } = await connectWallet(context, await loadWallet(context));
  const answer = await getNameRecords(client, { name });
  const records = verifyNameRecords(answer);
  if (answer.state === 'known' && records === undefined)
    throw new CliError(
      'records_forged',
      `What the service has for ${name} is not the document with the hash.`,
    );
  const { state, hash } = answer;
  return {
    json: { name, state, hash, records: records ?? null },
    lines:
      records === undefined
        ? [`${name}: ${reasons[state]}`, ...(hash === null ? [] : [`  hash      ${hash}`])]
        : [
            ...Object.entries(records).map(([key, value]) => `${key} = ${value}`),
            `The document has the hash ${hash}.`,
          ],
  };
}

const reasons = {
  known: '',
  unknown: 'the chain has a hash of text records, and this service does not have them.',
  none: 'no text records.',
  expired: 'it does not resolve, so its text records do not count.',
  inactive: 'this coin has no text records, or not yet.',
} as const;

function readRecords(text: string): NameRecords {
  const entries = text
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const at = each.indexOf('=');
      if (at < 1) throw misuse('--set takes key=value, and a semicolon between two of them.');
      return [each.slice(0, at).trim(), each.slice(at + 1).trim()] as const;
    });
  const records = Object.fromEntries(entries);
  if (Object.keys(records).length < entries.length) throw misuse('--set has a key twice.');
  const fault = findRecordsFault(records);
  if (fault !== undefined) throw misuse(`--set: ${fault}.`);
  return records;
}

function hashOf(name: string, records: NameRecords): string {
  return bytesToHex(hashRecordsDocument(writeRecordsDocument(name, records)));
}
