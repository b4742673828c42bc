import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';

/** An operation of a list: valid without a reason. */
export type OperationRow = {
  tx_id: number;
  token_number: number | null;
  /** The id that it names, where no token has it. */
  token_id: Uint8Array | null;
  reason: TokenReason | null;
};

/** Which operations of a list: below a transaction when given. */
export type OperationPage = { withInvalid: boolean; beforeTxId: number | undefined; limit: number };

/** Lists of one subject, the number of a token or of a script. */
type Lists = Record<'valid' | 'invalid', Statement<OperationRow>>;

const OF_TOKEN = describeLists('token_event', 'token_number', 'token_number');
const OF_SCRIPT = describeLists('token_activity', 'script_id', 'sender_id');

function describeLists(table: string, subject: string, refused: string): Lists {
  const page = 'and tx_id < $2 order by tx_id desc limit $3';
  return {
    valid: sql(
      `select tx_id, token_number, null as token_id, null as reason from ${table} where ${subject} = $1 ${page}`,
    ),
    invalid: sql(
      `select tx_id, token_number, token_id, reason from token_refusal where ${refused} = $1 ${page}`,
    ),
  };
}

/** Operations that named a token by its id before it was created. */
const REFUSED_EARLY = sql<OperationRow>(
  `select tx_id, token_number, token_id, reason from token_refusal
   where token_id = $1 and tx_id < $2 order by tx_id desc limit $3`,
);

/** Which operations of all: numbers of transactions, from the first to before the other. */
export type OperationSpan = {
  withInvalid: boolean;
  fromTxId: number;
  beforeTxId: number;
  limit: number;
};

const FEED = 'where tx_id >= $1 and tx_id < $2 order by tx_id limit $3';
const VALID_FROM = sql<OperationRow>(
  `select tx_id, token_number, null as token_id, null as reason from token_event ${FEED}`,
);
const INVALID_FROM = sql<OperationRow>(
  `select tx_id, token_number, token_id, reason from token_refusal ${FEED}`,
);

/** Operations of all tokens, oldest first. */
export async function listOperationsFrom(
  reader: Reader,
  { withInvalid, fromTxId, beforeTxId, limit }: OperationSpan,
): Promise<OperationRow[]> {
  const params = [fromTxId, beforeTxId, limit];
  const valid = await reader.all(VALID_FROM, params);
  if (!withInvalid) return valid;
  const all = [...valid, ...(await reader.all(INVALID_FROM, params))];
  return all.sort((a, b) => a.tx_id - b.tx_id).slice(0, limit);
}

/** Operations of a token, newest first; of invalid ones also those that named it before there was one. */
export async function listTokenOperations(
  reader: Reader,
  { number, tokenId }: { number: number; tokenId: Uint8Array },
  page: OperationPage,
): Promise<OperationRow[]> {
  const rows = await listOperations(reader, OF_TOKEN, number, page);
  if (!page.withInvalid) return rows;
  const { beforeTxId = Number.MAX_SAFE_INTEGER, limit } = page;
  const early = await reader.all(REFUSED_EARLY, [tokenId, beforeTxId, limit]);
  return [...rows, ...early].sort((a, b) => b.tx_id - a.tx_id).slice(0, limit);
}

/** Operations that a script (by its number) took part in, newest first; of invalid ones those that it sent. */
export async function listScriptOperations(
  reader: Reader,
  scriptId: number,
  page: OperationPage,
): Promise<OperationRow[]> {
  return await listOperations(reader, OF_SCRIPT, scriptId, page);
}

/** Valid and invalid ones are apart, so that no number of invalid ones hides the valid ones. */
async function listOperations(
  reader: Reader,
  lists: Lists,
  subject: number,
  { withInvalid, beforeTxId = Number.MAX_SAFE_INTEGER, limit }: OperationPage,
): Promise<OperationRow[]> {
  const params = [subject, beforeTxId, limit];
  const valid = await reader.all(lists.valid, params);
  if (!withInvalid) return valid;
  const all = [...valid, ...(await reader.all(lists.invalid, params))];
  return all.sort((a, b) => b.tx_id - a.tx_id).slice(0, limit);
}
