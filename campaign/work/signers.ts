import { bytesToHex, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { TestNode } from '../../test/harness/litecoind.ts';
import {
  createSigner,
  type Signed,
  type Signer,
  signTransaction,
} from '../../test/harness/signing-wallet.ts';
import { testProfile } from '../../test/harness/test-coin.ts';
import { choose } from '../promises/record.ts';
import type { ChainTruth } from '../truth/chain-truth.ts';

/** Keys of this program, each with coins of the chain. */
export type Signers = {
  readonly list: readonly Signer[];
  /** Looks up what each can spend, by the node's own set of outputs; call it while nothing changes. */
  refresh(node: TestNode, truth: ChainTruth): Promise<void>;
  /** Signs for the one that a number from 0 to 1 chooses; undefined when it has no coin at the moment. */
  sign(by: number, makeOutputs: (signer: Signer) => TxOutput[]): Signed | undefined;
  /** Transactions that spend, to their own owner, what newest ones of the mempool spend. */
  makeConflicts(node: TestNode): Promise<string[]>;
  /** What the node's set of outputs has for an address, as `txid:vout`, and their sum. */
  unspentOf(address: string): { outpoints: string[]; sum: bigint };
};

const COUNT = 10;
/** Each has so many coins, so that several transactions of one step need not follow each other. */
const COINS_EACH = 3;
const COIN_VALUE = 12;
/** What is left of a coin must pay for an operation and its fee. */
const LEAST_VALUE = 200_000_000n;
const REMEMBERED = 40;
const CONFLICTS_AT_ONCE = 2;
const UNITS_PER_COIN = 1e8;

type Unspent = { txid: string; vout: number; scriptPubKey: string; amount: number };

/** Makes the keys and pays each from the node's wallet; the caller mines. */
export async function fundSigners(node: TestNode): Promise<Signers> {
  const list = Array.from({ length: COUNT }, (_, i) => createSigner(`campaign ${i}`, testProfile));
  for (let i = 0; i < COINS_EACH; i++)
    await node.rpc(
      'sendmany',
      '',
      Object.fromEntries(list.map(({ address }) => [address, COIN_VALUE * 2 ** i])),
    );
  const newest: { signed: Signed; signer: Signer; coin: Signer['coins'][number] }[] = [];
  let unspent = new Map<string, Unspent[]>();

  return {
    list,
    async refresh(node, truth) {
      const found = await node.rpc<{ unspents: Unspent[] }>(
        'scantxoutset',
        'start',
        list.map(({ address }) => `addr(${address})`),
      );
      unspent = Map.groupBy(found.unspents, ({ scriptPubKey }) => scriptPubKey);
      for (const { coins, script } of list) {
        const own = (unspent.get(bytesToHex(script)) ?? [])
          .filter(({ txid, vout }) => !truth.isSpentInMempool(`${txid}:${vout}`))
          .map(({ txid, vout, amount }) => ({
            txid: getValue(parseDisplayHash(txid)),
            vout,
            value: units(amount),
          }))
          .filter(({ value }) => value >= LEAST_VALUE);
        coins.splice(0, coins.length, ...own);
      }
    },
    sign(by, makeOutputs) {
      const signer = choose(list, by)!;
      const coin = signer.coins[0];
      if (coin === undefined || coin.value < LEAST_VALUE) return undefined;
      const signed = signTransaction(signer, makeOutputs(signer));
      newest.push({ signed, signer, coin });
      if (newest.length > REMEMBERED) newest.shift();
      return signed;
    },
    async makeConflicts(node) {
      const waiting = new Set(await node.rpc<string[]>('getrawmempool'));
      const conflicts: string[] = [];
      for (const { signed, signer, coin } of newest.toReversed()) {
        if (conflicts.length === CONFLICTS_AT_ONCE) break;
        if (!waiting.has(toDisplayHash(signed.txid))) continue;
        // Only what a block of this branch has: its own parents are not in the new one yet.
        const output = await node.rpc('gettxout', toDisplayHash(coin.txid), coin.vout, false);
        if (output === null) continue;
        const kept = [...signer.coins];
        signer.coins.splice(0, signer.coins.length, coin);
        conflicts.push(signTransaction(signer, [{ value: 10_000n, script: signer.script }]).hex);
        signer.coins.splice(0, signer.coins.length, ...kept);
      }
      return conflicts;
    },
    unspentOf(address) {
      const signer = list.find((each) => each.address === address)!;
      const own = unspent.get(bytesToHex(signer.script)) ?? [];
      return {
        outpoints: own.map(({ txid, vout }) => `${txid}:${vout}`).sort(),
        sum: own.reduce((sum, { amount }) => sum + units(amount), 0n),
      };
    },
  };
}

const units = (coins: number) => BigInt(Math.round(coins * UNITS_PER_COIN));
