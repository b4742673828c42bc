import type { TokenRecord } from '@coinfront/protocol/tokens/token-rules.ts';
import type { SqlValue } from '../../db/statement.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import type { PartRow } from '../../indexer/parts/part.ts';

/** What the index knows of a token besides its record. */
export type TokenPlace = {
  /** Of all tokens in chain order, from 0. */
  number: number;
  createdPosition: number;
  /** Valid operations. */
  events: number;
  transfers: number;
  /** Blocks that changed its supply, its number of holders or who may mint. */
  supplyChanges: number;
};

/** A token as the index has it. */
export type IndexedToken = TokenRecord & TokenPlace;

/** The place alone. */
export function placeOf(token: IndexedToken): TokenPlace {
  const { number, createdPosition, events, transfers, supplyChanges } = token;
  return { number, createdPosition, events, transfers, supplyChanges };
}

/** The row of a token. */
export function toTokenRow(token: IndexedToken): PartRow {
  const { terms } = token;
  return {
    token_id: token.tokenId.slice(),
    number: token.number,
    issuer: token.issuer.slice(),
    issuer_hash: sha256(token.issuer),
    created_height: token.createdHeight,
    created_position: token.createdPosition,
    ticker: terms.ticker,
    decimals: terms.decimals,
    is_mintable: terms.mintable ? 1 : 0,
    premine: terms.premine,
    cap: terms.cap ?? null,
    metadata_hash: terms.metadataHash?.slice() ?? null,
    is_minting_open: token.mintingOpen ? 1 : 0,
    minted: token.minted,
    burned: token.burned,
    holders: token.holders,
    events: token.events,
    transfers: token.transfers,
    supply_changes: token.supplyChanges,
  };
}

/** The token of a row; integers may be of either kind. */
export function readTokenRow(row: Readonly<Record<string, SqlValue>>): IndexedToken {
  return {
    tokenId: row.token_id as Uint8Array,
    issuer: row.issuer as Uint8Array,
    terms: {
      mintable: Number(row.is_mintable) === 1,
      decimals: Number(row.decimals),
      premine: row.premine as bigint,
      cap: (row.cap as bigint | null) ?? undefined,
      ticker: row.ticker as string,
      metadataHash: (row.metadata_hash as Uint8Array | null) ?? undefined,
    },
    createdHeight: Number(row.created_height),
    mintingOpen: Number(row.is_minting_open) === 1,
    minted: row.minted as bigint,
    burned: row.burned as bigint,
    holders: Number(row.holders),
    number: Number(row.number),
    createdPosition: Number(row.created_position),
    events: Number(row.events),
    transfers: Number(row.transfers),
    supplyChanges: Number(row.supply_changes),
  };
}
