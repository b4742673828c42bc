import type { ReviewedMetadataJson } from '@coinfront/api/token-metadata.ts';
import type { OwnerJson, TokenEventJson, TokenJson } from '@coinfront/api/tokens.ts';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { describeTokenPayload } from '@coinfront/protocol/tokens/describe-token-payload.ts';
import type { TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import {
  mintLimit,
  prepareTokenOperation,
  type TokenContext,
} from '@coinfront/protocol/tokens/token-rules.ts';
import { parseTransactionPart } from '@coinfront/protocol/transaction-part.ts';
import { type BlockRecord, type ChainView, confirmationsAt, type TxRecord } from '../../chain/chain-reads.ts';
import { createPlaceReader } from '../../chain/tx-place.ts';
import { AppError } from '../../errors.ts';
import { findSwept, type OperationRow } from './operation-store.ts';
import type { IndexedToken } from './token-rows.ts';

/** A script with its address. */
export function serialiseOwner(script: Uint8Array, profile: CoinProfile): OwnerJson {
  return { address: encodeAddress(script, profile) ?? null, script: bytesToHex(script) };
}

/**
 * The script of an address of a request.
 *
 * @throws AppError `address_invalid`; the text is not repeated, because what is no address may be a secret
 */
export function readAddress(text: string, profile: CoinProfile): Uint8Array {
  const decoded = decodeAddress(text, profile);
  if (decoded.ok) return decoded.value.script;
  const detail = `Not an address of ${profile.name} (${profile.chain}): ${decoded.reason}.`;
  throw new AppError('address_invalid', detail);
}

/** What may still be minted; undefined when nobody may mint. */
export function mintableOf({
  mintingOpen,
  terms,
  minted,
}: Pick<IndexedToken, 'mintingOpen' | 'terms' | 'minted'>): bigint | undefined {
  return mintingOpen ? mintLimit(terms) - minted : undefined;
}

const MILLIONTHS = 1_000_000n;

/** A share of what circulates in millionths, rounded down; of nothing it is nothing. */
export function sharePpm(amount: bigint, circulating: bigint): number {
  return circulating === 0n ? 0 : Number((amount * MILLIONTHS) / circulating);
}

/** A token. */
export async function serialiseToken(
  view: ChainView,
  token: IndexedToken,
  metadata: ReviewedMetadataJson | undefined,
  profile: CoinProfile,
): Promise<TokenJson> {
  const { terms, minted, burned } = token;
  const amount = (value: bigint) => formatAmount(value, terms.decimals);
  const mintable = mintableOf(token);
  const metadataHash = terms.metadataHash && bytesToHex(terms.metadataHash);
  const { block, txid } = await createPlaceReader(view)(token.createdHeight, token.createdPosition);
  return {
    token_id: bytesToHex(token.tokenId),
    ticker: terms.ticker,
    decimals: terms.decimals,
    issuer: serialiseOwner(token.issuer, profile),
    supply: {
      circulating: amount(minted - burned),
      minted: amount(minted),
      burned: amount(burned),
      premine: amount(terms.premine),
      cap: terms.cap === undefined ? null : amount(terms.cap),
      mintable: mintable === undefined ? null : amount(mintable),
    },
    minting_open: token.mintingOpen,
    holders: token.holders,
    events: token.events,
    transfers: token.transfers,
    created: {
      txid: toDisplayHash(txid),
      height: token.createdHeight,
      position: token.createdPosition,
      time: new Date(block.time * 1000).toISOString(),
    },
    metadata_hash: metadataHash ?? null,
    metadata_hash_matches:
      metadataHash === undefined || metadata === undefined ? null : metadata.metadata_sha256 === metadataHash,
    metadata: metadata ?? null,
  };
}

/** Of the witness only that of input 0 is looked at, and no sender has as many items. */
const SENDER_WITNESS = { input: 0, item: 0, most: 100 };

/** Kinds as they are shown. */
export const kindNames = {
  create: 'CREATE',
  mint: 'MINT',
  transfer: 'TRANSFER',
  burn: 'BURN',
  sweep: 'SWEEP',
} as const;

/**
 * An operation of the log. What it says is read from its transaction by the rules themselves.
 *
 * @param charge is told of the bytes that were read for it
 * @param token the one that it names, when there is one
 */
export async function serialiseOperation(
  view: ChainView,
  tip: BlockRecord,
  { tx_id, reason, token_id }: OperationRow,
  token: IndexedToken | undefined,
  { profile, tokens }: { profile: CoinProfile; tokens: TokenContext },
  charge: (bytes: number) => void,
): Promise<TokenEventJson> {
  const stored = await view.getTxById(tx_id);
  charge(stored.raw.length);
  const [prevout] = await view.listPrevouts(stored, { first: 0, count: 1 });
  const sender = prevout?.script;
  const { height, position } = getPlace(stored);
  const block = (await view.findBlockAt(height))!;
  const { tx } = getValue(parseTransactionPart(stored.raw, SENDER_WITNESS));
  const operation = describeTokenPayload(tx.outputs, tokens.rules);
  const decimals = operation?.kind === 'create' ? operation.terms.decimals : token?.terms.decimals;
  const placed = { tx, txid: stored.txid, height, position, prevoutScript: sender };
  const read = reason === null ? prepareTokenOperation(placed, tokens) : undefined;
  const swept =
    read?.kind === 'sweep' && token ? await findSwept(view.reader, tx_id, token.number) : undefined;
  const receipts =
    read?.kind === 'operation'
      ? read.prepared.receipts
      : read?.kind === 'sweep' && swept !== undefined
        ? [{ script: read.prepared.recipient, amount: swept }]
        : [];
  const asked = swept ?? (operation && askedAmount(operation));
  const namedId = token?.tokenId ?? token_id ?? undefined;
  return {
    kind: operation === undefined ? null : kindNames[operation.kind],
    valid: reason === null,
    reason,
    token_id: namedId === undefined ? null : bytesToHex(namedId),
    ticker: (operation?.kind === 'create' ? operation.terms.ticker : token?.terms.ticker) ?? null,
    txid: toDisplayHash(stored.txid),
    height,
    position,
    block_hash: toDisplayHash(block.hash),
    time: new Date(block.time * 1000).toISOString(),
    confirmations: confirmationsAt(height, tip),
    sender: sender === undefined ? null : serialiseOwner(sender, profile),
    amount: asked === undefined || decimals === undefined ? null : formatAmount(asked, decimals),
    recipients: receipts
      .filter(({ amount }) => amount > 0n)
      .map(({ script, amount }) => ({
        ...serialiseOwner(script, profile),
        amount: formatAmount(amount, decimals!),
      })),
    closes_minting: operation?.kind === 'mint' && operation.closes,
  };
}

function getPlace({ id, status }: TxRecord): { height: number; position: number } {
  if (!status.confirmed) throw new Error(`transaction ${id} is not confirmed`);
  return status;
}

/** What an operation moves in all, as it says; undefined for a sweep, which does not say it. */
export function askedAmount(operation: TokenOperation): bigint | undefined {
  switch (operation.kind) {
    case 'sweep':
      return undefined;
    case 'create':
      return operation.terms.premine;
    case 'transfer':
      return operation.shares.reduce((sum, { amount }) => sum + amount, 0n);
    default:
      return operation.amount;
  }
}
