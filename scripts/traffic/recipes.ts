import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import { isNodeError } from '../../service/src/node/node-error.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import type { Random } from './random.ts';
import * as scripts from './scripts.ts';
import type { Coin, SpentTransaction, TrafficWallet } from './wallet.ts';

/** What a recipe works with. */
export type Kitchen = {
  readonly client: NodeClient;
  readonly random: Random;
  readonly wallet: TrafficWallet;
  /** One address that is paid again and again. */
  readonly hotAddress: string;
  /** Coins that anybody may spend, made by earlier recipes and relayed by nodes. */
  readonly anyoneCoins: Coin[];
  /** Coins that an empty input spends; nodes do not relay that. */
  readonly openCoins: Coin[];
  /** Valid transactions that nodes do not relay, for the next block. */
  readonly forBlock: SpentTransaction[];
};

/** Sends transactions of one kind; gives how many, 0 when the coins for it were not there. */
export type Recipe = (kitchen: Kitchen) => Promise<number>;

const DECIMALS = 8;

/** Each kind of traffic with how often it comes, in parts of the sum. */
export const recipes: ReadonlyArray<readonly [weight: number, recipe: Recipe]> = [
  [6, payOne],
  [2, payMany],
  [3, payHotAddress],
  [2, anchorProof],
  [1, carryData],
  [2, payForeign],
  [2, payPublicKeys],
  [3, payAnyone],
  [3, spendAnyone],
  [1, consolidate],
  [2, chainUnconfirmed],
  [1, makeOdd],
];

/** An amount that is worth spending, and mostly small. */
function someValue(random: Random, limit = 50_000_000n): bigint {
  const value = BigInt(random.integer(20_000, random.pick([60_000, 1_000_000, 50_000_000])));
  return value < limit ? value : limit;
}

/** A plain payment as a wallet makes it, to an address of any kind. */
async function payOne({ client, random, wallet }: Kitchen): Promise<number> {
  await client.call('sendtoaddress', [await wallet.newAddress(), formatAmount(someValue(random), DECIMALS)]);
  return 1;
}

async function payHotAddress({ client, random, hotAddress }: Kitchen): Promise<number> {
  await client.call('sendtoaddress', [hotAddress, formatAmount(someValue(random), DECIMALS)]);
  return 1;
}

async function payMany({ client, random, wallet }: Kitchen): Promise<number> {
  const amounts: Record<string, string> = {};
  for (let left = random.integer(2, 8); left > 0; left -= 1) {
    amounts[await wallet.newAddress()] = formatAmount(someValue(random), DECIMALS);
  }
  await client.call('sendmany', ['', amounts]);
  return 1;
}

/** Pays from one coin; `choose` gets what each of up to five outputs may have. */
async function payFromCoin(
  { wallet, forBlock }: Kitchen,
  choose: (limit: bigint) => readonly TxOutput[],
): Promise<SpentTransaction | undefined> {
  const coins = wallet.takeCoins(1);
  if (coins.length === 0) return undefined;
  const transaction = await wallet.spend(coins, choose(coins[0]!.value / 6n));
  try {
    await wallet.send(transaction);
  } catch (error) {
    // Knots 29.4 relays no script above 34 bytes; its chain of regtest takes them.
    if (!isNodeError(error, 'rpc') || !error.message.startsWith('bad-txns-vout-script-toolarge')) throw error;
    forBlock.push(transaction);
  }
  return transaction;
}

async function anchorProof(kitchen: Kitchen): Promise<number> {
  const script = scripts.proofScript(kitchen.random);
  return (await payFromCoin(kitchen, () => [{ value: 0n, script }])) ? 1 : 0;
}

async function carryData(kitchen: Kitchen): Promise<number> {
  const { random } = kitchen;
  const script = scripts.dataScript(random.bytes(random.integer(1, 75)));
  // A data carrier may burn coins, too.
  const value = random.pick([0n, 0n, 0n, 1_000n]);
  if (value === 0n) return (await payFromCoin(kitchen, () => [{ value, script }])) ? 1 : 0;
  const coins = kitchen.wallet.takeCoins(1);
  if (coins.length === 0) return 0;
  // Nodes since Core 25 take no such transaction from their own user.
  kitchen.forBlock.push(await kitchen.wallet.spend(coins, [{ value, script }]));
  return 1;
}

