import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { NoSessionsError } from '../db/no-sessions-error.ts';
import type { FollowReport } from '../indexer/follow/follow.ts';
import type { MethodWatch } from '../node/watch-methods.ts';
import { explainHealth, findTrouble } from '../parts/chain/health-advice.ts';
import { type Indexer, startIndexer } from '../start-indexer.ts';
import { locateIndex } from './locate-index.ts';
import { refuseToStart } from './wired.ts';

/**
 * Starts the indexer where this process has its role.
 *
 * @param methods forgotten when the node does not answer the indexer, which notices sooner than who asks every few seconds
 * @param onReport the index may have a new whole state
 */
export function runIndexer(
  config: Config,
  profile: CoinProfile,
  logger: Logger,
  methods: Pick<MethodWatch, 'forget'>,
  onReport: () => void,
): Indexer | undefined {
  if (!config.roles.has('indexer')) return undefined;
  const logState = (report: FollowReport): void => {
    const { state, height, nodeHeight } = report;
    const about = { ...state, height, nodeHeight };
    const trouble = findTrouble(state);
    if (trouble === undefined) logger.info(about, 'The indexer has a new state.');
    else logger.warn(about, `The indexer cannot go on; it tries again. ${explainHealth(trouble, report)}`);
  };
  return startIndexer(
    {
      nodeUrl: config.nodeUrl,
      cookieFile: config.nodeCookieFile,
      database: locateIndex(config),
      profile,
      horizonBlocks: config.reorgHorizon,
      cacheMb: config.cacheMegabytes,
    },
    {
      onCrash(error, report) {
        // Starting it again would end the same way.
        if (error.name === NoSessionsError.name) refuseToStart([error.message]);
        logger.error(
          { err: error },
          `The indexer ended by an error and is started again. ${explainHealth('index_failed', report)}`,
        );
      },
      onStandby: () => logger.info('Another process indexes; this one stands by.'),
      onDistrust: (reason) =>
        logger.error(
          `What the node says of spent outputs is not used any more, since it is wrong (${reason}). If the index was built with it, delete the index to have it rebuilt.`,
        ),
      onChange(report) {
        if (report.state.kind === 'node_unavailable') methods.forget();
        logState(report);
      },
      onReport,
    },
  );
}
