/**
 * Transactions that wait in the mempool of the local chain because they pay too little, as everywhere where blocks are sought after:
 * its miners take nothing below a fee rate. Now and then one of them raises its fee, and another one comes.
 */

import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, serializeTransaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import type { Random } from '../traffic/random.ts';
import { anyoneWitnessScript, p2wshOf, relayedScripts } from '../traffic/scripts.ts';

export type Backlog = {
  /** Once a block: fills it up, and lets some of it go. */
  takeTurn(): Promise<void>;
};

/** Base units for a virtual byte below which the miners of the local chain take nothing. */
export const LEAST_MINED_RATE = 5;
/** For the node: what it leaves out of its blocks. */
export const backlogNodeArgs: readonly string[] = [`-blockmintxfee=${LEAST_MINED_RATE / 100_000}`];

/** Transactions that wait. */
const DEPTH = 300;
/** Rates of those that wait, and of those that wait no longer. */
const waiting = { min: 1.05, max: LEAST_MINED_RATE - 0.2 };
const leaving = { min: 8, max: 60 };
/** Each turn so many of them raise their fee. */
const LEAVING_A_TURN = 2;
const SENT_A_TURN = 25;
/** Coins that anybody may spend, each for one transaction that waits. */
const COINS_AT_ONCE = DEPTH / 2;
const COIN_VALUE = 200_000n;
const REPLACEABLE = 0xffff_fffd;

type Coin = { txid: string; vout: number; script: Uint8Array };
type Waiting = { coin: Coin; outputs: Uint8Array[] };

/** @param wallet of the node, which pays for the coins */
export function createBacklog(wallet: NodeClient, profile: CoinProfile, random: Random): Backlog {
  /** Confirmed, or soon: nobody waits for more than what paid them. */
  const coins: Coin[] = [];
  let sent: Waiting[] = [];
  /** What pays for coins, until it is in a block. */
  let ordered: { txid: string; scripts: Uint8Array[] } | undefined;

  async function order(): Promise<void> {
    const scripts = Array.from({ length: COINS_AT_ONCE }, () => anyoneWitnessScript(random));
    const amounts = Object.fromEntries(
      scripts.map((script) => [
        encodeAddress(p2wshOf(script), profile),
        formatAmount(COIN_VALUE, profile.decimals),
      ]),
    );
    ordered = { txid: await wallet.call<string>('sendmany', ['', amounts]), scripts };
  }

  async function collect(): Promise<void> {
    if (ordered === undefined) return;
    const { txid, scripts } = ordered;
    const { hex, confirmations } = await wallet.call<{ hex: string; confirmations: number }>(
      'gettransaction',
      [txid],
    );
    if (confirmations < 1) return;
    const { outputs } = getValue(parseTransaction(getHexBytes(hex)));
    const places = new Map(outputs.map(({ script }, vout) => [bytesToHex(script), vout]));
    for (const script of scripts) {
      const vout = places.get(bytesToHex(p2wshOf(script)));
      if (vout !== undefined) coins.push({ txid, vout, script });
    }
    ordered = undefined;
  }

  async function send(entries: readonly Waiting[], rates: { min: number; max: number }): Promise<void> {
    const calls = entries.map((entry) => ({
      method: 'sendrawtransaction',
      params: [makeTransaction(entry, pickRate(random, rates))],
    }));
    if (calls.length === 0) return;
    for (const answer of await wallet.batch(calls)) if (!answer.ok) throw answer.error;
  }

  return {
    async takeTurn() {
      await collect();
      const { size } = await wallet.call<{ size: number }>('getmempoolinfo');
      const missing = Math.min(SENT_A_TURN, DEPTH + LEAVING_A_TURN - size);
      const coming = coins
        .splice(0, Math.max(0, missing))
        .map((coin) => ({ coin, outputs: pickOutputs(random) }));
      await send(coming, waiting);
      sent.push(...coming);
      if (size >= DEPTH / 2) {
        const [going, staying] = pickSome(sent, LEAVING_A_TURN, random);
        sent = staying;
        await send(going, leaving);
      }
      if (missing > coins.length && ordered === undefined) await order();
    },
  };
}

function pickOutputs(random: Random): Uint8Array[] {
  return Array.from({ length: random.integer(1, 3) }, () => random.pick(relayedScripts)(random));
}

/** Low rates are more usual than high ones. */
function pickRate(random: Random, { min, max }: { min: number; max: number }): number {
  return min * (max / min) ** random.next();
}

function pickSome<T>(items: readonly T[], count: number, random: Random): [picked: T[], left: T[]] {
  const left = [...items];
  const picked: T[] = [];
  while (picked.length < count && left.length > 0) {
    picked.push(...left.splice(random.integer(0, left.length - 1), 1));
  }
  return [picked, left];
}

/** Spends a coin to these scripts in equal parts, at `rate` base units for a virtual byte. */
function makeTransaction({ coin, outputs }: Waiting, rate: number): string {
  const input = {
    prevTxid: getValue(parseDisplayHash(coin.txid)),
    prevVout: coin.vout,
    scriptSig: new Uint8Array(0),
    sequence: REPLACEABLE,
    witness: [coin.script],
  };
  const build = (value: bigint, witness: boolean) =>
    serializeTransaction(
      {
        version: 2,
        inputs: [input],
        outputs: outputs.map((script): TxOutput => ({ value, script })),
        locktime: 0,
        hasWitness: true,
        mweb: undefined,
      },
      { witness },
    );
  const vsize = Math.ceil((3 * build(0n, false).length + build(0n, true).length) / 4);
  const fee = BigInt(Math.ceil(rate * vsize));
  return bytesToHex(build((COIN_VALUE - fee) / BigInt(outputs.length), true));
}
