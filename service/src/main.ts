import { pino } from 'pino';
import { readConfig, widenThreadPool } from './config.ts';
import { loadProfile } from './load-profile.ts';
import { planProcesses } from './wiring/cluster/plan-processes.ts';
import { refuseNewerAtStart } from './wiring/refuse-newer.ts';
import { runIndexer } from './wiring/run-indexer.ts';
import { watchNode } from './wiring/watch-node.ts';
import { refuseToStart, STOP_DEADLINE_MS, type Wired } from './wiring/wired.ts';

/**
 * Where the service begins: settings, the node, and the indexer in its thread. What serves is loaded only then, so that on
 * two processors the indexer is at work while half of the program is still being compiled.
 */

widenThreadPool();
const settings = readConfig();
if (!settings.ok) refuseToStart(settings.problems);
const plan = planProcesses(settings.value);
const { config } = plan;
const loaded = loadProfile(config.coin);
if (!loaded.ok) refuseToStart([loaded.reason]);
const profile = loaded.value;
const logger = pino({ level: config.logLevel });

await refuseNewerAtStart(config, profile);
const parts: Wired[] = [];
const node = await watchNode(config, profile, logger);
const indexer = runIndexer(config, profile, logger, node.methods, () => {
  for (const part of parts) part.wake?.();
});

let stop = async (): Promise<void> => {
  await indexer?.stop(STOP_DEADLINE_MS);
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
const { serve } = await import('./serve.ts');
const others = plan.apiProcesses > 1 ? await import('./wiring/cluster/lead-processes.ts') : undefined;
const lead = others?.createLead({ logger, indexer, parts });
stop = await serve({ config, profile, logger, node, indexer, parts, readOthers: lead?.readMetrics });
if (lead) {
  const stopServing = stop;
  stop = async () => {
    await lead.stop(STOP_DEADLINE_MS);
    await stopServing();
    process.exit(0);
  };
  await lead.start(plan.apiProcesses);
}
// The channel to the process that started this one would keep it.
if (plan.isChild) {
  const stopServing = stop;
  stop = async () => {
    await stopServing();
    process.exit(0);
  };
}
