/** A server over a fixture chain, with all parts, for tests of the HTTP interface. */

import { randomBytes } from 'node:crypto';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import pino from 'pino';
import type { Precious } from '../db/precious.ts';
import { createHttpMetrics } from '../http/http-metrics.ts';
import { createServer, type ServerOptions } from '../http/server.ts';
import { createSnapshotNamer } from '../http/snapshot.ts';
import type { BroadcastResult } from '../node/broadcast.ts';
import type { NodeFees } from '../node/fee-estimates.ts';
import type { NodeFacts } from '../node/node-facts.ts';
import { createAllowList } from '../outbound/allow-list.ts';
import { checkOutboundUrl } from '../outbound/check-url.ts';
import { broadcastTransaction } from '../parts/chain/broadcast.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { createChainPart } from '../parts/chain/chain-part.ts';
import { mempoolHistoryExample } from '../parts/chain/examples-mempool.ts';
import {
  estimateFeeRate,
  estimateFeesFor,
  findMinimumRate,
  findRelayRate,
} from '../parts/chain/fee-routes.ts';
import type { RichList } from '../parts/chain/rich-list/rank-balances.ts';
import { createEsploraPart } from '../parts/esplora/esplora-part.ts';
import type { PaymentRouteContext } from '../parts/payments/payment-context.ts';
import { createPaymentPart } from '../parts/payments/payment-part.ts';
import type { PollState } from '../poll.ts';
import { createFixtureChain, type FixtureChain, fixtureSeenMs, makeTx } from './fixture-chain.ts';
import { readFixture } from './fixture-view.ts';
import { requireStrictResponses } from './strict-responses.ts';

/** A list of two, as of the first block. */
const fixtureRichList: RichList = {
  height: 0,
  hash: new Uint8Array(32),
  madeAtMs: Date.UTC(2026, 2, 1),
  scripts: 2,
  balance: 350_00000000n,
  bands: [{ digits: 11, scripts: 2, balance: 350_00000000n }],
  richest: [
    { scriptHash: 'ab'.repeat(32), scriptType: 'pubkey', address: null, balance: 200_00000000n, coins: 4 },
    { scriptHash: 'cd'.repeat(32), scriptType: 'pubkey', address: null, balance: 150_00000000n, coins: 3 },
  ],
};

export const fixtureProfile = getShippedProfile('regtest');

/** A P2WPKH script of one repeated byte. */
export function scriptOf(byte: number): Uint8Array {
  return Uint8Array.of(0, 20, ...new Uint8Array(20).fill(byte));
}

/** The address of {@link scriptOf}. */
export function addressOf(byte: number): string {
  return encodeAddress(scriptOf(byte), fixtureProfile)!;
}

/** Scripts of the fixture: who mines, and who is paid. */
export const miner = 0xaa;
export const payee = 0xbb;

const dataCarrier = Uint8Array.of(0x6a, 4, 1, 2, 3, 4);

/**
 * 121 blocks mined to {@link miner}; in block 110 it pays {@link payee} 30 outputs and burns a little, in block 120
 * the payee consolidates two; in the mempool the payee spends another, and that is spent again.
 */
export function makeFixtureChain(): FixtureChain {
  const chain = createFixtureChain(scriptOf(miner));
  while (chain.blocks.length < 110) chain.addBlock(scriptOf(miner));
  const funds = chain.txs[1]!;
  const payment = makeTx(
    [{ txid: funds.txid, vout: 0, sequence: 0xfffffffd }],
    [
      ...Array.from({ length: 30 }, () => ({ value: 1_00000000n, script: scriptOf(payee) })),
      { value: 1000n, script: dataCarrier },
      { value: 19_00000000n, script: scriptOf(miner) },
    ],
    [Uint8Array.of(1, 2), new Uint8Array(0)],
  );
  chain.addBlock(scriptOf(miner), [payment]);
  while (chain.blocks.length < 120) chain.addBlock(scriptOf(miner));
  const paid = txidOf(payment);
  const consolidation = makeTx(
    [
      { txid: paid, vout: 0 },
      { txid: paid, vout: 1 },
    ],
    [{ value: 1_99990000n, script: scriptOf(payee) }],
  );
  chain.addBlock(scriptOf(miner), [consolidation]);
  const pending = makeTx([{ txid: paid, vout: 2 }], [{ value: 99990000n, script: scriptOf(payee) }]);
  const child = makeTx([{ txid: txidOf(pending), vout: 0 }], [{ value: 99980000n, script: scriptOf(miner) }]);
  chain.addToMempool([pending, child]);
  return chain;
}

