/** The treasury of the local chain: contributors who give from the node's wallet as from any other, and what it spends. */

import { parseAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { parseProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { serializeTransaction } from '@coinfront/protocol/transaction.ts';
import { broadcast } from '@coinfront/sdk/chain/broadcast.ts';
import { listUtxos } from '@coinfront/sdk/chain/list-utxos.ts';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { createIntent } from '@coinfront/sdk/treasury/create-intent.ts';
import { listContributors } from '@coinfront/sdk/treasury/list-contributors.ts';
import { listLedger } from '@coinfront/sdk/treasury/list-ledger.ts';
import { registerContributor } from '@coinfront/sdk/treasury/register-contributor.ts';
import { makeDemoCoin } from './coin.ts';
import { type Stage, waitFor } from './players.ts';

/** The contributor whose secret is shown, to be tried. */
const FIRST = 'First giver';
/** Whoever has no name here wants none to be shown. */
const givers: readonly { nickname?: string; gives: readonly string[] }[] = [
  { nickname: FIRST, gives: ['1', '0.5', '2.25'] },
  { nickname: 'Harbour master', gives: ['5', '1.5', '1.5', '0.75'] },
  { nickname: 'Night shift', gives: ['0.4', '0.4', '0.4'] },
  { nickname: 'Kestrel', gives: ['3.2', '0.8'] },
  { nickname: 'Blue bicycle', gives: ['0.15', '0.35', '1.1'] },
  { gives: ['2', '2'] },
  { nickname: 'Baker', gives: ['0.9', '0.6'] },
  { gives: ['0.33'] },
];
const SPENT = '4.2';
const FEE = 6_000n;
/** The treasury of regtest can be spent by anyone: P2WSH of OP_2. */
const WITNESS_SCRIPT = Uint8Array.of(0x52);
const REPLACEABLE = 0xffff_fffd;

/**
 * Makes the contributors and twenty contributions, and spends some of them; takes some blocks. Does nothing where there are any.
 *
 * @returns the secret of the first contributor, when it was made now
 */
export async function makeTreasury(stage: Stage): Promise<string | undefined> {
  const { client, chain } = stage;
  let firstSecret: string | undefined;
  for (const { nickname, gives } of givers) {
    let secret: string | null;
    try {
      const shown = nickname === undefined ? {} : { nickname, public_display: true };
      secret = (await registerContributor(client, shown)).contributor_secret;
    } catch (error) {
      // It was made at an earlier start, and so were all others.
      if (isCoinfrontError(error) && error.code === 'nickname_taken') return undefined;
      throw error;
    }
    if (nickname === FIRST) firstSecret = secret ?? undefined;
    for (const amount of gives) {
      const intent = await createIntent(client, { contributor_secret: secret ?? '', amount });
      await chain.main.call('sendtoaddress', [intent.address, intent.exact_amount]);
    }
  }
  chain.hurry(8);
  await waitFor(stage, 'A verified contribution', async () => {
    const { items } = await listContributors(client, {});
    return items.length > 0;
  });
  await spend(stage);
  return firstSecret;
}

/** Pays a part of what the treasury has to somebody; the rest goes back to it. */
async function spend(stage: Stage): Promise<void> {
  const { client, chain } = stage;
  const { treasury, decimals } = getValue(parseProfile(makeDemoCoin()));
  if (treasury === undefined) throw new Error('The coin of the local chain has no treasury.');
  const paid = getValue(parseAmount(SPENT, decimals));
  const coin = await waitFor(stage, 'A coin of the treasury', async () => {
    const { items } = await listUtxos(client, { address: treasury.address, limit: 100 });
    return items.find(
      ({ value, spendable }) => spendable && getValue(parseAmount(value, decimals)) > paid + FEE,
    );
  });
  const grantee = await chain.players.call<string>('getnewaddress', ['', 'bech32']);
  const { scriptPubKey } = await chain.players.call<{ scriptPubKey: string }>('getaddressinfo', [grantee]);
  const raw = serializeTransaction(
    {
      version: 2,
      inputs: [
        {
          prevTxid: getValue(parseDisplayHash(coin.txid)),
          prevVout: coin.vout,
          scriptSig: new Uint8Array(0),
          sequence: REPLACEABLE,
          witness: [WITNESS_SCRIPT],
        },
      ],
      outputs: [
        { value: paid, script: getHexBytes(scriptPubKey) },
        { value: getValue(parseAmount(coin.value, decimals)) - paid - FEE, script: treasury.script },
      ],
      locktime: 0,
      hasWitness: true,
      mweb: undefined,
    },
    { witness: true },
  );
  await broadcast(client, { raw_tx: bytesToHex(raw) });
  await waitFor(stage, 'The spend in the ledger', async () => {
    const { items } = await listLedger(client, { limit: 10 });
    return items.some(({ kind }) => kind === 'spend');
  });
}
