import { readFile, writeFile } from 'node:fs/promises';
import { bytesToHex, parseHex } from '@coinfront/protocol/bytes.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import { checkTerms, type SwapTerms } from '@coinfront/sdk/wallet/swap/swap-terms.ts';
import { CliError } from '../shell/cli-error.ts';

/** What an offer says, before there is a buyer. */
export type OfferedTerms = Omit<SwapTerms, 'buyer'>;

/** A file that one party hands to the other. */
export type SwapMessage =
  | { step: 'offer'; terms: OfferedTerms }
  | { step: 'accept'; terms: SwapTerms }
  /** The funding without witnesses, hex: nobody can send it. */
  | { step: 'funding'; terms: SwapTerms; funding: string }
  /** The buyer's signature of the refund, a PSBT in base64. */
  | { step: 'refund'; terms: SwapTerms; funding: string; psbt: string }
  /** The swap with the buyer's signatures, a PSBT in base64. */
  | { step: 'swap'; terms: SwapTerms; funding: string; psbt: string };

export type SwapStep = SwapMessage['step'];

const maxFileBytes = 4_000_000;

/**
 * Reads a file of the other party: anything may be in it.
 *
 * @throws CliError `swap_unreadable`; WalletError `swap_mismatch` for terms that no swap can have
 */
export async function readSwapMessage<S extends SwapStep>(
  path: string,
  step: S,
  network: Network,
): Promise<SwapMessage & { step: S }> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw unreadable(`${path} cannot be read: ${cause.message}`);
  });
  if (text.length > maxFileBytes) throw unreadable(`${path} is too large.`);
  let json: MessageJson;
  try {
    json = JSON.parse(text) as MessageJson;
  } catch {
    throw unreadable(`${path} is no JSON.`);
  }
  if (json?.format !== 'coin-swap' || json.version !== 1) throw unreadable(`${path} is no file of a swap.`);
  if (json.step !== step)
    throw unreadable(`${path} is of the step "${String(json.step).slice(0, 20)}", this is "${step}".`);
  if (json.genesis_hash !== network.genesisHash) throw unreadable(`${path} is of a swap of another coin.`);
  const terms = readTerms(json.terms);
  if (terms === undefined) throw unreadable(`${path} does not have the terms of a swap.`);
  if (step === 'offer') return { step, terms } as SwapMessage & { step: S };
  if (terms.buyer === undefined) throw unreadable(`${path} has no buyer.`);
  const whole = { ...terms, buyer: terms.buyer };
  checkTerms(whole, network);
  const more = { funding: String(json.funding ?? ''), psbt: String(json.psbt ?? '') };
  return { step, terms: whole, ...more } as unknown as SwapMessage & { step: S };
}

/** Writes a file for the other party; one that is there is not overwritten. */
export async function writeSwapMessage(path: string, message: SwapMessage, network: Network): Promise<void> {
  const { step, terms, ...more } = message;
  const json = {
    ...{ format: 'coin-swap', version: 1, step, genesis_hash: network.genesisHash },
    ...{ terms: toTermsJson(terms), ...more },
  };
  await writeFile(path, `${JSON.stringify(json, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
}

type PartyJson = { public_key: string; address: string };
/** Amounts in smallest parts and base units, as digits. */
export type TermsJson = {
  token_id: string;
  amount: string;
  price: string;
  seller: PartyJson;
  buyer: PartyJson | null;
  escrow_value: string;
  refund_fee: string;
  refund_after: number;
};
type MessageJson = {
  format?: string;
  version?: number;
  step?: string;
  genesis_hash?: string;
  terms?: TermsJson;
  funding?: string;
  psbt?: string;
} | null;

/** Terms as they are written. */
export function toTermsJson(terms: OfferedTerms & Partial<Pick<SwapTerms, 'buyer'>>): TermsJson {
  const party = ({ publicKey, address }: SwapTerms['seller']) => ({
    public_key: bytesToHex(publicKey),
    address,
  });
  return {
    token_id: terms.tokenId,
    amount: String(terms.amount),
    price: String(terms.price),
    seller: party(terms.seller),
    buyer: terms.buyer === undefined ? null : party(terms.buyer),
    escrow_value: String(terms.escrowValue),
    refund_fee: String(terms.refundFee),
    refund_after: terms.refundAfter,
  };
}

/** Terms as they were written; undefined for what are none. */
export function readTerms(json: unknown): (OfferedTerms & Partial<Pick<SwapTerms, 'buyer'>>) | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { token_id, amount, price, seller, buyer, escrow_value, refund_fee, refund_after } =
    json as Partial<TermsJson>;
  const [first, second] = [readParty(seller), buyer == null ? undefined : readParty(buyer)];
  const numbers = [amount, price, escrow_value, refund_fee].map(readDigits);
  if (typeof token_id !== 'string' || !/^[0-9a-f]{64}$/.test(token_id)) return undefined;
  if (first === undefined || (buyer != null && second === undefined)) return undefined;
  if (numbers.some((each) => each === undefined) || !Number.isSafeInteger(refund_after)) return undefined;
  const [parts, coins, escrowValue, refundFee] = numbers as [bigint, bigint, bigint, bigint];
  return {
    ...{ tokenId: token_id, amount: parts, price: coins, seller: first },
    ...(second === undefined ? {} : { buyer: second }),
    ...{ escrowValue, refundFee, refundAfter: refund_after! },
  };
}

function readParty(json: unknown): SwapTerms['seller'] | undefined {
  const { public_key, address } = (json ?? {}) as Partial<PartyJson>;
  const publicKey = typeof public_key === 'string' ? parseHex(public_key) : undefined;
  if (!publicKey?.ok || typeof address !== 'string' || address.length > 120) return undefined;
  return { publicKey: publicKey.value, address };
}

function readDigits(text: unknown): bigint | undefined {
  return typeof text === 'string' && /^[0-9]{1,20}$/.test(text) ? BigInt(text) : undefined;
}

function unreadable(detail: string): CliError {
  return new CliError('swap_unreadable', detail);
}
