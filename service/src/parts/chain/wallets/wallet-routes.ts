import {
  WalletBody,
  WalletParams,
  WalletQuery,
  WalletSummary,
  type WalletSummaryJson,
  WalletTxBody,
  WalletTxList,
  type WalletTxListJson,
  WalletTxQuery,
  walletLimits,
} from '@coinfront/api/chain-wallets.ts';
import type { DerivedScriptType } from '@coinfront/api/merchants.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { BlockRecord, ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { readCharged } from '../../../http/charged-read.ts';
import { notReady } from '../../../http/read-route.ts';
import { waitForPlace } from '../../../http/request-place.ts';
import type { RowCost } from '../../../http/row-cost.ts';
import { createSlices, type GiveWay } from '../../../http/slices.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import { readWalletScripts, type WalletScripts } from '../../../wallets/wallet-scripts.ts';
import type { ChainContext } from '../chain-context.ts';
import { serialiseHistory } from '../serialise-history.ts';
import { walletExamples } from './examples-wallets.ts';
import { type ScannedWallet, scanWallet } from './scan-wallet.ts';
import { serialiseWallet } from './serialise-wallet.ts';
import { listWalletHistory, makeWalletCursor, readWalletCursor } from './wallet-history.ts';

/** Deriving an address takes half a millisecond, of a multisig as often as it has keys. */
const cost: RowCost = { reserve: 10, rowsOfUnit: 10, of: 'addresses looked at' };
const errors = ['wallet_key_invalid', 'wallet_too_large'] as const;
const privacy =
  'Whoever runs the service sees which addresses belong together. The key is neither kept nor logged here; a proxy in front may log it.';

const inBody =
  'The same as the GET, with the key in the body: no log of a proxy has it, and no history of a browser.';

/** `/xpub/{key}` and `/xpub/{key}/txs`, and both with the key in the body: wallets that are given by their public keys. */
export function registerWalletRoutes(app: FastifyInstance, context: ChainContext): void {
  const summary = {
    response: WalletSummary,
    cost,
    cache: 'none',
    operation: {
      document: 'chain',
      tag: 'Wallets',
      errors,
      namesSnapshot: true,
      example: walletExamples.summary,
    },
  } as const;
  const history = {
    response: WalletTxList,
    cost,
    cache: 'none',
    operation: {
      document: 'chain',
      tag: 'Wallets',
      errors: [...errors, 'cursor_expired'],
      namesSnapshot: true,
      example: walletExamples.txs,
    },
  } as const;

  registerCall(app, {
    ...summary,
    method: 'GET',
    path: '/xpub/:key',
    params: WalletParams,
    query: WalletQuery,
    operation: {
      ...summary.operation,
      id: 'getWallet',
      summary: 'Balance and next addresses of a wallet',
      description:
        'Of an extended public key: its receiving addresses `0/*` and its change `1/*`. Of a descriptor: what it says, with ' +
        `\`<0;1>\` for both. Each chain is looked through until ${walletLimits.gap.default} addresses in a row are unused, or as ` +
        `many as \`gap_limit\` says; ${walletLimits.addresses} at most. ${privacy}`,
      parameterExamples: walletExamples.parameters,
    },
    call: ({ params, query, request, reply }) =>
      readSummary(app, context, { ...params, ...query }, request, reply),
  });

  registerCall(app, {
    ...summary,
    method: 'POST',
    path: '/xpub',
    body: WalletBody,
    operation: {
      ...summary.operation,
      id: 'readWallet',
      summary: 'Balance and next addresses of a wallet, with its key in the body',
      description: inBody,
      bodyExample: walletExamples.parameters,
    },
    call: ({ body, request, reply }) => readSummary(app, context, body, request, reply),
  });

  registerCall(app, {
    ...history,
    method: 'GET',
    path: '/xpub/:key/txs',
    params: WalletParams,
    query: WalletTxQuery,
    operation: {
      ...history.operation,
      id: 'listWalletTransactions',
      summary: 'History of a wallet',
      description:
        'Of all addresses of the wallet as one, newest first: what is in the mempool, then the chain. `delta` is what a transaction ' +
        `does to the whole wallet: change goes out and comes in again. ${privacy}`,
      parameterExamples: walletExamples.parameters,
    },
    call: ({ params, query, request, reply }) =>
      readHistory(app, context, { ...params, ...query }, request, reply),
  });

  registerCall(app, {
    ...history,
    method: 'POST',
    path: '/xpub/txs',
    body: WalletTxBody,
    operation: {
      ...history.operation,
      errors: [...errors, 'invalid_cursor', 'cursor_expired'],
      id: 'readWalletTransactions',
      summary: 'History of a wallet, with its key in the body',
      description: inBody,
      bodyExample: walletExamples.parameters,
    },
    call: ({ body, request, reply }) => readHistory(app, context, body, request, reply),
  });
}

