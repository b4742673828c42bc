import { beginWithState } from './begin-with-state.ts';
import { createClient } from './client.ts';
import { type Compared, createComparer } from './compare.ts';
import { Difference } from './difference.ts';
import { type Follower, follow } from './follow.ts';
import { createLedger, type Ledger, type Tip } from './ledger.ts';
import { BadArguments, findCoin, type Options } from './options.ts';
import { createRegistryChecker } from './registry.ts';
import { createJsonReport, createReport } from './report.ts';
import { createSource } from './source.ts';
import { createBookChecker } from './treasury-book.ts';

/** Follows and compares; gives the status to end with: 0, or 1 where something differs. @throws where it cannot compare */
export async function run(options: Options, signal: AbortSignal): Promise<number> {
  const { url, esplora, start: startHeight, to, watchMs } = options;
  const service = url === undefined ? undefined : createClient(url);
  const coin = await findCoin(options.coin, service);
  const report = options.json ? createJsonReport() : createReport(service !== undefined);
  report.start(coin.id, url, esplora);
  const source = createSource(createClient(esplora), coin);
  const goal = Math.min(await source.findHeight(), to ?? Number.MAX_SAFE_INTEGER);
  if (options.from > goal && watchMs === undefined) throw new BadArguments(`--from is above ${goal}`);
  if (startHeight !== undefined && startHeight > goal) throw new BadArguments(`--start is above ${goal}`);
  const begin = async (): Promise<Ledger | undefined> =>
    service === undefined || startHeight === undefined
      ? createLedger(coin)
      : await beginWithState({ service, source, coin, height: startHeight });
  const registry = service && createRegistryChecker(service, coin);
  let reorgs = 0;

  const start = (ledger: Ledger): Follower => {
    const comparer = service && createComparer(service, coin, ledger);
    const book = service && ledger.treasury && createBookChecker(service, coin, ledger.treasury);
    let log = { receipts: 0, epochs: 0, checkpoints: 0 };
    const isCompared = ({ height }: Tip): boolean => height >= options.from;

    /** What a service tells of its tip alone. */
    async function compareTip(tip: Tip): Promise<Compared> {
      const compared = [await comparer?.compareStates(tip), await book?.check(tip)];
      return compared.includes('moved') ? 'moved' : 'same';
    }

    return {
      async onBlock(tip) {
        report.block(tip.height, Math.max(goal, tip.height));
        return comparer && isCompared(tip) ? await comparer.compareHashes(tip) : 'same';
      },
      async onEnd(tip, isTip) {
        if (isTip && isCompared(tip) && (await compareTip(tip)) === 'moved') return 'moved';
        if (registry) log = await registry.check(tip.height);
        const books = { entries: book?.entries() ?? 0, seals: book?.seals() ?? 0 };
        report.tip({ tip, seen: ledger.seen, reorgs, ...log, ...books });
        return 'same';
      },
      onReorg(lost) {
        reorgs++;
        report.reorg(lost);
      },
    };
  };

  try {
    await follow({ coin, source, begin, start, to, watchMs, signal });
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    if (!(error instanceof Difference)) throw error;
    report.difference(error.found);
    return 1;
  }
}
