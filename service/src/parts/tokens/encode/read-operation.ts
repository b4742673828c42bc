import type {
  EncodeBurnBody,
  EncodeCreateBody,
  EncodeMintBody,
  EncodeSweepBody,
  EncodeTokenTransferBody,
} from '@coinfront/api/token-encode.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { equalBytes, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { MAX_LEB128 } from '@coinfront/protocol/leb128.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { TOKEN_REASONS } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { Static } from 'typebox';
import type { ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { readBodyAddress } from '../../../unsigned/read-sender.ts';
import { getToken } from '../get-token.ts';
import type { TokenRouteContext } from '../token-context.ts';
import { refuseImpossible } from './refuse-impossible.ts';

/** An operation that a body asks for, with the scripts of the recipients that its payload names by output. */
export type AskedOperation = { operation: TokenOperation; recipients: Uint8Array[] };

/** The carrier is output 0; recipients come right behind it. */
const FIRST_RECIPIENT_VOUT = 1;

/** @throws AppError `amount_invalid` */
export function readCreate(body: Static<typeof EncodeCreateBody>): AskedOperation {
  const { decimals, ticker, mintable } = body;
  const terms = {
    mintable,
    decimals,
    premine: readTokenAmount(body.premine, 'premine', decimals),
    cap: body.cap === undefined ? undefined : readTokenAmount(body.cap, 'cap', decimals),
    ticker,
    metadataHash:
      body.metadata_hash === undefined ? undefined : getHexBytes(body.metadata_hash.toLowerCase()),
  };
  const create = { kind: 'create', terms } as const;
  refuseImpossible(create, terms);
  return { operation: create, recipients: [] };
}

/** @throws AppError `token_not_found`, `amount_invalid`, `address_invalid`, `invalid_body` */
export async function readMint(
  view: ChainView,
  body: Static<typeof EncodeMintBody>,
  profile: CoinProfile,
): Promise<AskedOperation> {
  const { tokenId, terms } = await getToken(view, body.token_id);
  const to = body.to ?? body.address;
  if (to === undefined)
    throw new AppError('invalid_body', 'Give "to", who gets what is minted, or "address".');
  const recipients = [readBodyAddress(to, 'to', profile)];
  const amount = readTokenAmount(body.amount, 'amount', terms.decimals);
  const mint = {
    kind: 'mint',
    tokenId,
    closes: body.close === true,
    toVout: FIRST_RECIPIENT_VOUT,
    amount,
  } as const;
  refuseImpossible(mint, terms);
  return { operation: mint, recipients };
}

/** @throws AppError `token_not_found`, `amount_invalid`, `address_invalid` */
export async function readTransfer(
  view: ChainView,
  body: Static<typeof EncodeTokenTransferBody>,
  profile: CoinProfile,
): Promise<AskedOperation> {
  const { tokenId, terms } = await getToken(view, body.token_id);
  const shares = body.recipients.map(({ amount }, i) => ({
    toVout: FIRST_RECIPIENT_VOUT + i,
    amount: readTokenAmount(amount, `recipients/${i}/amount`, terms.decimals),
  }));
  const recipients = body.recipients.map(({ to }, i) => readBodyAddress(to, `recipients/${i}/to`, profile));
  const transfer = { kind: 'transfer', tokenId, shares } as const;
  refuseImpossible(transfer, terms);
  return { operation: transfer, recipients };
}

/** @throws AppError `token_not_found`, `amount_invalid` */
export async function readBurn(
  view: ChainView,
  body: Static<typeof EncodeBurnBody>,
): Promise<AskedOperation> {
  const { tokenId, terms } = await getToken(view, body.token_id);
  const amount = readTokenAmount(body.amount, 'amount', terms.decimals);
  const burn = { kind: 'burn', tokenId, amount } as const;
  refuseImpossible(burn, terms);
  return { operation: burn, recipients: [] };
}

/** @throws AppError `address_invalid`, `invalid_body` for what no block could ever have */
export function readSweep(
  body: Static<typeof EncodeSweepBody>,
  { profile, tokens: { rules } }: Pick<TokenRouteContext, 'profile' | 'tokens'>,
): AskedOperation {
  const recipient = readBodyAddress(body.to, 'to', profile);
  if (rules.sweepActivationHeight === undefined)
    throw new AppError(
      'invalid_body',
      `No block can have this SWEEP: ${profile.name} has no sweeps of tokens.`,
    );
  if (body.address !== undefined && equalBytes(readBodyAddress(body.address, 'address', profile), recipient))
    throw new AppError('invalid_body', `No block can have this SWEEP. ${TOKEN_REASONS.sweep_to_sender}`);
  return { operation: { kind: 'sweep', toVout: FIRST_RECIPIENT_VOUT }, recipients: [recipient] };
}

function readTokenAmount(text: string, field: string, decimals: number): bigint {
  const parsed = parseAmount(text, decimals);
  if (!parsed.ok) throw new AppError('amount_invalid', `"${field}": ${parsed.reason}.`);
  if (parsed.value <= MAX_LEB128) return parsed.value;
  throw new AppError('amount_invalid', `"${field}" is above 2^63 - 1 of the smallest parts of the token.`);
}
