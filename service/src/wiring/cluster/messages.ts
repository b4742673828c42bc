/** What the processes of one start say to each other, over the channels that they were forked with. */

import type { HttpCell } from '../../http/http-metrics.ts';
import type { LabelledSample } from '../../http/labelled-samples.ts';

/** From a process that answers requests to the one that started it. */
export type ChildMessage =
  /** It accepts connections. */
  | { listening: string }
  /** The node has just taken a transaction; the indexer should look. */
  | { kind: 'sent'; txid: string }
  /** An event was written, or a payment has to be judged. */
  | { kind: 'news'; what: News }
  /** For all the others. */
  | { kind: 'say'; channel: string; message: string }
  | { kind: 'metrics'; number: number; metrics: ProcessMetrics };

/** To a process that answers requests. */
export type ParentMessage =
  | { kind: 'say'; channel: string; message: string }
  /** Asks for its metrics; the answer has the same number. */
  | { kind: 'metrics'; number: number };

/** What others have to look at: an event to deliver, a payment to judge. */
export type News = 'event' | 'due';

/** What a process has counted. */
export type ProcessMetrics = {
  readonly http: readonly HttpCell[];
  readonly labelled: readonly LabelledSample[];
  readonly cpuSeconds: number;
  readonly residentBytes: number;
};
