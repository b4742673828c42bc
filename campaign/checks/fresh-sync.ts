import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../service/src/db/open.ts';
import { compareDumps, dumpIndex, type IndexDump } from '../../test/harness/index-dump.ts';
import { catchUp, openTestIndexer, toServiceLocation } from '../../test/harness/test-indexer.ts';
import { auditTip } from '../../test/harness/tip-audit.ts';
import { HORIZON_BLOCKS } from '../plan/make-step.ts';
import type { Rig } from '../rig/rig.ts';

/** Links and totals of all blocks, in the rows of the service's own database. */
export async function checkLinks(rig: Rig): Promise<string[]> {
  const database = await openDatabase(toServiceLocation(rig.database));
  try {
    return await auditTip(database);
  } finally {
    await database.close();
  }
}

/** The index of the service has, row for row, what one has that is made from the node's blocks at this moment. */
export async function compareWithFreshSync(rig: Rig): Promise<string[]> {
  const height = await rig.node.rpc<number>('getblockcount');
  // How far undo rows reach back depends on the way to the tip; the last ones are always there.
  const undoFrom = height - HORIZON_BLOCKS / 2;
  const expected = await dumpFresh(rig, undoFrom);
  const database = await openDatabase(toServiceLocation(rig.database));
  try {
    return compareDumps(await dumpIndex(database, { undoFrom }), expected);
  } finally {
    await database.close();
  }
}

async function dumpFresh({ folder, node }: Rig, undoFrom: number): Promise<IndexDump> {
  const dataDir = mkdtempSync(join(folder, 'fresh-'));
  try {
    const fresh = await openTestIndexer({ kind: 'sqlite', dataDir }, { horizonBlocks: HORIZON_BLOCKS });
    try {
      await catchUp(node.client, fresh, { horizonBlocks: HORIZON_BLOCKS });
      return await dumpIndex(fresh.database, { undoFrom });
    } finally {
      await fresh.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
