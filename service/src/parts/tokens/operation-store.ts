import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';

/** An operation of a list: valid without a reason. A sweep is there once for each token that it moved. */
export type OperationRow = {
  tx_id: number;
  token_number: number | null;
  /** The id that it names, where no token has it. */
  token_id: Uint8Array | null;
  reason: TokenReason | null;
};

/** Where a list has come to: behind the operation of a transaction on a token; one on none counts as token 0. */
export type OperationPlace = { txId: number; tokenNumber: number };

/** Which operations of a list: before a place when given. */
export type OperationPage = { withInvalid: boolean; before: OperationPlace | undefined; limit: number };

/** The place of an operation in a list. */
export function placeOfOperation({ tx_id, token_number }: OperationRow): OperationPlace {
  return { txId: tx_id, tokenNumber: token_number ?? 0 };
}

/** Lists of one subject, the number of a token or of a script. */
type Lists = Record<'valid' | 'invalid', Statement<OperationRow>>;

const OF_TOKEN = describeLists('token_event', 'token_number', 'token_number');
const OF_SCRIPT = describeLists('token_activity', 'script_id', 'sender_id');

function describeLists(table: string, subject: string, refused: string): Lists {
  return {
    valid: sql(
      `select tx_id, token_number, null as token_id, null as reason from ${table}
       where ${subject} = $1 and (tx_id, token_number) < ($2, $3) order by tx_id desc, token_number desc limit $4`,
    ),
    invalid: sql(
      `select tx_id, token_number, token_id, reason from token_refusal
       where ${refused} = $1 and tx_id < $2 order by tx_id desc limit $3`,
    ),
  };
}

/** Operations that named a token by its id before it was created. */
const REFUSED_EARLY = sql<OperationRow>(
  `select tx_id, token_number, token_id, reason from token_refusal
   where token_id = $1 and tx_id < $2 order by tx_id desc limit $3`,
);

/** Which operations of all: behind a place, or from a transaction on, and before another one. */
export type OperationSpan = {
  withInvalid: boolean;
  from: { txId: number } | { after: OperationPlace };
  beforeTxId: number;
  limit: number;
};

const VALID_BEHIND = sql<OperationRow>(
  `select tx_id, token_number, null as token_id, null as reason from token_event
   where (tx_id, token_number) > ($1, $2) and tx_id < $3 order by tx_id, token_number limit $4`,
);
const INVALID_BEHIND = sql<OperationRow>(
  `select tx_id, token_number, token_id, reason from token_refusal
   where tx_id > $1 and tx_id < $2 order by tx_id limit $3`,
);

/** Operations of all tokens, oldest first. */
export async function listOperationsFrom(
  reader: Reader,
  { withInvalid, from, beforeTxId, limit }: OperationSpan,
): Promise<OperationRow[]> {
  const after = 'after' in from ? from.after : { txId: from.txId - 1, tokenNumber: Number.MAX_SAFE_INTEGER };
  const valid = await reader.all(VALID_BEHIND, [after.txId, after.tokenNumber, beforeTxId, limit]);
  if (!withInvalid) return valid;
  const all = [...valid, ...(await reader.all(INVALID_BEHIND, [after.txId, beforeTxId, limit]))];
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
  const { before, limit } = page;
  const early = await reader.all(REFUSED_EARLY, [tokenId, before?.txId ?? Number.MAX_SAFE_INTEGER, limit]);
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
  { withInvalid, before, limit }: OperationPage,
): Promise<OperationRow[]> {
  const { txId, tokenNumber } = before ?? { txId: Number.MAX_SAFE_INTEGER, tokenNumber: 0 };
  const valid = await reader.all(lists.valid, [subject, txId, tokenNumber, limit]);
  if (!withInvalid) return valid;
  const all = [...valid, ...(await reader.all(lists.invalid, [subject, txId, limit]))];
  // A transaction is valid or not: within one there is nothing to sort.
  return all.sort((a, b) => b.tx_id - a.tx_id).slice(0, limit);
}

const FIND_SWEPT = sql<{ amount: bigint }>(
  'select amount from token_swept where tx_id = $1 and token_number = $2',
  { bigints: true },
);

/** How much of a token a sweep moved; undefined where it did not. */
export async function findSwept(
  reader: Reader,
  txId: number,
  tokenNumber: number,
): Promise<bigint | undefined> {
  return (await reader.get(FIND_SWEPT, [txId, tokenNumber]))?.amount;
}
