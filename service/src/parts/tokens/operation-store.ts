import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';

/** A row of the log of operations. */
export type OperationRow = {
  height: number;
  position: number;
  token_id: Uint8Array | null;
  sender: Uint8Array | null;
  reason: TokenReason | null;
};

/** Where a list goes on: below this transaction. */
export type OperationPlace = { height: number; position: number };

const END: OperationPlace = { height: Number.MAX_SAFE_INTEGER, position: 0 };

const LIST_OF_TOKEN = sql<OperationRow>(
  `select height, position, token_id, sender, reason from token_operation
   where token_id = $1 and is_valid = $2 and (height, position) < ($3, $4)
   order by height desc, position desc limit $5`,
);
const LIST_OF_SCRIPT = sql<OperationRow>(
  `select o.height, o.position, o.token_id, o.sender, o.reason from token_activity a
   join token_operation o on o.height = a.height and o.position = a.position
   where a.script_hash = $1 and a.is_valid = $2 and (a.height, a.position) < ($3, $4)
   order by a.height desc, a.position desc limit $5`,
);

/** Operations of a token, newest first. */
export async function listTokenOperations(
  reader: Reader,
  tokenId: Uint8Array,
  options: { withInvalid: boolean; before: OperationPlace | undefined; limit: number },
): Promise<OperationRow[]> {
  return await listOperations(reader, LIST_OF_TOKEN, tokenId, options);
}

/** Operations that a script (by its SHA-256) took part in, newest first; of invalid ones those that it sent. */
export async function listScriptOperations(
  reader: Reader,
  scriptHash: Uint8Array,
  options: { withInvalid: boolean; before: OperationPlace | undefined; limit: number },
): Promise<OperationRow[]> {
  return await listOperations(reader, LIST_OF_SCRIPT, scriptHash, options);
}

/** Valid and invalid ones are apart in the index, so that no number of invalid ones hides the valid ones. */
async function listOperations(
  reader: Reader,
  statement: Statement<OperationRow>,
  subject: Uint8Array,
  {
    withInvalid,
    before = END,
    limit,
  }: { withInvalid: boolean; before: OperationPlace | undefined; limit: number },
): Promise<OperationRow[]> {
  const list = (isValid: number) =>
    reader.all(statement, [subject, isValid, before.height, before.position, limit]);
  const valid = await list(1);
  if (!withInvalid) return valid;
  const all = [...valid, ...(await list(0))];
  return all.sort((a, b) => b.height - a.height || b.position - a.position).slice(0, limit);
}
