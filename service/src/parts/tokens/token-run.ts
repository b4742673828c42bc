import type { EventLog } from '@coinfront/protocol/hash-chain.ts';
import type { TokenRecord } from '@coinfront/protocol/tokens/token-rules.ts';
import type { ConnectedBlock, PartAmounts, PartCell, PartWriter } from '../../indexer/parts/part.ts';
import { type OperationPack, packFurther } from './operation-packs.ts';
import type { Counts } from './token-counts.ts';
import type { Holder } from './token-holders.ts';
import { placeOf, readTokenRow, type TokenPlace, toTokenRow } from './token-rows.ts';
import { supplyTable, tokenEventTable, tokenNumberTable, tokenTable } from './token-tables.ts';

/** A block while its operations are applied one after the other. */
export type Run = {
  readonly writer: PartWriter;
  readonly balances: PartAmounts;
  readonly block: ConnectedBlock;
  readonly counts: Counts;
  /** Tokens that the block named so far; one is the same object for all operations that name it. */
  readonly tokens: Map<PartCell, OpenToken>;
  /** Those among them that the block created, by their numbers. */
  readonly created: Map<number, OpenToken>;
  /** The valid ones. */
  readonly events: EventLog;
  /** The same but for sweeps. */
  readonly operations: OperationPack;
};

/** A token while a block is connected: record and place change with each operation, its row once. */
export type OpenToken = {
  readonly cell: PartCell;
  /** As it was before the block. */
  readonly before: TokenRecord | undefined;
  /** Undefined before its creation, like its place. */
  record: TokenRecord | undefined;
  place: TokenPlace | undefined;
  /** The transactions of the block's valid operations on it. */
  readonly txIds: number[];
};

/** The tokens of ids, in their order. */
export async function openTokens({ writer, tokens }: Run, ids: readonly Uint8Array[]): Promise<OpenToken[]> {
  const cells = await writer.open(
    tokenTable,
    ids.map((id) => [id]),
  );
  return cells.map((cell) => {
    const opened = tokens.get(cell);
    if (opened) return opened;
    const known = cell.row && readTokenRow(cell.row);
    const place = known && placeOf(known);
    const token = { cell, before: known, record: known, place, txIds: [] };
    tokens.set(cell, token);
    return token;
  });
}

/**
 * Opens the balances of holders.
 *
 * @param numbers those of the tokens, by holder
 */
export async function openSlots(
  balances: PartAmounts,
  holders: readonly Holder[],
  numbers: readonly number[],
): Promise<void> {
  const slots = await balances.open(
    holders.map(({ id }) => id),
    numbers,
  );
  for (let i = 0; i < holders.length; i++) holders[i]!.slot = slots[i]!;
}

/** Writes what a block made of a token that it changed. */
export async function closeToken(
  { writer, block: { height } }: Run,
  { cell, before, record, place, txIds }: OpenToken,
): Promise<void> {
  const token = { ...record!, ...place! };
  writer.append(tokenEventTable, {
    token_number: token.number,
    tx_id: txIds[0]!,
    further: packFurther(txIds),
  });
  if (before === undefined || isSupplyChanged(before, token)) {
    writer.append(supplyTable, {
      token_number: token.number,
      number: token.supplyChanges++,
      height,
      minted: token.minted,
      burned: token.burned,
      holders: token.holders,
      is_minting_open: token.mintingOpen ? 1 : 0,
    });
  }
  if (before === undefined)
    await writer.put(tokenNumberTable, { number: token.number, token_id: token.tokenId.slice() });
  writer.set(cell, toTokenRow(token));
}

function isSupplyChanged(before: TokenRecord, after: TokenRecord): boolean {
  return (
    before.minted !== after.minted ||
    before.burned !== after.burned ||
    before.holders !== after.holders ||
    before.mintingOpen !== after.mintingOpen
  );
}
