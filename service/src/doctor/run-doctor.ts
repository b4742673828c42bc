/** Looks at everything that the service stands on, by the settings that the service has, and changes nothing. */

import { readConfig } from '../config.ts';
import { openPrecious } from '../db/precious.ts';
import { loadProfile } from '../load-profile.ts';
import { preciousMigrations } from '../migrations.ts';
import { serviceVersion } from '../version.ts';
import { locateIndex, locatePrecious } from '../wiring/locate-index.ts';
import { checkIndex, checkPrecious, checkRuntime } from './check-database.ts';
import { checkProxy, checkService } from './check-front.ts';
import { checkCertificate, checkClockKept, checkDisk, checkFiles } from './check-machine.ts';
import { checkNodeSide } from './check-node.ts';
import { checkPostgres } from './check-postgres.ts';
import { checkVantages } from './check-vantages.ts';
import { checkWebhooks } from './check-webhooks.ts';
import { type Finding, fault, good, unknown } from './finding.ts';

/** Runs all checks; those that others stand on come first. */
export async function runDoctor(): Promise<Finding[]> {
  const settings = readConfig();
  if (!settings.ok)
    return settings.problems.map((problem) =>
      fault('settings', problem, 'Correct it; docs/configuration.md lists all settings.'),
    );
  const config = settings.value;
  const loaded = loadProfile(config.coin);
  if (!loaded.ok)
    return [
      fault('settings', loaded.reason, 'Correct COINFRONT_COIN; docs/coin-profile.md describes a file.'),
    ];
  const profile = loaded.value;
  const index = locateIndex(config);
  const front = locatePrecious(config);
  // Before anything opens the data, which mends some of it.
  const files = checkFiles(config);
  const precious = await checkPrecious(front);
  const webhooks = async (): Promise<Finding[]> => {
    if (!precious.isCurrent || !config.roles.has('worker')) return [];
    const opened = await openPrecious(front, preciousMigrations);
    try {
      return await checkWebhooks(config, opened);
    } finally {
      await opened.close();
    }
  };
  const groups = await Promise.all(
    [
      [good('settings', `They can be used; the coin is ${profile.name}.`), checkRuntime(serviceVersion)],
      checkNodeSide(config, profile),
      checkDisk(config),
      checkClockKept(),
      files,
      checkCertificate(config),
      precious.findings,
      checkIndex(index, profile),
      checkPostgres(front),
      checkService(config),
      checkProxy(config),
      checkVantages(config, profile),
      webhooks(),
    ].map(async (check) => {
      // One that fails by itself hides no other.
      try {
        return await check;
      } catch (error) {
        return [unknown('doctor', `A check failed: ${(error as Error).message}`)];
      }
    }),
  );
  return groups.flat();
}
