import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HealthJson } from '@coinfront/api/chain-state.ts';
import { runSql } from '../../test/harness/postgres.ts';
import type { Rig } from '../rig/rig.ts';
import { eventually } from './eventually.ts';

/** How the service came back. */
export type Recovery = {
  readonly problems: readonly string[];
  /** From the last fault to all being well. */
  readonly tookMs: number;
  /** The node had left the indexed chain by more than the horizon, and the index was made anew, as its operator is told to. */
  readonly wasRebuilt: boolean;
};

const TIMEOUT_MS = 90_000;
/** What the documents tell the operator to mend by hand, with a new index. */
const NEEDS_NEW_INDEX: HealthJson['status'] = 'reorg_too_deep';

/**
 * Waits until the service has come back by itself: it is ready at the node's tip, has the node's mempool, and payments are judged by
 * both. Only an index that the node has left too deeply is deleted here.
 */
export async function recover(rig: Rig, mayBeTooDeep: boolean): Promise<Recovery> {
  const started = performance.now();
  let wasRebuilt = false;
  const problems = await eventually(async () => {
    await rig.postgres?.resume().catch(() => {});
    const { service } = rig.supervised;
    const health: HealthJson = (await service.get('/api/v1/health')).json;
    if (health.status === NEEDS_NEW_INDEX && mayBeTooDeep && !wasRebuilt) {
      await rig.supervised.whileDown(() => deleteIndex(rig));
      wasRebuilt = true;
    }
    if (health.status !== 'ready') return [`health is ${JSON.stringify(health)}`];
    const [best, mempool] = await Promise.all([
      rig.node.rpc<string>('getbestblockhash'),
      rig.node.rpc<string[]>('getrawmempool'),
    ]);
    const tip = await service.findTip();
    if (tip !== best) return [`the tip that is served is ${tip}, not ${best}`];
    const served: unknown = (await service.get('/esplora/mempool/txids')).json;
    if (!Array.isArray(served) || served.sort().join() !== mempool.sort().join())
      return [`the mempool that is served is ${JSON.stringify(served)}, not ${JSON.stringify(mempool)}`];
    const metrics = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
    const wanted = `coinfront_payments_judged_height ${await rig.node.rpc('getblockcount')}\n`;
    return metrics.includes(wanted) ? [] : [`payments are not judged yet: no ${wanted}`];
  }, TIMEOUT_MS);
  return { problems, tookMs: performance.now() - started, wasRebuilt };
}

/** What docs/operations.md says of a reorganisation that is too deep. */
async function deleteIndex({ database }: Rig): Promise<void> {
  if (database.kind === 'postgres') {
    await runSql(database.url, 'drop schema public cascade');
    await runSql(database.url, 'create schema public');
    return;
  }
  for (const end of ['', '-wal', '-shm', '-runs'])
    rmSync(join(database.dataDir, `chain.db${end}`), { recursive: true, force: true });
}
