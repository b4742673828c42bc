import type { PartSeriesQuery } from '@coinfront/api/part-series.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { CallOptions } from '@coinfront/sdk/client/client.ts';
import { getNameSeries } from '@coinfront/sdk/names/get-name-series.ts';
import { getTokenSeries } from '@coinfront/sdk/tokens/get-token-series.ts';
import { getTreasurySeries } from '@coinfront/sdk/treasury/get-treasury-series.ts';
import type { Static } from 'typebox';
import { client } from './client.ts';

/** Parts of the service that keep a figure over time. */
export type PartId = 'names' | 'tokens' | 'treasury';

/** A figure that a part keeps, behind a block. `text` is as the service gave it. */
export type PartPoint = { height: number; time: string; text: string; flow?: Flow | undefined };

/** What came in and went out behind the point before, up to this one: decimal coins. */
export type Flow = { received: string; spent: string };

/** Reads the figures of a part over a range, or from height to height. */
export async function readPartPoints(
  part: PartId,
  asked: Static<typeof PartSeriesQuery>,
  options: CallOptions,
): Promise<PartPoint[]> {
  if (part === 'tokens') {
    const { points } = await getTokenSeries(client, asked, options);
    return points.map(({ tokens, height, time }) => ({ height, time, text: String(tokens) }));
  }
  if (part === 'names') {
    const { points } = await getNameSeries(client, asked, options);
    return points.map(({ registered, height, time }) => ({ height, time, text: String(registered) }));
  }
  const { points } = await getTreasurySeries(client, asked, options);
  return points.map(({ balance, height, time, ...totals }, i) => ({
    ...{ height, time, text: balance },
    flow: i === 0 ? undefined : subtractTotals(totals, points[i - 1]!),
  }));
}

function subtractTotals(after: Flow, before: Flow): Flow {
  return { received: subtract(after.received, before.received), spent: subtract(after.spent, before.spent) };
}

/** Two amounts with all decimals of the coin. */
function subtract(from: string, amount: string): string {
  const decimals = from.split('.')[1]?.length ?? 0;
  const [whole, part] = [parseAmount(from, decimals), parseAmount(amount, decimals)];
  if (!whole.ok || !part.ok) throw new Error(`${from} and ${amount} are no two amounts of one coin.`);
  return formatAmount(whole.value - part.value, decimals);
}