/** What the fixture's node says of itself. */
export const fixtureFacts: NodeFacts = {
  chain: 'regtest',
  genesisHash: fixtureProfile.genesisHash,
  blocks: 120,
  headers: 120,
  initialBlockDownload: false,
  pruned: false,
  pruneHeight: undefined,
  version: 210_200,
  subversion: '/Satoshi:0.21.2/',
  connections: 0,
  warnings: '',
  relayFee: '0.00001000',
  incrementalFee: '0.00001000',
};

/** A poll whose last attempt worked. */
export function polled<T>(value: T): PollState<T> {
  return { value, valueAtMs: 1_700_900_000_000, error: undefined, sinceMs: 1_700_800_000_000 };
}

export type FixtureOverrides = {
  chain?: FixtureChain;
  server?: Partial<ServerOptions>;
  context?: Partial<ChainContext>;
  /** With it the server has the part of payments as well. */
  precious?: Precious | undefined;
  payments?: Partial<PaymentRouteContext>;
};

/** Builds the server; nothing listens yet. Responses are checked against their schemas. */
export function createFixtureServer({
  chain = makeFixtureChain(),
  server = {},
  context = {},
  precious,
  payments = {},
}: FixtureOverrides = {}) {
  const log: string[] = [];
  const http = createServer({
    logger: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
    metrics: createHttpMetrics(),
    findPrivateKey: (value) => findPrivateKeyInJson(value, fixtureProfile),
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: [],
    ...server,
  });
  const sent: string[] = [];
  const chainContext: ChainContext = {
    readChain: readFixture(chain),
    nameSnapshot: createSnapshotNamer('test'),
    profile: fixtureProfile,
    version: '0.0.0-test',
    getNodeState: () => polled(fixtureFacts),
    findIndexerReport: () => undefined,
    findSyncProgress: () => undefined,
    isIndexDamaged: () => false,
    listRefusedMethods: () => [],
    waitUntilShown: async () => 'visible',
    getFeeState: () =>
      polled<NodeFees>({ estimates: new Map([[6, '0.00002500']]), minimumRate: '0.00001000' }),
    broadcast: async (rawTxHex, txid): Promise<BroadcastResult> => {
      sent.push(rawTxHex);
      return { ok: true, txid, alreadyKnown: false };
    },
    readReleases: async () => ({ configured: false, changedAtMs: undefined, items: [] }),
    rateLimitPerMinute: undefined,
    paymentWaitSeconds: 86_400,
    readMempoolHistory: async () => mempoolHistoryExample,
    readRichList: async () => fixtureRichList,
    searches: [],
    suggestions: [],
    ...context,
  };
  requireStrictResponses(http.app);
  createChainPart(chainContext, http.routes).register(http.app);
  createEsploraPart(
    {
      readChain: chainContext.readChain,
      nameSnapshot: chainContext.nameSnapshot,
      profile: fixtureProfile,
      bodies: http.bodies,
      broadcast: (rawTxHex) => broadcastTransaction(chainContext, rawTxHex),
      async sendPackage(rawTxHexes, limits) {
        sent.push(...rawTxHexes);
        return { answer: { package_msg: 'success', 'tx-results': {}, limits }, visibility: 'visible' };
      },
      estimateFees: (targets, histogram) => estimateFeesFor(chainContext, targets, histogram),
      findMinimumRate: () => findMinimumRate(chainContext),
    },
    http.routes,
  ).register(http.app);
  if (precious !== undefined) {
    createPaymentPart({
      precious,
      profile: fixtureProfile,
      publicUrl: 'https://coin.example',
      // The fixture's index is in step with its node at this time.
      now: () => fixtureSeenMs,
      onEvent: () => {},
      onDue: () => {},
      readChain: chainContext.readChain,
      checkWebhookUrl: (url) => checkOutboundUrl(url, createAllowList([])),
      isOpenedHost: () => false,
      hasExplorer: false,
      estimateFeeRate: (view) => estimateFeeRate(chainContext, view),
      getRelayRate: () => findRelayRate(chainContext),
      bodies: http.bodies,
      waitMs: 86_400_000,
      ...payments,
    }).register(http.app);
  }
  return { ...http, chain, log, sent, context: chainContext };
}

/** A signed-looking transaction in hex that the fixture does not know. */
export function makeUnknownTx(): { hex: string; txid: string } {
  const tx = makeTx([{ txid: randomBytes(32), vout: 0 }], [{ value: 1n, script: scriptOf(payee) }]);
  return {
    hex: Buffer.from(serializeTransaction(tx, { witness: true })).toString('hex'),
    txid: toDisplayHash(txidOf(tx)),
  };
}
