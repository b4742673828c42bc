import type { AddressTotalsJson, UtxoJson } from '@coinfront/api/chain-addresses.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { type Checked, need, sample } from './checked.ts';

type NodeTx = { blockhash?: string; confirmations?: number; vout: { value: number }[] };
type ShownTx = { block: { hash: string } | null; confirmations: number; outputs: { value: string }[] };

const BLOCKS = 30;
const TRANSACTIONS = { some: 3, all: 30 };

/** The newest blocks, some transactions, and what owners have, compared with what the node says call by call. */
export async function checkChain(checked: Checked): Promise<string[]> {
  return [
    ...(await checkBlocks(checked)),
    ...(await checkTransactions(checked)),
    ...(await checkOwners(checked)),
  ];
}

async function checkBlocks({ rig, truth }: Checked): Promise<string[]> {
  const path = `/api/v1/blocks?limit=${BLOCKS}`;
  const { items } = need(path, await rig.client.get(path));
  return (items as { height: number; hash: string }[]).flatMap(({ height, hash }, i) =>
    height === truth.height() - i && hash === truth.hashAt(height)
      ? []
      : [`block ${height} is shown as ${hash}, and the node has ${truth.hashAt(truth.height() - i)}`],
  );
}

async function checkTransactions({ rig, truth, random, isFull }: Checked): Promise<string[]> {
  const txids = sample(random, truth.listNewest(400), isFull ? TRANSACTIONS.all : TRANSACTIONS.some);
  const problems: string[] = [];
  for (const txid of txids) {
    const path = `/api/v1/tx/${txid}`;
    const shown: ShownTx = need(path, await rig.client.get(path));
    const known = await rig.node.rpc<NodeTx>('getrawtransaction', txid, true);
    const found = [shown.block?.hash, shown.confirmations, ...shown.outputs.map(({ value }) => value)];
    const wanted = [known.blockhash, known.confirmations, ...known.vout.map(({ value }) => value.toFixed(8))];
    if (found.join() !== wanted.join())
      problems.push(`transaction ${txid} is shown as ${found}, and the node has ${wanted}`);
  }
  return problems;
}

async function checkOwners({ rig, signers, truth, random, isFull }: Checked): Promise<string[]> {
  const problems: string[] = [];
  for (const { address } of sample(random, signers.list, isFull ? signers.list.length : 2)) {
    const { outpoints, sum } = signers.unspentOf(address);
    const path = `/api/v1/address/${address}`;
    const summary: { confirmed: AddressTotalsJson } = need(path, await rig.client.get(path));
    if (summary.confirmed.balance !== formatAmount(sum, 8))
      problems.push(`${address} has ${summary.confirmed.balance}, and by the node ${formatAmount(sum, 8)}`);
    const shown = await listUtxos(rig, address);
    const confirmed = shown.filter(({ height }) => height !== null);
    const wanted = outpoints.filter((outpoint) => !truth.isSpentInMempool(outpoint));
    const found = confirmed.map(({ txid, vout }) => `${txid}:${vout}`).sort();
    if (found.join() !== wanted.join())
      problems.push(`${address} has the outputs ${found}, and by the node ${wanted}`);
  }
  return problems;
}

async function listUtxos({ client }: Checked['rig'], address: string): Promise<UtxoJson[]> {
  const items: UtxoJson[] = [];
  for (let query = '?limit=100'; ; ) {
    const path = `/api/v1/utxos/${address}${query}`;
    const page = need(path, await client.get(path));
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    query = `?limit=100&cursor=${page.next_cursor}`;
  }
}
