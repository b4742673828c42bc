import { scanLimits } from '@coinfront/api/chain-addresses.ts';
import {
  ChainStats,
  ChainStatus,
  NetworkConfig,
  type NetworkConfigJson,
} from '@coinfront/api/chain-state.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { paymentLimits } from '@coinfront/api/payments.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { maxSupply } from '@coinfront/protocol/subsidy.ts';
import { type WalletStandard, walletStandard } from '@coinfront/protocol/wallet-standard.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { difficultyOf } from '../../chain/chain-reads.ts';
import type { PresentSnapshot } from '../../chain/chain-view.ts';
import { measureHashrate, serialiseWindow } from '../../chain/network-hashrate.ts';
import { registerCall } from '../../http/call-route.ts';
import { registerRead } from '../../http/read-route.ts';
import { buriedConfirmations } from '../../http/snapshot.ts';
import { maxBroadcastBytes } from './broadcast.ts';
import type { ChainContext } from './chain-context.ts';
import { stateExamples } from './examples-state.ts';
import { findLag, judgeNode } from './health-rules.ts';
import { formatTime, formatWork } from './serialise-block.ts';
import { readSupply } from './supply-routes.ts';

/** `/config`, `/wallet-standard`, `/status` and `/stats`. */
export function registerStateRoutes(app: FastifyInstance, context: ChainContext): void {
  const config = buildConfig(context);
  // Its vectors take 60 ms of a start, and few ask for them.
  let standard: WalletStandard | undefined;

  registerCall(app, {
    method: 'GET',
    path: '/config',
    response: NetworkConfig,
    cache: 'buried',
    operation: {
      document: 'chain',
      id: 'getConfig',
      tag: 'Network',
      summary: 'Parameters of the network',
      description: 'What a wallet needs to know of the coin, and the limits of this service.',
      errors: [],
      example: stateExamples.config,
    },
    call: () => ({
      ...config,
      payments: { ...config.payments, currencies: [...(context.listCurrencies?.() ?? [])] },
    }),
  });

  registerCall(app, {
    method: 'GET',
    path: '/wallet-standard',
    response: Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: 'COIN-HD-1.' }),
    cache: 'buried',
    operation: {
      document: 'chain',
      id: 'getWalletStandard',
      tag: 'Network',
      summary: 'The wallet standard COIN-HD-1',
      description:
        'How a mnemonic becomes addresses, with vectors to test a wallet against. Keys stay in the wallet.',
      errors: [],
      example: { standard: 'COIN-HD-1', version: 1 },
    },
    call: () => {
      standard ??= walletStandard(context.profile);
      return standard;
    },
  });

  registerRead(app, context, {
    path: '/status',
    response: ChainStatus,
    dependsOn: 'volatile',
    operation: {
      document: 'chain',
      id: 'getStatus',
      tag: 'Network',
      summary: 'Node and chain status',
      description:
        'The indexed tip and mempool, and what the node last said of itself; it is asked in the background.',
      errors: [],
      example: stateExamples.status,
    },
    tell: (present) => describeStatus(context, present),
  });

  registerRead(app, context, {
    path: '/stats',
    response: ChainStats,
    dependsOn: context.poolShare?.isVolatile ? 'volatile' : 'mempool',
    cache: 'volatile',
    operation: {
      document: 'chain',
      id: 'getStats',
      tag: 'Network',
      summary: 'Network and pool statistics',
      description:
        'Exact totals of the whole chain, the hashrate from the work gained over windows of blocks, and the share of the ' +
        'public pool: by blocks of the chain, and by the hashrate that it claims.',
      errors: [],
      example: stateExamples.stats,
    },
    async read({ view, tip }) {
      const { decimals, coinbaseMaturity } = context.profile;
      const supply = await readSupply(view, tip, coinbaseMaturity);
      const windows = await measureHashrate(view, tip);
      return {
        height: tip.height,
        difficulty: difficultyOf(tip),
        chainwork: formatWork(tip.chainwork),
        hashrate: windows.map(serialiseWindow),
        transactions: tip.totals.txs,
        inputs: tip.totals.inputs,
        outputs: tip.totals.outputs,
        utxos: tip.totals.utxos,
        fees: formatAmount(tip.totals.fees, decimals),
        supply: {
          issued: formatAmount(supply.issued, decimals),
          circulating: formatAmount(supply.circulating, decimals),
        },
        mempool: {
          tx_count: view.mempool.txs,
          vsize: view.mempool.vsize,
          fees: formatAmount(view.mempool.fees, decimals),
        },
        pool: (await context.poolShare?.read(view, tip, windows)) ?? null,
      };
    },
  });
}

