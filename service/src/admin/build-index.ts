import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { readConfig } from '../config.ts';
import type { FollowReport } from '../indexer/follow/follow.ts';
import { loadProfile } from '../load-profile.ts';
import { startIndexer } from '../start-indexer.ts';
import { locateIndex } from '../wiring/locate-index.ts';

type Built = { lines: string[]; json: object };

/**
 * Builds the index that COINFRONT_INDEX names up to the node's tip, and nothing else: the service goes on with another meanwhile, and
 * the precious data are not opened.
 *
 * @param onProgress told of heights
 */
export async function buildIndex(onProgress: (report: FollowReport) => void): Promise<Result<Built>> {
  const settings = readConfig();
  if (!settings.ok) return fail(settings.problems.join('\n'));
  const config = settings.value;
  if (config.index === undefined)
    return fail(
      'COINFRONT_INDEX is not set; name the folder, or the PostgreSQL database, of the index that is to be built.',
    );
  const loaded = loadProfile(config.coin);
  if (!loaded.ok) return loaded;
  const { promise, resolve } = Promise.withResolvers<Result<FollowReport>>();
  const indexer = startIndexer(
    {
      nodeUrl: config.nodeUrl,
      cookieFile: config.nodeCookieFile,
      database: locateIndex(config),
      profile: loaded.value,
      horizonBlocks: config.reorgHorizon,
      cacheMb: config.cacheMegabytes,
    },
    {
      onCrash: (error) => resolve(fail(error.message)),
      onStandby: () => resolve(fail('A process of the service works on this index; name another one.')),
      onReport() {
        const report = indexer.findReport();
        if (report === undefined) return;
        onProgress(report);
        if (report.state.kind === 'ready') resolve(ok(report));
        if (report.state.kind === 'other_chain')
          resolve(fail('The node follows another chain than COINFRONT_COIN.'));
      },
    },
  );
  const done = await promise;
  await indexer.stop();
  if (!done.ok) return done;
  const { height } = done.value;
  return ok({
    lines: [
      `The index is built up to height ${height}. Start the service with the same COINFRONT_INDEX: it goes on from there.`,
    ],
    json: { height },
  });
}