/** A wallet as it was asked for. */
type Wanted = Static<typeof WalletBody>;

function readSummary(
  app: FastifyInstance,
  context: ChainContext,
  { key, script_type, gap_limit = walletLimits.gap.default }: Wanted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<WalletSummaryJson> {
  return readWallet(app, context, request, reply, async (view, tip, giveWay) => {
    const wallet = readKey(key, script_type, context);
    const scanned = await scanCharged(view, wallet, { key, gap_limit }, request, giveWay);
    return {
      as_of: describeAsOf(tip),
      script_type: wallet.kind,
      gap_limit,
      ...serialiseWallet(scanned, context.profile),
    };
  });
}

function readHistory(
  app: FastifyInstance,
  context: ChainContext,
  {
    key,
    script_type,
    gap_limit = walletLimits.gap.default,
    cursor,
    limit = pageLimits.default,
  }: Static<typeof WalletTxBody>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<WalletTxListJson> {
  return readWallet(app, context, request, reply, async (view, tip, giveWay) => {
    const wallet = readKey(key, script_type, context);
    const scanned = await scanCharged(view, wallet, { key, gap_limit }, request, giveWay);
    const used = scanned.branches.flatMap((branch) => branch.used);
    const subject = nameWallet(key, wallet);
    const from = await readWalletCursor(view, subject, used, cursor);
    const { entries, more } = await listWalletHistory(view, used, from, limit, giveWay);
    return {
      as_of: describeAsOf(tip),
      items: await serialiseHistory(view, entries, tip, context.profile.decimals),
      next_cursor: more ? await makeWalletCursor(view, subject, entries.at(-1)!) : null,
    };
  });
}

/** Reads in one snapshot that stays open while others get their turns. */
async function readWallet<T>(
  app: FastifyInstance,
  { readChain, nameSnapshot }: ChainContext,
  request: FastifyRequest,
  reply: FastifyReply,
  read: (view: ChainView, tip: BlockRecord, giveWay: GiveWay) => Promise<T>,
): Promise<T> {
  const leave = await waitForPlace(app.batchPlaces, request);
  try {
    return await readCharged(app, request, readChain, async (view) => {
      const { tip } = view;
      if (tip === undefined) throw notReady();
      const answer = await read(view, tip, createSlices(app.takeTurn, request));
      const names = nameSnapshot(tip, view.mempool.version);
      reply.header('x-chain-height', names.height).header('x-chain-tip', names.tip);
      return answer;
    });
  } finally {
    leave();
  }
}

/** Each address is charged before it is looked at: who asks for too many, or leaves, has had them looked at, too. */
async function scanCharged(
  view: ChainView,
  wallet: WalletScripts,
  { key, gap_limit }: { key: string; gap_limit: number },
  request: FastifyRequest,
  giveWay: GiveWay,
): Promise<ScannedWallet> {
  const keys = keysOf(key);
  // A read that is large is made once more, and paid for once.
  request.rows = 0;
  return await scanWallet(view, wallet, gap_limit, async () => {
    request.rows += keys;
    await giveWay();
  });
}

function readKey(key: string, wanted: DerivedScriptType | undefined, context: ChainContext): WalletScripts {
  const wallet = readWalletScripts(key, wanted, context.profile);
  if (wallet.ok) return wallet.value;
  throw new AppError('wallet_key_invalid', `Not a public key or descriptor of a wallet: ${wallet.reason}.`);
}

/** How many keys are derived for an address. */
function keysOf(key: string): number {
  return key.split(',').length - (key.includes('multi(') ? 1 : 0);
}

/** Names a wallet in its cursors, which tell nothing of its key. */
function nameWallet(key: string, { kind }: WalletScripts): string {
  return `${kind} ${bytesToHex(sha256(new TextEncoder().encode(key)))}`;
}
