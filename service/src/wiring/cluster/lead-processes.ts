import type { Logger } from 'pino';
import type { LabelledSample } from '../../http/labelled-samples.ts';
import type { OtherProcess } from '../../http/metrics-server.ts';
import type { Indexer } from '../../start-indexer.ts';
import { tellStarter } from '../tell-starter.ts';
import type { Wired } from '../wired.ts';
import { type ApiProcesses, startApiProcesses } from './api-processes.ts';

/** The processes that answer requests, as the one sees them that has started them. */
export type Lead = {
  /** Starts them; ends this process where they cannot. */
  start(count: number): Promise<void>;
  readMetrics(): Promise<readonly OtherProcess[]>;
  stop(deadlineMs: number): Promise<void>;
};

/** Joins these processes with the indexer and the jobs, which are in this one. */
export function createLead(on: {
  logger: Logger;
  indexer: Indexer | undefined;
  parts: readonly Wired[];
}): Lead {
  let processes: ApiProcesses | undefined;
  return {
    async start(count) {
      processes = await startApiProcesses(count, on.logger, {
        onSent: (txid) => on.indexer?.nameSent(txid),
        onNews: (what) => {
          for (const part of on.parts) part.tell?.(what);
        },
      });
      if (processes === undefined) process.exit(1);
      on.logger.info({ address: processes.address, processes: count }, 'Serving by several processes.');
      tellStarter(processes.address);
    },
    async readMetrics() {
      const all = [...((await processes?.readMetrics()) ?? [])];
      const describe = (
        kind: LabelledSample['kind'],
        name: string,
        help: string,
        values: [string, number][],
      ): LabelledSample => ({ kind, name, help, label: 'process', values });
      const own = [
        describe(
          'counter',
          'coinfront_api_process_cpu_seconds_total',
          'CPU time of each process that answers requests.',
          all.map(([name, { cpuSeconds }]) => [name, cpuSeconds]),
        ),
        describe(
          'gauge',
          'coinfront_api_process_resident_bytes',
          'Memory of each process that answers requests.',
          all.map(([name, { residentBytes }]) => [name, residentBytes]),
        ),
      ];
      return [{ http: [], labelled: own }, ...all.map(([, metrics]) => metrics)];
    },
    stop: async (deadlineMs) => processes?.stop(deadlineMs),
  };
}
