import { parseAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { RunningNode } from '../bench-node.ts';
import { payoutDescriptor } from '../chain/mine.ts';
import { type Coinbase, mineBlock, spendCoinbase } from './heavy-blocks.ts';
import type { FreshOfRoutes } from './list-requests.ts';
import type { ServiceClient } from './service-client.ts';

/** The contributor who gave most often, one of its intents, and what pays it; and what requests use up. */
export type Contributors = { secret: string; intentId: string; txid: string; fresh: FreshOfRoutes };

const prefix = '/api/treasury';
const CONTRIBUTORS = 1_500;
/** Of one contributor, below the most that may be unpaid. */
const INTENTS = 190;
const ROUNDS = 3;
/** Outputs to the treasury that no intent asked for, of one transaction. */
const STRANGE_OUTPUTS = 15_000;
const STRANGE_VALUE = 10_000n;

/** Registers contributors, has one of them give 570 times, and somebody else send 15,000 outputs of which nobody knows why. */
export async function openContributors(
  client: ServiceClient,
  node: RunningNode,
  takeCoinbase: () => Coinbase,
  profile: CoinProfile,
): Promise<Contributors> {
  const { script, confirmations } = profile.treasury!;
  let named = 0;
  const newNickname = () => `Giver ${spell(named++)}`;
  const register = async (): Promise<string> => {
    const body = { nickname: newNickname(), public_display: true };
    return (await client.send('POST', `${prefix}/contributors`, body)).contributor_secret;
  };
  const settle = async (): Promise<void> => {
    await node.rpc('generatetodescriptor', confirmations, payoutDescriptor());
    const best = await node.rpc<string>('getbestblockhash');
    await client.waitFor(
      'the ledger is at the tip',
      `${prefix}/ledger?limit=1`,
      ({ as_of }) => as_of?.hash === best,
    );
  };
  await settle();
  const secrets: string[] = [];
  while (secrets.length < CONTRIBUTORS) secrets.push(await register());
  const secret = secrets[0]!;
  const ask = (contributor_secret: string) =>
    client.send('POST', `${prefix}/intents`, { contributor_secret, amount: '0.001' });
  const pay = async (intents: { exact_amount: string }[], more = 0): Promise<string> => {
    const outputs = [
      ...intents.map(({ exact_amount }) => getValue(parseAmount(exact_amount, profile.decimals))),
      ...Array.from({ length: more }, () => STRANGE_VALUE),
    ].map((value) => ({ value, script }));
    const { hex, txid } = spendCoinbase(takeCoinbase(), outputs);
    await mineBlock(node, [hex]);
    await settle();
    return toDisplayHash(txid);
  };
  let intentId = '';
  let txid = '';
  for (let round = 0; round < ROUNDS; round++) {
    const intents: { id: string; exact_amount: string }[] = [];
    while (intents.length < INTENTS) intents.push(await ask(secret));
    intentId = intents[0]!.id;
    txid = await pay(intents, round === ROUNDS - 1 ? STRANGE_OUTPUTS : 0);
  }
  // The others are ranked only once they have given something.
  for (let first = 1; first < CONTRIBUTORS; first += INTENTS) {
    const intents = [];
    for (const each of secrets.slice(first, first + INTENTS)) intents.push(await ask(each));
    await pay(intents);
  }

  let next = 1;
  const nextSecret = (): string => secrets[next++ % secrets.length]!;
  return {
    secret,
    intentId,
    txid,
    fresh: {
      'POST /api/treasury/contributors': [
        {
          name: 'a new nickname',
          make: async () => ({ body: { nickname: newNickname(), public_display: true } }),
        },
      ],
      'POST /api/treasury/profile': [
        {
          name: 'a new nickname',
          make: async () => ({ body: { contributor_secret: nextSecret(), nickname: newNickname() } }),
        },
      ],
      'POST /api/treasury/intents': [
        {
          name: 'an exact amount',
          make: async () => ({ body: { contributor_secret: nextSecret(), amount: '0.001' } }),
        },
      ],
    },
  };
}

/** A number in letters of which none looks like another: nicknames that look alike are one. */
function spell(number: number): string {
  const letters = 'adeghkpt';
  return number.toString(8).replaceAll(/./g, (digit) => letters[Number(digit)]!);
}
