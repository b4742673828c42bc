import cluster from 'node:cluster';
import type { Config } from '../../config.ts';

/** What this process does of what its operator has asked for, and how many others it starts. */
export type ProcessPlan = {
  readonly config: Config;
  /** Processes that answer requests beside this one, which then answers none; 1: it does so itself, or nobody does. */
  readonly apiProcesses: number;
  /** Another process of the service has started this one to answer requests. */
  readonly isChild: boolean;
};

/** With several processes that answer requests the first one does everything else, and looks after them. */
export function planProcesses(config: Config): ProcessPlan {
  if (cluster.isWorker) {
    const own = { ...config, roles: new Set(['api'] as const), metricsListen: undefined };
    return { config: own, apiProcesses: 1, isChild: true };
  }
  const { roles, apiProcesses } = config;
  if (apiProcesses === 1 || !roles.has('api')) return { config, apiProcesses: 1, isChild: false };
  const others = new Set([...roles].filter((role) => role !== 'api'));
  return { config: { ...config, roles: others }, apiProcesses, isChild: false };
}
