import type { Precious } from '../../db/precious.ts';
import type { GaugeSource } from '../../http/metrics-server.ts';
import { onLogTables } from '../../signed-log/log-tables.ts';
import { countRefusals } from '../../signed-log/witness/refusal-store.ts';
import { findLastReceipt } from './log/receipt-store.ts';
import { countNodes } from './nodes/node-store.ts';
import { findProber } from './probing/prober-store.ts';
import type { RegistryQuery, RegistryTables } from './schema/registry-tables.ts';
import { countStatements } from './vantage/statement-store.ts';

/** What `/metrics` tells of the registry; values that cannot be read are absent. */
export function listRegistryGauges(precious: Precious, now: () => number): GaugeSource[] {
  const query = async <T>(read: (db: RegistryQuery) => Promise<T>) => {
    try {
      return await read(precious.query<RegistryTables>());
    } catch {
      return undefined;
    }
  };
  return [
    {
      name: 'coinfront_registry_nodes_active',
      help: 'Nodes that are looked at.',
      read: () => query(async (db) => (await countNodes(db)).get('active') ?? 0),
    },
    {
      name: 'coinfront_registry_receipts',
      help: 'Receipts in the log.',
      read: () => query(async (db) => ((await findLastReceipt(db))?.sequence ?? -1) + 1),
    },
    {
      name: 'coinfront_witness_refused_heads',
      help: 'Checkpoints of logs of others that cannot be of one log with what was cosigned: above 0 somebody changed a log.',
      read: () => query(async (db) => (await countRefusals(onLogTables(db))).proofs),
    },
    {
      name: 'coinfront_witness_unproven_heads',
      help: 'Checkpoints of logs of others that were not cosigned for want of a proof: look at /witness/refusals.',
      read: () => query(async (db) => (await countRefusals(onLogTables(db))).unproven),
    },
    {
      name: 'coinfront_vantage_statements',
      help: 'Vantage points, this service among them, of which there is a statement of the newest slot.',
      read: () => query(async (db) => (await countStatements(db)).inLastSlot),
    },
    {
      name: 'coinfront_vantage_equivocations',
      help: 'Statements of vantage points that contradict another one of the same slot: above 0 somebody said two things.',
      read: () => query(async (db) => (await countStatements(db)).second),
    },
    {
      name: 'coinfront_registry_slot_age_seconds',
      help: 'Since the end of the last slot that nodes were judged in.',
      read: () =>
        query(async (db) => {
          const slotEnd = (await findProber(db))?.slot_end;
          return slotEnd === undefined || slotEnd === null ? undefined : (now() - slotEnd) / 1000;
        }),
    },
  ];
}