function describeStatus(context: ChainContext, { tip, mempool }: PresentSnapshot) {
  const node = context.getNodeState();
  const indexer = context.findIndexerReport();
  const nodeNow = judgeNode(node, indexer);
  const facts = node.value;
  const iso = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString();
  return {
    index: {
      height: tip.height,
      tip: toDisplayHash(tip.hash),
      tip_time: formatTime(tip.time),
      median_time: formatTime(tip.medianTimePast),
      chainwork: formatWork(tip.chainwork),
      difficulty: difficultyOf(tip),
      lag_blocks: findLag(node, indexer, tip.height) ?? null,
    },
    mempool: {
      tx_count: mempool.txs,
      vsize: mempool.vsize,
      fees: formatAmount(mempool.fees, context.profile.decimals),
      version: mempool.version,
    },
    node: {
      available: nodeNow.available,
      error: nodeNow.error ?? null,
      since: iso(nodeNow.sinceMs),
      as_of: iso(node.valueAtMs),
      chain: facts?.chain ?? null,
      blocks: facts?.blocks ?? null,
      headers: facts?.headers ?? null,
      initial_block_download: facts?.initialBlockDownload ?? null,
      pruned: facts?.pruned ?? null,
      version: facts?.version ?? null,
      subversion: facts?.subversion ?? null,
      connections: facts?.connections ?? null,
      warnings: facts?.warnings ?? null,
    },
  };
}

function buildConfig({ profile, rateLimitPerMinute, paymentWaitSeconds }: ChainContext): NetworkConfigJson {
  const most = maxSupply(profile);
  const { confirmations, expiresIn } = paymentLimits;
  return {
    id: profile.id,
    name: profile.name,
    ticker: profile.ticker,
    decimals: profile.decimals,
    chain: profile.chain,
    genesis_hash: profile.genesisHash,
    uri_scheme: profile.uriScheme,
    address: {
      p2pkh_versions: profile.address.p2pkhVersions,
      p2sh_versions: profile.address.p2shVersions,
      bech32_hrp: profile.address.bech32Hrp ?? null,
    },
    wif_version: profile.wifVersion,
    extended_public_version: profile.extendedPublicVersion,
    extended_private_version: profile.extendedPrivateVersion,
    bip44_coin_type: profile.bip44CoinType,
    message_magic: profile.messageMagic,
    p2p_magic: profile.p2pMagic,
    p2p_port: profile.p2pPort,
    block_interval_seconds: profile.blockIntervalSeconds,
    coinbase_maturity: profile.coinbaseMaturity,
    dust_limit: formatAmount(profile.dustLimit, profile.decimals),
    max_supply: most === undefined ? null : formatAmount(most, profile.decimals),
    auxpow: profile.auxpow,
    confirmations: { buried: buriedConfirmations, proof_final: profile.proofs.finalConfirmations },
    payments: {
      zero_conf_max:
        profile.payments === undefined ? null : formatAmount(profile.payments.zeroConfMax, profile.decimals),
      confirmations_default: confirmations.default,
      confirmations_max: confirmations.max,
      expires_in_default: expiresIn.default,
      expires_in_min: expiresIn.min,
      expires_in_max: expiresIn.max,
      wait_after_expiry: paymentWaitSeconds,
      // The operator's sources can change: each answer has them anew.
      currencies: [],
    },
    limits: {
      page_default: pageLimits.default,
      page_max: pageLimits.max,
      scan_default: scanLimits.default,
      scan_max: scanLimits.max,
      broadcast_bytes: maxBroadcastBytes,
      requests_per_minute: rateLimitPerMinute ?? null,
    },
  };
}
