import { parseAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import {
  serializeTransaction,
  type TxInput,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { isNodeError, RPC_CODE } from '../../service/src/node/node-error.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import type { Random } from './random.ts';

/** An output that the traffic can spend. Without `witness` and `isOpen`, the node's wallet signs for it. */
export type Coin = {
  readonly txid: string;
  readonly vout: number;
  readonly value: bigint;
  /** What spends it, where no signature is needed. */
  readonly witness?: readonly Uint8Array[];
  /** True for an output that an empty input spends. */
  readonly isOpen?: boolean;
};

export type SpentTransaction = {
  readonly txid: string;
  readonly hex: string;
  readonly outputs: readonly TxOutput[];
};

/**
 * A wallet of the node and some coins of it that the node does not choose by itself. Others may spend from it, too: their
 * reservations stay, and what they spend is left alone.
 */
export type TrafficWallet = {
  /** Reserves confirmed coins for {@link TrafficWallet.takeCoins}; once a block. */
  refresh(): Promise<void>;
  /** Up to `count` reserved coins; fewer, or none, when they run out. */
  takeCoins(count: number): Coin[];
  newAddress(): Promise<string>;
  /** A public key of the wallet. */
  newPublicKey(): Promise<Uint8Array>;
  /** Builds and signs a transaction of exactly these outputs plus change; does not send it. */
  spend(coins: readonly Coin[], outputs: readonly TxOutput[]): Promise<SpentTransaction>;
  send(transaction: SpentTransaction): Promise<void>;
};

/** Of each transaction, base units. */
export const usualFee = 20_000n;
/** Above what Litecoin's node takes for dust. */
const MIN_CHANGE = 10_000n;
const RESERVED_COINS = 24;
const DECIMALS = 8;

type Outpoint = { txid: string; vout: number };
type Unspent = { txid: string; vout: string; amount: string; spendable: boolean };

const oldAddressKinds = ['legacy', 'p2sh-segwit', 'bech32'];
/** Nodes since this version have wallets with Taproot. */
const TAPROOT_WALLETS = 220_000;

/** The kinds of addresses that the node's wallet makes. */
export async function listAddressKinds(client: NodeClient): Promise<string[]> {
  const { version } = await client.call<{ version: number }>('getnetworkinfo');
  return version < TAPROOT_WALLETS ? oldAddressKinds : [...oldAddressKinds, 'bech32m'];
}

export function createTrafficWallet(
  client: NodeClient,
  random: Random,
  {
    fee = () => usualFee,
    addressKinds = oldAddressKinds,
  }: { fee?: (() => bigint) | undefined; addressKinds?: readonly string[] } = {},
): TrafficWallet {
  let reserved: Coin[] = [];
  /** What the last refresh has locked, spent or not. */
  let locked = new Set<string>();

  const newAddress = () => client.call<string>('getnewaddress', ['', random.pick(addressKinds)]);

  async function describe(address: string): Promise<{ scriptPubKey: string; pubkey?: string }> {
    return client.call('getaddressinfo', [address]);
  }

  /** Locks or unlocks all of these; does nothing and gives false when one of them is spent, or was locked before. */
  async function setLocked(isLocked: boolean, coins: readonly Outpoint[]): Promise<boolean> {
    try {
      await client.call('lockunspent', [!isLocked, coins.map(({ txid, vout }) => ({ txid, vout }))]);
      return true;
    } catch (error) {
      if (isNodeError(error, 'rpc') && error.rpcCode === RPC_CODE.invalidParameter) return false;
      throw error;
    }
  }

  /** Gives back what was reserved and not spent. The wallet may learn of a spend at any moment, so one by one. */
  async function release(): Promise<void> {
    const all = await client.call<Outpoint[]>('listlockunspent');
    const own = all.filter((outpoint) => locked.has(nameOutpoint(outpoint)));
    const calls = own.map(({ txid, vout }) => ({ method: 'lockunspent', params: [true, [{ txid, vout }]] }));
    for (const answer of await client.batch(calls)) {
      if (!answer.ok && answer.error.rpcCode !== RPC_CODE.invalidParameter) throw answer.error;
    }
    reserved = [];
    locked = new Set();
  }

  return {
    async refresh() {
      await release();
      const unspent = await client.callText<Unspent[]>('listunspent', [1, 9_999_999, [], true]);
      const coins = unspent
        .filter(({ spendable }) => spendable)
        .map((coin) => ({ txid: coin.txid, vout: Number(coin.vout), value: toBase(coin.amount) }))
        .filter(({ value }) => value > 50n * usualFee)
        // The wallet's own order depends on its hash table.
        .sort((a, b) => (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : a.vout - b.vout));
      const most = Math.min(RESERVED_COINS, Math.floor(coins.length / 3));
      const chosen: Coin[] = [];
      while (chosen.length < most) chosen.push(coins.splice(random.integer(0, coins.length - 1), 1)[0]!);
      // When one of them was spent since they were listed, there is another block soon.
      if (chosen.length === 0 || !(await setLocked(true, chosen))) return;
      reserved = chosen;
      locked = new Set(chosen.map(nameOutpoint));
    },

    takeCoins: (count) => reserved.splice(0, count),
    newAddress,

    async newPublicKey() {
      const { pubkey } = await describe(await client.call<string>('getnewaddress', ['', 'legacy']));
      return getHexBytes(pubkey ?? '');
    },

    async spend(coins, outputs) {
      const total = coins.reduce((sum, { value }) => sum + value, 0n);
      const change = total - fee() - outputs.reduce((sum, { value }) => sum + value, 0n);
      const all = [...outputs];
      if (change >= MIN_CHANGE) {
        const { scriptPubKey } = await describe(await newAddress());
        all.push({ value: change, script: getHexBytes(scriptPubKey) });
      }
      const inputs = coins.map(toInput);
      const transaction = {
        version: random.pick([1, 2]),
        inputs,
        outputs: all,
        locktime: 0,
        hasWitness: inputs.some(({ witness }) => witness.length > 0),
        mweb: undefined,
      };
      const unsigned = bytesToHex(serializeTransaction(transaction, { witness: true }));
      if (coins.every((coin) => coin.witness || coin.isOpen)) {
        return { txid: toDisplayHash(txidOf(transaction)), hex: unsigned, outputs: all };
      }
      const signed = await client.call<{ hex: string; complete: boolean }>('signrawtransactionwithwallet', [
        unsigned,
      ]);
      if (!signed.complete) throw new Error('The wallet could not sign its own coins.');
      const { txid } = await client.call<{ txid: string }>('decoderawtransaction', [signed.hex]);
      return { txid, hex: signed.hex, outputs: all };
    },

    async send({ hex }) {
      await client.call('sendrawtransaction', [hex]);
    },
  };
}

function nameOutpoint({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`;
}

function toInput(coin: Coin): TxInput {
  const prevTxid = parseDisplayHash(coin.txid);
  if (!prevTxid.ok) throw new Error(prevTxid.reason);
  return {
    prevTxid: prevTxid.value,
    prevVout: coin.vout,
    scriptSig: new Uint8Array(0),
    sequence: 0xfffffffd,
    witness: [...(coin.witness ?? [])],
  };
}

function toBase(decimal: string): bigint {
  const amount = parseAmount(decimal, DECIMALS);
  if (!amount.ok) throw new Error(amount.reason);
  return amount.value;
}
