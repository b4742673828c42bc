/** Those who use names and tokens on the local chain, as any wallet would: the service builds, they look and sign, the service sends. */

import { setTimeout as delay } from 'node:timers/promises';
import type { EncodedFieldsJson } from '@coinfront/api/unsigned.ts';
import { broadcast } from '@coinfront/sdk/chain/broadcast.ts';
import { getStatus } from '@coinfront/sdk/chain/get-status.ts';
import { getTransaction } from '@coinfront/sdk/chain/get-transaction.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import type { LocalChain } from './local-chain.ts';

/** What the examples are made with. */
export type Stage = {
  readonly client: Client;
  readonly chain: LocalChain;
  /** Folder of the local chain. */
  readonly dir: string;
  /** Settings of the service, for the operator's commands. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
};

/** Above what the miners of the local chain take at least, in coins for 1,000 virtual bytes. */
export const PLAYER_FEE_RATE = '0.00015';

const LOOK_MS = 150;
const PATIENCE_MS = 180_000;

/** What the service answers who asks for an operation. */
type Encoded = EncodedFieldsJson & { next_block: { valid: boolean } | null };

/** Waits until something is there. */
export async function waitFor<T>(
  { signal }: Pick<Stage, 'signal'>,
  what: string,
  look: () => Promise<T | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what} does not come.`);
    await delay(LOOK_MS, undefined, { signal });
  }
}

/** Waits until the service has the chain's last block. */
export async function waitForTip(stage: Stage): Promise<void> {
  const height = await stage.chain.height();
  await waitFor(stage, `Block ${height} at the service`, async () => {
    const status = await getStatus(stage.client).catch(() => undefined);
    return status !== undefined && status.index.height >= height;
  });
}

/** Gives each of these addresses so many coins of an amount; they are of use after the next block. */
export async function giveCoins(
  payer: NodeClient,
  addresses: readonly string[],
  amount: string,
  count = 1,
): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const amounts = Object.fromEntries(addresses.map((address) => [address, amount]));
    await payer.call('sendmany', ['', amounts]);
  }
}

/**
 * Asks until an operation is valid in the next block and there is a coin for it; then signs and sends it.
 *
 * @param ask encodes the operation anew
 * @returns the txid, once the service knows the transaction: before, it would build the next one on the same coins
 */
export async function play(stage: Stage, what: string, ask: () => Promise<Encoded>): Promise<string> {
  return await waitFor(stage, what, () => tryToPlay(stage, ask));
}

/** The same at once, or not: undefined when it is not valid in the next block, or there is no coin for it. */
export async function tryToPlay(stage: Stage, ask: () => Promise<Encoded>): Promise<string | undefined> {
  const { client, chain } = stage;
  const { next_block, transaction } = await ask();
  if (next_block?.valid === false || transaction === null) return undefined;
  const { psbt } = await chain.players.call<{ psbt: string }>('walletprocesspsbt', [transaction.psbt]);
  const { hex } = await chain.players.call<{ hex: string }>('finalizepsbt', [psbt]);
  let txid: string;
  try {
    ({ txid } = await broadcast(client, { raw_tx: hex }));
  } catch (error) {
    // Somebody else was faster with the coin.
    if (isCoinfrontError(error) && ['mempool_conflict', 'missing_inputs'].includes(error.code))
      return undefined;
    throw error;
  }
  await waitFor(stage, `Transaction ${txid} at the service`, () =>
    getTransaction(client, { txid }).catch(() => undefined),
  );
  return txid;
}