async function payForeign(kitchen: Kitchen): Promise<number> {
  const { random } = kitchen;
  const transaction = await payFromCoin(kitchen, (limit) =>
    Array.from({ length: random.integer(1, 3) }, () => ({
      value: someValue(random, limit),
      script: random.pick(scripts.relayedScripts)(random),
    })),
  );
  return transaction ? 1 : 0;
}

async function payPublicKeys(kitchen: Kitchen): Promise<number> {
  const { random, wallet } = kitchen;
  const [first, second] = [await wallet.newPublicKey(), await wallet.newPublicKey()];
  const transaction = await payFromCoin(kitchen, (limit) => [
    { value: someValue(random, limit), script: scripts.p2pkScript(first) },
    { value: someValue(random, limit), script: scripts.bareMultisigScript(first, second) },
  ]);
  return transaction ? 1 : 0;
}

async function payAnyone(kitchen: Kitchen): Promise<number> {
  const { random, anyoneCoins } = kitchen;
  const witnessScripts = Array.from({ length: 3 }, () => scripts.anyoneWitnessScript(random));
  const transaction = await payFromCoin(kitchen, (limit) =>
    witnessScripts.map((script) => ({
      value: someValue(random, limit) + 20_000n,
      script: scripts.p2wshOf(script),
    })),
  );
  if (!transaction) return 0;
  witnessScripts.forEach((script, vout) => {
    const { value } = transaction.outputs[vout]!;
    anyoneCoins.push({ txid: transaction.txid, vout, value, witness: [script] });
  });
  return 1;
}

/** Spends what may still be unconfirmed: often in the same block as the payment before. */
async function spendAnyone({ random, wallet, anyoneCoins }: Kitchen): Promise<number> {
  const coins = anyoneCoins.splice(0, random.integer(1, 2));
  if (coins.length === 0) return 0;
  await wallet.send(await wallet.spend(coins, []));
  return 1;
}

async function consolidate({ random, wallet }: Kitchen): Promise<number> {
  const coins = wallet.takeCoins(random.integer(3, 6));
  if (coins.length < 2) return 0;
  await wallet.send(await wallet.spend(coins, []));
  return 1;
}

/** Three transactions, each spending the one before, in one block unless a block comes between. */
async function chainUnconfirmed({ random, wallet }: Kitchen): Promise<number> {
  let coins = wallet.takeCoins(1);
  if (coins.length === 0) return 0;
  for (let step = 0; step < 3; step += 1) {
    const witnessScript = scripts.anyoneWitnessScript(random);
    const value = coins[0]!.value - 100_000n;
    const transaction = await wallet.spend(coins, [{ value, script: scripts.p2wshOf(witnessScript) }]);
    await wallet.send(transaction);
    coins = [{ txid: transaction.txid, vout: 0, value, witness: [witnessScript] }];
  }
  // The last coin goes home, so that the traffic does not use up the wallet.
  await wallet.send(await wallet.spend(coins, []));
  return 4;
}

/** Zero values, empty and broken scripts, data of two pushes; and spends of bare scripts made before. */
async function makeOdd({ random, wallet, openCoins, forBlock }: Kitchen): Promise<number> {
  const spent = openCoins.splice(0, 1);
  if (spent.length > 0) forBlock.push(await wallet.spend(spent, []));
  const coins = wallet.takeCoins(1);
  if (coins.length === 0) return spent.length;
  const outputs: TxOutput[] = [
    { value: 300_000n, script: Uint8Array.of(0x51) },
    { value: 0n, script: random.pick(scripts.relayedScripts)(random) },
    { value: random.pick([0n, 1n, 546n]), script: random.pick(scripts.oddScripts)(random) },
    { value: 0n, script: scripts.dataScript(random.bytes(8)) },
    { value: 0n, script: scripts.proofScript(random) },
  ];
  const transaction = await wallet.spend(coins, outputs);
  forBlock.push(transaction);
  openCoins.push({ txid: transaction.txid, vout: 0, value: 300_000n, isOpen: true });
  return spent.length + 1;
}
