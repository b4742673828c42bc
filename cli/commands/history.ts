import type { AddressTransactionJson } from '@coinfront/api/chain-addresses.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import {
  type ListAddressTransactionsResult,
  listAddressTransactions,
} from '@coinfront/sdk/chain/list-address-transactions.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { iterateItems } from '@coinfront/sdk/client/iterate-pages.ts';
import { readTogether } from '@coinfront/sdk/wallet/read-together.ts';
import { waitForBudget } from '@coinfront/sdk/wallet/wait-for-budget.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { createProgress } from '../shell/progress.ts';
import { readWhole } from '../wallet/amounts.ts';
import { scanWallet } from '../wallet/scan-wallet.ts';

/** A transaction, by what it changed over all addresses of the wallet. */
type Line = { txid: string; delta: bigint; height: number | undefined; time: string | undefined };

const mostLines = 10_000;

export const historyCommand = defineCommand({
  name: 'history',
  summary: 'list transactions of the wallet, newest first',
  args: [],
  options: { limit: { value: '<number>', summary: 'how many (default: 25)' } },
  async run(context, { options }) {
    const limit = readWhole('--limit', options.limit ?? '25', { min: 1, max: mostLines });
    const file = await loadWallet(context);
    const { network } = file.watch;
    const session = await connectWallet(context, file);
    const { used } = await scanWallet(context, file.watch, session);
    const progress = createProgress(context.terminal);
    const lines = new Map<string, Line>();
    progress.show(`${used.length} addresses …`);
    const first = await readTogether(
      session.client,
      used.map(
        ({ address }) =>
          (each: Client) =>
            listAddressTransactions(each, pageOf(address, limit)),
      ),
      { signal: context.signal },
    );
    for (const [index, { address }] of used.entries()) {
      progress.show(`${index} of ${used.length} addresses …`);
      for (const item of await readNewest(session.client, address, limit, first[index]!)) {
        addItem(lines, item, network.decimals);
      }
    }
    progress.end();
    const newest = [...lines.values()].sort(compareLines).slice(0, limit);
    const format = (value: bigint) => `${value < 0n ? '' : '+'}${formatAmount(value, network.decimals)}`;
    return {
      json: {
        ticker: network.ticker,
        items: newest.map(({ txid, delta, height, time }) => ({
          txid,
          delta: formatAmount(delta, network.decimals),
          confirmed: height !== undefined,
          height: height ?? null,
          time: time ?? null,
        })),
      },
      lines:
        newest.length === 0
          ? ['No transactions yet.']
          : newest.map(
              ({ txid, delta, height, time }) =>
                `${(time ?? '').slice(0, 16).replace('T', ' ').padEnd(16)}  ${(height === undefined ? 'unconfirmed' : `block ${height}`).padEnd(13)} ${format(delta).padStart(18)}  ${txid}`,
            ),
    };
  },
});

function pageOf(address: string, limit: number) {
  return { address, limit: Math.min(limit, 100) };
}

/** The newest of one address: what is among the newest of all is among them. */
async function readNewest(
  client: Client,
  address: string,
  limit: number,
  first: ListAddressTransactionsResult,
): Promise<AddressTransactionJson[]> {
  const items: AddressTransactionJson[] = [];
  const pages = iterateItems((cursor) =>
    cursor === undefined
      ? Promise.resolve(first)
      : waitForBudget(() => listAddressTransactions(client, { ...pageOf(address, limit), cursor })),
  );
  for await (const item of pages) {
    items.push(item);
    if (items.length >= limit) break;
  }
  return items;
}

function addItem(lines: Map<string, Line>, item: AddressTransactionJson, decimals: number): void {
  const delta = parseDelta(item.delta, decimals);
  const known = lines.get(item.txid);
  lines.set(item.txid, {
    txid: item.txid,
    delta: (known?.delta ?? 0n) + delta,
    height: item.block?.height,
    time: item.block?.time ?? item.first_seen ?? undefined,
  });
}

function parseDelta(text: string, decimals: number): bigint {
  const amount = parseAmount(text.replace(/^-/, ''), decimals);
  if (!amount.ok)
    throw new CliError('answer_invalid', `The service answered an amount that is none: ${amount.reason}.`);
  return text.startsWith('-') ? -amount.value : amount.value;
}

function compareLines(a: Line, b: Line): number {
  const height = (line: Line) => line.height ?? Number.POSITIVE_INFINITY;
  if (height(a) !== height(b)) return height(a) < height(b) ? 1 : -1;
  return (a.time ?? '') < (b.time ?? '') ? 1 : -1;
}
