import { concatBytes } from '@coinfront/protocol/bytes.ts';
import { balanceStateRow, tokenStateRow } from '@coinfront/protocol/tokens/token-canonical.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { UndoneRows } from '../../indexer/parts/read-undone.ts';
import type { ChangedRow } from '../../replicas/state-source.ts';
import { readTokenRow } from './token-rows.ts';
import { balanceTable, tokenTable } from './token-tables.ts';

const FIND_IDS = sql<{ number: number; token_id: Uint8Array }>(
  'select number, token_id from token where number = any($1)',
);
const FIND_SCRIPTS = sql<{ script_id: number; script_hash: Uint8Array }>(
  'select script_id, script_hash from token_script where script_id = any($1)',
);

/** Rows of an earlier state of tokens: see {@link StateSource.listChanged}. */
export async function listChangedTokens(reader: Reader, undone: UndoneRows): Promise<ChangedRow[]> {
  const tokens = undone.list(tokenTable.table).map(({ key, before }): ChangedRow => {
    const token = before && readTokenRow(before);
    const was = token && { row: tokenStateRow(token), script: token.issuer };
    return { kind: 1, key: key[0] as Uint8Array, was };
  });
  const balances = undone.list(balanceTable.table).map(({ key, before }) => ({
    scriptId: key[0] as number,
    number: key[1] as number,
    amount: before?.amount as bigint | undefined,
  }));
  const numbers = new Set(balances.map(({ number }) => number));
  const ids = new Map((await reader.lookup(FIND_IDS, [...numbers])).map((row) => [row.number, row.token_id]));
  const scriptIds = new Set(balances.map(({ scriptId }) => scriptId));
  const hashes = new Map(
    (await reader.lookup(FIND_SCRIPTS, [...scriptIds])).map((row) => [row.script_id, row.script_hash]),
  );
  return [
    ...tokens,
    ...balances.map(({ scriptId, number, amount }): ChangedRow => {
      // Who ever had some of a token is there, and so is the token.
      const id = ids.get(number)!;
      const hash = hashes.get(scriptId)!;
      const was = amount && { row: balanceStateRow(id, hash, amount), script: scriptId };
      return { kind: 2, key: concatBytes(id, hash), was: was || undefined };
    }),
  ];
}
