import { setTimeout as delay } from 'node:timers/promises';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { getNameAvailability } from '@coinfront/sdk/names/get-name-availability.ts';
import { getNameStatus } from '@coinfront/sdk/names/get-name-status.ts';
import { quoteName, readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { checkName, planNameCommit, planNameRegister } from '@coinfront/sdk/wallet/plan-names.ts';
import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import type { WalletKeys } from '@coinfront/sdk/wallet/wallet-keys.ts';
import { unlockWallet } from '../keystore/open-wallet-file.ts';
import { waitForBlock } from '../service/wait-for-block.ts';
import { defineCommand, type Outcome } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { chooseKind } from '../wallet/address-kind.ts';
import { readCoins, readWhole, showCoins, showCount } from '../wallet/amounts.ts';
import { findCommitment, findPendingCommitment, type OwnCommitment } from '../wallet/find-commitment.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { type Purse, type SpendOptions, spend, spendOptions } from '../wallet/spend.ts';

/** What the register's own fee may take of what its owner is given, in dust limits: enough at any usual rate. */
const feeReserve = 10n;
const askEveryMs = 2_000;

export const nameRegisterCommand = defineCommand({
  name: 'name register',
  summary: 'register a name: commit to it, and register it some blocks later',
  details: `Two transactions, so that nobody can overtake you: the first hides the name, the second reveals and pays it. Run the command again
after the blocks that it names, or use --wait. You need not keep anything in between: a restored wallet can continue.`,
  args: [{ name: 'name', summary: 'such as alice.coin' }],
  options: {
    periods: { value: '<number>', summary: 'periods to pay for (default: 1)' },
    'at-most': { value: '<coins>', summary: 'refuse to pay more for the name' },
    wait: { summary: 'wait for the blocks in between, and register' },
    ...spendOptions,
  },
  async run(context, { args: { name }, options }) {
    const purse = await openPurse(context);
    const { session, scan, file } = purse;
    const status = await getNameStatus(session.client);
    checkName(name, readNameSyntax(status));
    // The salt comes from a key, and every step needs it.
    const keys = await unlockWallet(context, file);
    try {
      const asked = { name, keys, options };
      const begun = await findCommitment(session.client, name, keys.nameSalt(name), scan, status);
      if (begun !== undefined && status.as_of.height + 1 >= begun.from) {
        return await register(context, purse, begun, asked);
      }
      const pending =
        begun === undefined
          ? await findPendingCommitment(session.reads, name, keys.nameSalt(name), scan)
          : undefined;
      const made =
        begun === undefined && pending === undefined ? await commit(context, purse, asked) : undefined;
      const committed = made?.outcome;
      if (!options.wait || options.psbt !== undefined) {
        return (
          committed ?? (begun === undefined ? describePending(name, pending!) : describeWaiting(name, begun))
        );
      }
      if (committed !== undefined) context.terminal.note(`${committed.lines[0]}, the commitment\n`);
      const commitment = begun ?? (await waitForCommitment(context, purse, asked));
      await waitForBlock(context, session, commitment.from - 1);
      // Nobody is asked again: what was said when it was committed to is the most that it may cost.
      const most = context.options.yes ? made?.cost : undefined;
      return await register(context, await openPurse(context), commitment, asked, most);
    } finally {
      keys.wipe();
    }
  },
});

type Asked = {
  name: string;
  keys: WalletKeys;
  options: SpendOptions & { periods: string | undefined; 'at-most': string | undefined };
};

/** What the name costs in the next block, within what was allowed; `shown` is what was said before, if that binds. */
async function quote({ session, file }: Purse, { name, options }: Asked, shown?: bigint) {
  const { network } = file.watch;
  const periods = readWhole('--periods', options.periods ?? '1', { min: 1, max: 255 });
  const given = options['at-most'];
  const allowed = given === undefined ? undefined : readCoins(given, network);
  const atMost = allowed === undefined || (shown !== undefined && shown < allowed) ? shown : allowed;
  const status = await getNameStatus(session.client);
  const availability = await getNameAvailability(session.client, { name });
  const cost = quoteName('register', availability, status, network, {
    periods,
    ...(atMost === undefined ? {} : { atMost }),
  });
  return { status, cost, periods };
}

async function commit(
  context: Context,
  purse: Purse,
  asked: Asked,
): Promise<{ outcome: Outcome; cost: bigint }> {
  const { file, scan } = purse;
  const { network } = file.watch;
  const { name, keys, options } = asked;
  const { status, cost, periods } = await quote(purse, asked);
  const owner = nextAddress(scan, { kind: chooseKind(undefined, network), chain: 0 });
  const plan = planNameCommit({
    name,
    owner,
    salt: keys.nameSalt(name),
    network,
    syntax: readNameSyntax(status),
    fundOwner: cost.total + network.dustLimit * feeReserve,
  });
  const maturity = status.rules.commit_maturity_blocks;
  const intro = [
    `You commit to ${name}, for ${owner.address}`,
    `It will cost ${showCoins(cost.total, network)} for ${showCount(periods, 'period')}, when it is registered ${maturity} blocks later.`,
  ];
  const facts = {
    step: 'commit',
    name,
    owner: owner.address,
    cost: formatAmount(cost.total, network.decimals),
    maturity_blocks: maturity,
  };
  const { outcome } = await spend(context, purse, { plan, intro, facts, keys }, options);
  const next = `${maturity} blocks after it is mined: coin name register ${name}`;
  return { outcome: { ...outcome, lines: [...outcome.lines, next] }, cost: cost.total };
}

async function register(
  context: Context,
  purse: Purse,
  { owner }: OwnCommitment,
  asked: Asked,
  shown?: bigint,
): Promise<Outcome> {
  const { network } = purse.file.watch;
  const { name, keys, options } = asked;
  const { status, cost, periods } = await quote(purse, asked, shown);
  const plan = planNameRegister({
    name,
    owner,
    salt: keys.nameSalt(name),
    periods,
    cost,
    syntax: readNameSyntax(status),
  });
  const intro = [
    `You register ${name} for ${showCount(periods, 'period')}, ${showCoins(cost.total, network)}, for ${owner.address}`,
  ];
  const facts = {
    step: 'register',
    name,
    owner: owner.address,
    cost: formatAmount(cost.total, network.decimals),
  };
  return (await spend(context, purse, { plan, intro, facts, keys }, options)).outcome;
}

/** Until the commitment that was just sent is in a block. */
async function waitForCommitment(
  context: Context,
  { session }: Purse,
  { name, keys }: Asked,
): Promise<OwnCommitment> {
  for (;;) {
    const status = await getNameStatus(session.client);
    const { scan } = await openPurse(context);
    const found = await findCommitment(session.client, name, keys.nameSalt(name), scan, status);
    if (found !== undefined) return found;
    await delay(askEveryMs, undefined, { signal: context.signal });
  }
}

function describePending(name: string, txid: string): Outcome {
  return {
    json: { step: 'wait', name, commitment_txid: txid, register_from: null, register_to: null },
    lines: [`The commitment to ${name} waits for a block, in ${txid}: run this again later.`],
  };
}

function describeWaiting(name: string, { owner, from, to }: OwnCommitment): Outcome {
  return {
    json: { step: 'wait', name, owner: owner.address, register_from: from, register_to: to },
    lines: [
      `${name} is committed to, for ${owner.address}. It can be registered in blocks ${from} to ${to}: run this again then.`,
    ],
  };
}
