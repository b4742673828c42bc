import { isNodeError } from '../../service/src/node/node-error.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import { fillPurse } from '../fill-purse.ts';
import { createRandom, type Random } from './random.ts';
import { type Kitchen, type Recipe, recipes } from './recipes.ts';
import { createTrafficWallet, listAddressKinds } from './wallet.ts';

/** Real transactions of every kind on a regtest node, as its wallet and its users would make them. */
export type Traffic = {
  /** Mines until the wallet can pay, and splits its coins. Does nothing on a chain that has both. */
  prepare(): Promise<void>;
  /** Sends about `count` transactions; gives how many. */
  sendSome(count: number): Promise<number>;
  /** Mines what was sent, to a miner of one kind or another; gives the hashes of the one or two blocks. */
  mineBlock(): Promise<string[]>;
  /** Mines what was sent and is not relayed by nodes, if there is any, in a block of its own. */
  mineUnrelayed(): Promise<string[]>;
  /** Takes note of a block that somebody else has mined. */
  settle(): Promise<void>;
};

export type TrafficOptions = {
  seed: number;
  /** Of the next transaction, up to 25,000. */
  fee?: () => bigint;
  /** The wallet that gives the traffic its coins, and that most blocks are mined to; by default the traffic's own. */
  funder?: NodeClient;
};

/** A chain on which the wallet's first coinbases are mature. */
const READY_HEIGHT = 110;
/** What the traffic's wallet is given. */
const PURSE = { least: 60, coins: 60, amount: '2.5' };

/** Makes traffic whose choices follow the seed, from the wallet that `client` speaks to; keys and so txids are the wallet's own. */
export async function createTraffic(client: NodeClient, options: TrafficOptions): Promise<Traffic> {
  const { funder = client } = options;
  const random = createRandom(options.seed);
  const addressKinds = await listAddressKinds(client);
  const wallet = createTrafficWallet(client, random, { fee: options.fee, addressKinds });
  const minerAddresses = await Promise.all(
    [1, 2, 3].map(() => funder.call<string>('getnewaddress', ['', random.pick(addressKinds)])),
  );
  const kitchen: Kitchen = {
    client,
    random,
    wallet,
    hotAddress: await client.call<string>('getnewaddress', ['', 'bech32']),
    anyoneCoins: [],
    openCoins: [],
    forBlock: [],
  };

  const pickMiner = async () => random.pick([...minerAddresses, await wallet.newAddress()]);

  async function mineUnrelayed(to?: string): Promise<string[]> {
    const raw = kitchen.forBlock.splice(0).map(({ hex }) => hex);
    if (raw.length === 0) return [];
    const address = to ?? (await pickMiner());
    return [(await client.call<{ hash: string }>('generateblock', [address, raw])).hash];
  }

  async function mineBlock(): Promise<string[]> {
    const address = await pickMiner();
    const hashes = await mineUnrelayed(address);
    // Now and then a coinbase without an address.
    const mined =
      random.integer(1, 10) === 1
        ? client.call<string[]>('generatetodescriptor', [1, await publicKeyDescriptor(kitchen)])
        : client.call<string[]>('generatetoaddress', [1, address]);
    hashes.push(...(await mined));
    await wallet.refresh();
    return hashes;
  }

  return {
    async prepare() {
      const missing = READY_HEIGHT - (await client.call<number>('getblockcount'));
      for (let left = missing; left > 0; left -= 10) {
        await client.call('generatetoaddress', [Math.min(10, left), random.pick(minerAddresses)]);
      }
      if (await fillPurse(funder, client, { ...PURSE, newAddress: wallet.newAddress })) await mineBlock();
      await wallet.refresh();
    },

    async sendSome(count) {
      let sent = 0;
      // Coins run out and chains get long; with another choice it goes on, but not for ever.
      for (let attempt = 0; sent < count && attempt < 2 * count + 10; attempt += 1) {
        sent += await tryRecipe(pickRecipe(random), kitchen);
      }
      return sent;
    },

    mineBlock,
    mineUnrelayed: () => mineUnrelayed(),
    settle: () => wallet.refresh(),
  };
}

function pickRecipe(random: Random): Recipe {
  const total = recipes.reduce((sum, [weight]) => sum + weight, 0);
  let point = random.integer(1, total);
  for (const [weight, recipe] of recipes) {
    point -= weight;
    if (point <= 0) return recipe;
  }
  throw new RangeError('The weights of the recipes do not add up.');
}

/** Codes with which a wallet says that it has no coins left, or none whose chain is short enough. */
const OUT_OF_COINS: readonly (number | undefined)[] = [-4, -6];

async function tryRecipe(recipe: Recipe, kitchen: Kitchen): Promise<number> {
  try {
    return await recipe(kitchen);
  } catch (error) {
    const isShort = isNodeError(error, 'rpc') && OUT_OF_COINS.includes(error.rpcCode);
    if (isShort || (isNodeError(error, 'rpc') && error.message.startsWith('too-long-mempool-chain')))
      return 0;
    throw error;
  }
}

async function publicKeyDescriptor({ client, wallet }: Kitchen): Promise<string> {
  const key = Buffer.from(await wallet.newPublicKey()).toString('hex');
  const { descriptor } = await client.call<{ descriptor: string }>('getdescriptorinfo', [`pk(${key})`]);
  return descriptor;
}
