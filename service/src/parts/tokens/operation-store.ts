import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';

/** A row of the log of operations. */
export type OperationRow = {
  tx_id: number;
  token_number: number | null;
  /** The id that it names, where no token has it. */
  token_id: Uint8Array | null;
  reason: TokenReason | null;
};

/** Which operations of a list: below a transaction when given. */
export type OperationPage = { withInvalid: boolean; beforeTxId: number | undefined; limit: number };

const LIST_OF_TOKEN = sql<OperationRow>(
  `select tx_id, token_number, token_id, reason from token_operation
   where token_number = $1 and is_valid = $2 and tx_id < $3 order by tx_id desc limit $4`,
);
const LIST_OF_SCRIPT = sql<OperationRow>(
  `select o.tx_id, o.token_number, o.token_id, o.reason from token_activity a
   join token_operation o on o.tx_id = a.tx_id
   where a.script_id = $1 and a.is_valid = $2 and a.tx_id < $3 order by a.tx_id desc limit $4`,
);

/** Operations of a token, newest first. */
export async function listTokenOperations(
  reader: Reader,
  tokenNumber: number,
  page: OperationPage,
): Promise<OperationRow[]> {
  return await listOperations(reader, LIST_OF_TOKEN, tokenNumber, page);
}

/** Operations that a script (by its number) took part in, newest first; of invalid ones those that it sent. */
export async function listScriptOperations(
  reader: Reader,
  scriptId: number,
  page: OperationPage,
): Promise<OperationRow[]> {
  return await listOperations(reader, LIST_OF_SCRIPT, scriptId, page);
}

/** Valid and invalid ones are apart in the index, so that no number of invalid ones hides the valid ones. */
async function listOperations(
  reader: Reader,
  statement: Statement<OperationRow>,
  subject: number,
  { withInvalid, beforeTxId = Number.MAX_SAFE_INTEGER, limit }: OperationPage,
): Promise<OperationRow[]> {
  const list = (isValid: number) => reader.all(statement, [subject, isValid, beforeTxId, limit]);
  const valid = await list(1);
  if (!withInvalid) return valid;
  const all = [...valid, ...(await list(0))];
  return all.sort((a, b) => b.tx_id - a.tx_id).slice(0, limit);
}
