import type { GaugeSource, LabelledSource } from '../http/metrics-server.ts';
import type { News } from './cluster/messages.ts';

/** What a part has running behind its routes, and how that ends. */
export type Wired = {
  /** The index may have a new whole state: who follows it looks at once. */
  wake?(): void;
  /** A process that answers requests has written something: who works on it looks at once. */
  tell?(what: News): void;
  /** Lets what is under way end. Node and databases are still there. */
  finish?(): Promise<unknown> | undefined;
  /** Closes what is left when everything has finished. */
  close?(): Promise<unknown> | undefined;
  gauges?: readonly GaugeSource[];
  labelled?: readonly LabelledSource[];
};

/** What a part has not finished by then is cut off, which no commit minds. */
export const STOP_DEADLINE_MS = 10_000;

/** Ends the start with what has to be put right. */
export function refuseToStart(problems: readonly string[]): never {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
