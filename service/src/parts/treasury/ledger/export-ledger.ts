/** The ledger as a file: CSV (RFC 4180) for spreadsheets, or a JSON object a line. */

import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';

export type ExportFormat = 'csv' | 'jsonl';

/** A row of the file: an entry, and what only the operator may know of it. */
export type ExportedEntry = LedgerEntryJson & { intent_id?: string | null; salt?: string | null };

const COLUMNS = [
  'sequence',
  'kind',
  'amount',
  'balance',
  'txid',
  'vout',
  'height',
  'block_hash',
  'block_time',
  'recorded_at',
  'confirmations',
  'state',
  'contributor_id',
  'contributor_name',
  'intent_id',
  'late',
  'reason',
  'reverses',
  'reversed_by',
  'assigned_by',
  'refers_to',
  'purpose',
  'payee',
  'previous_hash',
  'attribution',
  'salt',
  'hash',
  'service_key',
  'signature',
] as const;

/** The first line of a file; none for JSON. */
export function writeExportHead(format: ExportFormat): string {
  return format === 'csv' ? `${COLUMNS.join(',')}\r\n` : '';
}

/** One line of it. */
export function writeExportLine(entry: ExportedEntry, format: ExportFormat): string {
  if (format === 'jsonl') return `${JSON.stringify(entry)}\n`;
  const { contributor, seal, note: _, ...plain } = entry;
  const cells: Record<string, unknown> = {
    ...plain,
    ...seal,
    contributor_id: contributor?.id,
    contributor_name: contributor?.name,
  };
  return `${COLUMNS.map((column) => writeCell(cells[column])).join(',')}\r\n`;
}

/**
 * A cell. What a spreadsheet would take for a formula is made text with an apostrophe; plain numbers, negative ones too,
 * are none.
 */
export function writeCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const isNumber = /^-?[0-9]+(\.[0-9]+)?$/.test(text);
  const harmless = !isNumber && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
