import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { SwapTerms } from '@coinfront/sdk/wallet/swap/swap-terms.ts';
import type { AddressPath, WalletAddress } from '@coinfront/sdk/wallet/wallet-address.ts';
import { deriveAddress, type WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { writePrivateJson } from '../cache/private-json.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { type OfferedTerms, readTerms, type TermsJson, toTermsJson } from './swap-message.ts';

/** What a wallet keeps of a swap until its end: without it the tokens in an escrow could not be got back. It holds no key. */
export type KeptSwap = {
  readonly id: string;
  readonly role: 'seller' | 'buyer';
  /** Which address gave its key, and gets what this party gets. */
  readonly own: AddressPath;
  /** Which address of the seller has the tokens. */
  readonly holder?: AddressPath;
  readonly terms: OfferedTerms & Partial<Pick<SwapTerms, 'buyer'>>;
  /** The funding, hex; the seller's is signed in `fundingPsbt`. */
  readonly funding?: string;
  readonly fundingPsbt?: string;
  /** The seller's part of the refund, a PSBT, and the refund that both have signed, hex. */
  readonly refundPart?: string;
  readonly refund?: string;
  /** The swap as the buyer signed it, a PSBT. */
  readonly swap?: string;
  readonly txid?: string;
};

type SwapJson = Omit<KeptSwap, 'terms'> & { format: 'coin-swap-kept'; version: 1; terms: TermsJson };

/** A swap's name at both parties: of the key that its seller gave. */
export function swapId({ seller }: OfferedTerms): string {
  return bytesToHex(sha256(seller.publicKey)).slice(0, 16);
}

function folderOf(context: Context): string {
  return join(dirname(findWalletPath(context)), 'swaps');
}

/** Keeps a swap: whole or not at all, before anything is handed over. */
export async function keepSwap(context: Context, kept: KeptSwap): Promise<void> {
  const folder = folderOf(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const json: SwapJson = {
    ...kept,
    ...{ format: 'coin-swap-kept', version: 1, terms: toTermsJson(kept.terms) },
  };
  await writePrivateJson(join(folder, `${kept.id}.json`), json);
}

/** All swaps that are kept. @throws CliError `swap_unreadable` */
export async function listSwaps(context: Context): Promise<KeptSwap[]> {
  const folder = folderOf(context);
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /^[0-9a-f]{16}\.json$/.test(name)).sort();
  return await Promise.all(files.map((name) => readKept(join(folder, name))));
}

async function readKept(path: string): Promise<KeptSwap> {
  try {
    const { format, version, terms, ...kept } = JSON.parse(await readFile(path, 'utf8')) as SwapJson;
    const read = readTerms(terms);
    if (format === 'coin-swap-kept' && version === 1 && read) return { ...kept, terms: read };
  } catch (cause) {
    throw new CliError('swap_unreadable', `${path} cannot be read: ${(cause as Error).message}`);
  }
  throw new CliError('swap_unreadable', `${path} is no swap that coin keeps.`);
}

/**
 * The swap of a role in this wallet.
 *
 * @throws CliError `swap_missing`
 */
export async function findSwap(context: Context, id: string, role: KeptSwap['role']): Promise<KeptSwap> {
  const found = (await listSwaps(context)).find((each) => each.id === id);
  if (found?.role === role) return found;
  const detail =
    found === undefined
      ? `This wallet has no swap ${id.slice(0, 16)}.`
      : `In swap ${id} this wallet is the ${found.role}.`;
  throw new CliError('swap_missing', `${detail} See "coin token swap list".`);
}

/** The swap that a file of the other party is about, with terms that are the very same. @throws CliError `swap_missing`, `swap_changed` */
export async function findSameSwap(
  context: Context,
  terms: OfferedTerms & Partial<Pick<SwapTerms, 'buyer'>>,
  role: KeptSwap['role'],
): Promise<KeptSwap> {
  const kept = await findSwap(context, swapId(terms), role);
  const known = kept.terms.buyer === undefined ? { ...terms, buyer: undefined } : terms;
  const text = (each: typeof terms) => JSON.stringify(toTermsJson(each));
  if (text({ ...known } as typeof terms) === text(kept.terms)) return kept;
  throw new CliError(
    'swap_changed',
    'The file has other terms than those that were agreed on: nothing was signed.',
  );
}

/** Terms with their buyer. @throws CliError `swap_not_ready` */
export function wholeTerms({ id, terms }: KeptSwap): SwapTerms {
  if (terms.buyer !== undefined) return { ...terms, buyer: terms.buyer };
  throw new CliError('swap_not_ready', `Swap ${id} has no buyer yet.`);
}

/** The address of this party's key. */
export function ownAddress({ own }: KeptSwap, watch: WatchWallet): WalletAddress {
  return deriveAddress(watch, own);
}

/** Addresses ahead of the wallet that a restored one finds; not all of them are given to swaps. */
const AHEAD = 12;

/**
 * An address for a new swap, whose key no other one has.
 *
 * @param next the first address of the chain that was never used
 * @throws CliError `swap_too_many`
 */
export async function reserveAddress(
  context: Context,
  watch: WatchWallet,
  next: WalletAddress,
): Promise<WalletAddress> {
  const taken = new Set((await listSwaps(context)).map(({ own }) => own.index));
  for (let index = next.index; index < next.index + AHEAD; index++)
    if (!taken.has(index)) return deriveAddress(watch, { kind: next.kind, chain: next.chain, index });
  throw new CliError(
    'swap_too_many',
    'This wallet has too many swaps that came to nothing. Receive something at "coin address", so that it goes on behind them. Keep their files: a key that signed a refund must not be given again.',
  );
}

export function pathOf({ kind, chain, index }: WalletAddress): AddressPath {
  return { kind, chain, index };
}
