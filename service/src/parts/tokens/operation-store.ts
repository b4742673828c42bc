import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';
import { unpackOperations, unpackTxIds } from './operation-packs.ts';

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

const FIELDS = 'null as token_id, null as reason';
const NEWEST = 'order by tx_id desc limit $3';

type TokenPack = { tx_id: number; further: Uint8Array };
type BlockPack = { tx_id: number; operations: Uint8Array };

/** Of a token, in blocks whose first operation on it is below a transaction. */
const OF_TOKEN = sql<TokenPack>(
  `select tx_id, further from token_event_by_token where token_number = $1 and tx_id < $2 ${NEWEST}`,
);
/** Of a script, before a place. */
const OF_SCRIPT = sql<OperationRow>(
  `select a.tx_id, coalesce(s.token_number, a.token_number) as token_number, ${FIELDS}
   from token_activity a left join token_swept s on s.tx_id = a.tx_id
   where a.script_id = $1 and a.tx_id <= $2
     and (a.tx_id < $2 or coalesce(s.token_number, a.token_number) < $3)
   order by a.tx_id desc, coalesce(s.token_number, a.token_number) desc limit $4`,
);

const REFUSED_OF_TOKEN = describeRefused('token_number');
const REFUSED_OF_SCRIPT = describeRefused('sender_id');

function describeRefused(subject: string): Statement<OperationRow> {
  return sql(
    `select tx_id, token_number, token_id, reason from token_refusal where ${subject} = $1 and tx_id < $2 ${NEWEST}`,
  );
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

/** From the block that a transaction may be in. */
const VALID_FROM = sql<BlockPack>(
  `select tx_id, operations from token_event
   where tx_id >= coalesce((select max(tx_id) from token_event where tx_id <= $1), 0) and tx_id < $2
   order by tx_id limit $3`,
);
const VALID_BEHIND = sql<BlockPack>(
  'select tx_id, operations from token_event where tx_id > $1 and tx_id < $2 order by tx_id limit $3',
);
const SWEPT_BEHIND = sql<OperationRow>(
  `select tx_id, token_number, ${FIELDS} from token_swept
   where (tx_id, token_number) > ($1, $2) and tx_id < $3 order by tx_id, token_number limit $4`,
);
const INVALID_BEHIND = sql<OperationRow>(
  `select tx_id, token_number, token_id, reason from token_refusal
   where tx_id > $1 and tx_id < $2 order by tx_id limit $3`,
);

/** Those behind a transaction and before another one, oldest first. */
function listValid(reader: Reader, afterTxId: number, beforeTxId: number, limit: number) {
  return readPacks(
    limit,
    (last: BlockPack | undefined, packs) =>
      last === undefined
        ? reader.all(VALID_FROM, [afterTxId, beforeTxId, packs])
        : reader.all(VALID_BEHIND, [last.tx_id, beforeTxId, packs]),
    ({ tx_id, operations }) =>
      unpackOperations(tx_id, operations)
        .filter(({ txId }) => txId > afterTxId && txId < beforeTxId)
        .map(({ txId, tokenNumber }) => describeValid(txId, tokenNumber)),
  );
}

/** Those of a token below a transaction, newest first. */
function listValidOfToken(reader: Reader, number: number, beforeTxId: number, limit: number) {
  return readPacks(
    limit,
    (last: TokenPack | undefined, packs) => reader.all(OF_TOKEN, [number, last?.tx_id ?? beforeTxId, packs]),
    ({ tx_id, further }) =>
      unpackTxIds(tx_id, further)
        .filter((txId) => txId < beforeTxId)
        .reverse()
        .map((txId) => describeValid(txId, number)),
  );
}

function describeValid(txId: number, tokenNumber: number): OperationRow {
  return { tx_id: txId, token_number: tokenNumber, token_id: null, reason: null };
}

/** A pack may have one operation or thousands: few are read first, and more where they are small. */
const FIRST_PACKS = 2;
const PACKS_FACTOR = 8;

async function readPacks<Pack>(
  limit: number,
  list: (behind: Pack | undefined, packs: number) => Promise<Pack[]>,
  unpack: (pack: Pack) => OperationRow[],
): Promise<OperationRow[]> {
  const found: OperationRow[] = [];
  let last: Pack | undefined;
  for (let packs = FIRST_PACKS; ; packs = Math.min(packs * PACKS_FACTOR, limit - found.length)) {
    const read = await list(last, packs);
    for (const pack of read) for (const operation of unpack(pack)) found.push(operation);
    if (read.length < packs || found.length >= limit) return found.slice(0, limit);
    last = read.at(-1);
  }
}

/** Operations of all tokens, oldest first. */
export async function listOperationsFrom(
  reader: Reader,
  { withInvalid, from, beforeTxId, limit }: OperationSpan,
): Promise<OperationRow[]> {
  const after = 'after' in from ? from.after : { txId: from.txId - 1, tokenNumber: Number.MAX_SAFE_INTEGER };
  const rows = [
    ...(await listValid(reader, after.txId, beforeTxId, limit)),
    ...(await reader.all(SWEPT_BEHIND, [after.txId, after.tokenNumber, beforeTxId, limit])),
    ...(withInvalid ? await reader.all(INVALID_BEHIND, [after.txId, beforeTxId, limit]) : []),
  ];
  return oldestFirst(rows).slice(0, limit);
}

/** Operations of a token, newest first; of invalid ones also those that named it before there was one. */
export async function listTokenOperations(
  reader: Reader,
  { number, tokenId }: { number: number; tokenId: Uint8Array },
  { withInvalid, before, limit }: OperationPage,
): Promise<OperationRow[]> {
  const beforeTxId = before?.txId ?? Number.MAX_SAFE_INTEGER;
  const rows = [
    ...(await listValidOfToken(reader, number, beforeTxId, limit)),
    ...(withInvalid ? await reader.all(REFUSED_OF_TOKEN, [number, beforeTxId, limit]) : []),
    ...(withInvalid ? await reader.all(REFUSED_EARLY, [tokenId, beforeTxId, limit]) : []),
  ];
  return newestFirst(rows).slice(0, limit);
}

/**
 * Operations that a script (by its number) took part in, newest first; of invalid ones those that it sent. Valid and invalid ones are apart, so
 * that no number of invalid ones hides the valid ones.
 */
export async function listScriptOperations(
  reader: Reader,
  scriptId: number,
  { withInvalid, before, limit }: OperationPage,
): Promise<OperationRow[]> {
  const { txId, tokenNumber } = before ?? { txId: Number.MAX_SAFE_INTEGER, tokenNumber: 0 };
  const rows = [
    ...(await reader.all(OF_SCRIPT, [scriptId, txId, tokenNumber, limit])),
    ...(withInvalid ? await reader.all(REFUSED_OF_SCRIPT, [scriptId, txId, limit]) : []),
  ];
  return newestFirst(rows).slice(0, limit);
}

/** By transaction, and what one sweep moved by the numbers of the tokens. */
function oldestFirst(rows: OperationRow[]): OperationRow[] {
  return rows.sort((a, b) => a.tx_id - b.tx_id || (a.token_number ?? 0) - (b.token_number ?? 0));
}

function newestFirst(rows: OperationRow[]): OperationRow[] {
  return oldestFirst(rows).reverse();
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
