/** Names of the local chain in every state: some have a past that the first start makes, and others come and go while it lives. */

import { randomBytes } from 'node:crypto';
import { encodeNameCommit } from '@coinfront/sdk/names/encode-name-commit.ts';
import { encodeNameRecords } from '@coinfront/sdk/names/encode-name-records.ts';
import { encodeNameRegister } from '@coinfront/sdk/names/encode-name-register.ts';
import { encodeNameRenew } from '@coinfront/sdk/names/encode-name-renew.ts';
import { encodeNameReverse } from '@coinfront/sdk/names/encode-name-reverse.ts';
import { encodeNameTransfer } from '@coinfront/sdk/names/encode-name-transfer.ts';
import { getName } from '@coinfront/sdk/names/get-name.ts';
import { getNameAvailability } from '@coinfront/sdk/names/get-name-availability.ts';
import { putNameRecords } from '@coinfront/sdk/names/put-name-records.ts';
import { demoNameLives } from './coin.ts';
import { giveCoins, PLAYER_FEE_RATE, play, type Stage, tryToPlay, waitFor, waitForTip } from './players.ts';

/** The name that README and docs speak of; it lives long. */
export const DEMO_NAME = 'demo.coin';

/** A name that is on its way to its owner. */
type Plan = { name: string; salt: string; address: string; periods: number };

/** Blocks between a commitment and its register. */
const MATURITY = 12;
const COINS = 40;
const SALT_BYTES = 16;
/** Names that come one after the other, so that there are always some in every state. */
const COMING = [
  ...['atelier', 'birch', 'comet', 'drift', 'ember', 'fjord', 'grove', 'heron', 'inlet', 'juniper'],
  ...['kestrel', 'lagoon', 'meadow', 'nectar', 'orchard', 'pebble'],
].map((label) => `${label}.coin`);
const COMES_EVERY = demoNameLives.grace;

/**
 * Plays the past of some names; while it does, it mines the history of the chain.
 *
 * At its end there are names in each state: registered, grace, premium, lapsed; one was renewed, and one given away.
 */
export async function playPastOfNames(stage: Stage): Promise<void> {
  const { client, chain } = stage;
  const address = await chain.players.call<string>('getnewaddress', ['', 'bech32']);
  const plan = (name: string, periods = 1): Plan => ({ name, salt: newSalt(), address, periods });
  const mine = async (blocks: number) => {
    await chain.mineHistory(blocks);
    await waitForTip(stage);
  };
  const registerIn = async (plans: readonly Plan[]) => {
    for (const each of plans) await play(stage, `The register of ${each.name}`, () => register(stage, each));
    await mine(1);
  };
  const { period, grace, premium } = demoNameLives;
  const long = [plan(DEMO_NAME, 10), plan('museum.coin'), plan('harbour.coin', 4)];
  const lapses = plan('bakery.coin');
  const [premiumNow, graceNow] = [plan('ferry.coin'), plan('lantern.coin')];
  const coming = COMING.slice(0, period / COMES_EVERY - 1).map((name) => plan(name));

  await giveCoins(chain.main, [address], '2', COINS);
  await mine(1);
  for (const each of [...long, lapses, premiumNow, graceNow, ...coming]) {
    await play(stage, `The commitment to ${each.name}`, () => commit(stage, each));
  }
  await mine(MATURITY);
  await registerIn([lapses]);
  await mine(grace + premium / 2 - 1);
  await registerIn([premiumNow]);
  await mine(grace - 1);
  await registerIn([graceNow, ...long]);
  const common = { address, fee_rate: PLAYER_FEE_RATE };
  await play(stage, 'The renewal of museum.coin', () =>
    encodeNameRenew(client, { name: 'museum.coin', periods: 3, ...common }),
  );
  const to = await chain.players.call<string>('getnewaddress', ['', 'bech32']);
  await play(stage, 'The transfer of harbour.coin', () =>
    encodeNameTransfer(client, { name: 'harbour.coin', to, ...common }),
  );
  for (const each of coming) {
    await mine(COMES_EVERY - 1);
    await registerIn([each]);
  }
  // Two blocks with the pool's tag that break its word, as blocks of anybody may.
  await chain.mineTagged('broken');
  await chain.mineTagged('none');
  // Half-way between the end of one life and the next.
  await mine(COMES_EVERY + grace / 2 - 2);
}

/** What the owner of the one name says of it. */
const DEMO_RECORDS = {
  description: 'The name that this demonstration speaks of',
  url: 'https://demo.example/',
  email: 'hello@demo.example',
};

/** Has the owner of the one name be shown by it, and say something of it; takes some blocks at the first start. */
export async function describeDemoName(stage: Stage): Promise<void> {
  const { client, chain } = stage;
  const read = () => getName(client, { name: DEMO_NAME });
  const record = await read();
  const address = record.owner.address!;
  const common = { name: DEMO_NAME, address, fee_rate: PLAYER_FEE_RATE };
  if (record.is_reverse && record.records_hash !== null) return;
  await giveCoins(chain.main, [address], '0.05', 2);
  chain.hurry(4);
  if (!record.is_reverse) await play(stage, 'The reverse record', () => encodeNameReverse(client, common));
  if (record.records_hash !== null) return;
  await play(stage, 'The text records', () =>
    encodeNameRecords(client, { ...common, records: DEMO_RECORDS }),
  );
  await waitFor(stage, 'The hash of the text records', async () => (await read()).records_hash ?? false);
  await putNameRecords(client, { name: DEMO_NAME, records: DEMO_RECORDS });
}

/** Has a new name come every so many blocks, for as long as the chain lives. */
export function keepNamesComing(stage: Stage): void {
  const { chain } = stage;
  let nextAt = 0;
  let coming: { plan: Plan; isCommitted: boolean } | undefined;
  chain.onTurn(async () => {
    if (coming?.isCommitted === false) {
      coming.isCommitted = (await tryToPlay(stage, () => commit(stage, coming!.plan))) !== undefined;
    } else if (coming !== undefined) {
      if ((await tryToPlay(stage, () => register(stage, coming!.plan))) !== undefined) coming = undefined;
    } else {
      const height = await chain.height();
      if (height < nextAt) return;
      nextAt = height + COMES_EVERY;
      const name = await findFree(stage);
      if (name === undefined) return;
      const address = await chain.players.call<string>('getnewaddress', ['', 'bech32']);
      await giveCoins(chain.main, [address], '0.5', 2);
      coming = { plan: { name, salt: newSalt(), address, periods: 1 }, isCommitted: false };
    }
  });
}

/** A name that costs no premium. */
async function findFree({ client }: Stage): Promise<string | undefined> {
  for (const name of COMING) {
    const { available, cost } = await getNameAvailability(client, { name });
    if (available && Number(cost.premium) === 0) return name;
  }
  return undefined;
}

function newSalt(): string {
  return randomBytes(SALT_BYTES).toString('hex');
}

function commit({ client }: Stage, { name, salt, address }: Plan) {
  return encodeNameCommit(client, { name, salt, address, fee_rate: PLAYER_FEE_RATE });
}

function register({ client }: Stage, { name, salt, address, periods }: Plan) {
  return encodeNameRegister(client, { name, salt, periods, address, fee_rate: PLAYER_FEE_RATE });
}
