/** Values of parameters that this chain has now, for examples that answer with something. */

import { getBlock } from '@coinfront/sdk/chain/get-block.ts';
import { getStats } from '@coinfront/sdk/chain/get-stats.ts';
import { getTransaction } from '@coinfront/sdk/chain/get-transaction.ts';
import { listNameOperations } from '@coinfront/sdk/names/list-name-operations.ts';
import { listLooks } from '@coinfront/sdk/nodes/list-looks.ts';
import { listNodes } from '@coinfront/sdk/nodes/list-nodes.ts';
import { listReceipts } from '@coinfront/sdk/nodes/list-receipts.ts';
import { listRecentAnchors } from '@coinfront/sdk/proofs/list-recent-anchors.ts';
import { listTokens } from '@coinfront/sdk/tokens/list-tokens.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { client } from '../data/client.ts';
import type { PlacedOperation } from '../data/open-api.ts';
import { listAddressed, type Values } from './write-examples.ts';

/** How much of an address is looked for where only its beginning is asked for. */
const PREFIX_CHARACTERS = 12;
const SUGGESTED_CHARACTERS = 3;

const readTip = once(async () => (await getStats(client)).height);
const readBlock = once(async () => await getBlock(client, { id: String(await readTip()), limit: 1 }));
const readTx = once(
  async () => await getTransaction(client, { txid: (await readBlock()).transactions.items[0]!.txid }),
);
const readOutput = once(async () => {
  const { outputs } = await readTx();
  return outputs.find(({ address }) => address !== null);
});

const finders: Readonly<Record<string, () => Promise<string | number | null | undefined>>> = {
  height: readTip,
  q: readTip,
  hash: async () => (await readBlock()).hash,
  txid: async () => (await readTx()).txid,
  txids: async () => (await readTx()).txid,
  'txId[]': async () => (await readTx()).txid,
  last_seen_txid: async () => (await readTx()).txid,
  address: async () => (await readOutput())?.address,
  prefix: async () => (await readOutput())?.address?.slice(0, PREFIX_CHARACTERS),
  scripthash: async () => {
    const script = (await readOutput())?.script;
    return typeof script === 'string' ? bytesToHex(sha256(hexToBytes(script))) : undefined;
  },
  index: async () => 0,
  vout: async () => 0,
  name: async () => (await listNameOperations(client)).items.find(({ name }) => name !== null)?.name,
  token_id: async () => (await listTokens(client, { limit: 1 })).items[0]?.token_id,
  sha256: async () => (await listRecentAnchors(client, { limit: 1 })).items[0]?.sha256,
  node_key: async () => (await listNodes(client, { limit: 1 })).items[0]?.node_key,
  sequence: async () => (await listReceipts(client, { limit: 1 })).items[0]?.receipt.sequence,
};

/** Values of parameters that mean something else in one operation than in others. */
const findersOfPaths: Readonly<Record<string, (typeof finders)[string]>> = {
  '/block/{id} id': readTip,
  '/looks/{hash} hash': async () => (await listLooks(client, { limit: 1 })).items[0]?.hash,
  '/search/suggestions q': async () => (await finders.name?.())?.toString().slice(0, SUGGESTED_CHARACTERS),
};

/** Values for the parameters that an operation cannot do without, as far as this chain has some. */
export async function findLiveValues(placed: PlacedOperation): Promise<Values> {
  const needed = listAddressed(placed).filter(({ required }) => required === true);
  const found = await Promise.all(
    needed.map(async ({ name }) => {
      const find = findersOfPaths[`${placed.path} ${name}`] ?? finders[name];
      // What cannot be read keeps the example of the document.
      const value = await find?.().catch(() => undefined);
      return value === undefined || value === null ? [] : [[name, String(value)] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

/** Reads what was not read yet; a failure is not kept. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
