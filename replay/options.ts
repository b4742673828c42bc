import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Client } from './client.ts';
import { type Coin, readCoin } from './profile.ts';

/** What a run is asked to do. */
export type Options = {
  /** The service that is compared with; undefined: hashes are only computed. */
  readonly url: string | undefined;
  /** Where blocks come from. */
  readonly esplora: string;
  /** A shipped profile, or a file; undefined: the one that the service names. */
  readonly coin: string | undefined;
  readonly from: number;
  /** The block whose state it begins with; undefined: none, it begins with the first block. */
  readonly start: number | undefined;
  readonly to: number | undefined;
  readonly watchMs: number | undefined;
  readonly json: boolean;
};

export const USAGE = `npm run replay -- --url <service> [options]

Follows the chain of a service by its Esplora interface, computes what names, tokens and proofs are by docs/protocols alone, and
compares state and hashes with what the service says. Ends with 1 at the first difference, with 2 where it cannot compare.

  --url <address>       the service, such as https://coin.example
  --esplora <address>   takes the blocks from this Esplora server instead of the service's; without --url hashes are only computed
  --coin <name|file>    coin profile; without it the shipped one that the service names
  --from <height>       compares from this height on; blocks below are followed all the same
  --start <height>      begins with the state that the service gives of this block, not with the first block; the treasury is not checked then
  --to <height>         ends behind this height
  --watch               goes on at the tip, until it is interrupted
  --interval <seconds>  between looks for a new tip (1)
  --json                writes one JSON object a line
`;

/** The arguments are none of this program's. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments';
}

/** Reads the arguments of the command. @throws BadArguments; undefined: help was asked for */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    ...{ url: text, esplora: text, coin: text, from: text },
    ...{ start: text, to: text, interval: text },
  } as const;
  const { values } = attempt(() =>
    parseArgs({ args: [...args], options: { ...options, watch: flag, json: flag, help: flag } }),
  );
  if (values.help) return undefined;
  const [url, esplora] = [readAddress(values.url), readAddress(values.esplora)];
  if (url === undefined && esplora === undefined) throw new BadArguments('--url is missing');
  if (url === undefined && values.coin === undefined)
    throw new BadArguments('without --url a --coin is needed');
  if (url === undefined && values.start !== undefined) throw new BadArguments('--start needs a --url');
  const interval = Number(values.interval ?? 1);
  if (!(interval >= 0.01 && interval <= 3_600)) throw new BadArguments(`--interval ${values.interval}`);
  return {
    url,
    esplora: esplora ?? `${url}/esplora`,
    coin: values.coin,
    from: readHeight(values.from) ?? 0,
    start: readHeight(values.start),
    to: readHeight(values.to),
    watchMs: values.watch ? interval * 1_000 : undefined,
    json: values.json,
  };
}

/** The coin that is followed. @throws BadArguments */
export async function findCoin(coin: string | undefined, client: Client | undefined): Promise<Coin> {
  const name = coin ?? (await client?.json('/api/v1/config'))?.id;
  if (typeof name !== 'string') throw new BadArguments('the service names no coin: give --coin');
  // A profile says what the coin is: it is data that both implementations are given.
  const isShipped = /^[a-z0-9-]{1,64}$/.test(name);
  if (coin === undefined && !isShipped)
    throw new BadArguments(`the service names the coin ${name}: give --coin`);
  const file = isShipped ? new URL(`../protocol/profiles/${name}.json`, import.meta.url) : name;
  return attempt(() => readCoin(JSON.parse(readFileSync(file, 'utf8'))));
}

function readAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isAddress) throw new BadArguments(`no address: ${text}`);
  return text.replace(/\/+$/, '');
}

function readHeight(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new BadArguments(`no height: ${text}`);
  return Number(text);
}

function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new BadArguments((error as Error).message);
  }
}
