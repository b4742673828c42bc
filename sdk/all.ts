/**
 * What `@coinfront/sdk` itself exports: everything that its modules offer, under one name, for a first try and for whoever likes one
 * import. Bundlers take of it what is used; Node loads all of it, so a program that starts often imports the modules.
 *
 * Nothing in this repository imports it.
 */

export { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
export type { Result } from '@coinfront/protocol/result.ts';
export * from './chain/broadcast.ts';
export * from './chain/export-address-transactions.ts';
export * from './chain/get-address.ts';
export * from './chain/get-balance-distribution.ts';
export * from './chain/get-block.ts';
export * from './chain/get-block-fees.ts';
export * from './chain/get-block-summary.ts';
export * from './chain/get-chain-open-api.ts';
export * from './chain/get-circulating-supply.ts';
export * from './chain/get-config.ts';
export * from './chain/get-fees.ts';
export * from './chain/get-health.ts';
export * from './chain/get-mempool-history.ts';
export * from './chain/get-projected-block.ts';
export * from './chain/get-raw-transaction.ts';
export * from './chain/get-rich-list.ts';
export * from './chain/get-series.ts';
export * from './chain/get-stats.ts';
export * from './chain/get-status.ts';
export * from './chain/get-supply.ts';
export * from './chain/get-total-supply.ts';
export * from './chain/get-transaction.ts';
export * from './chain/get-transaction-in-mempool.ts';
export * from './chain/get-transaction-proof.ts';
export * from './chain/get-wallet-standard.ts';
export * from './chain/get-wallet-summary.ts';
export * from './chain/list-address-balances.ts';
export * from './chain/list-address-transactions.ts';
export * from './chain/list-block-transactions.ts';
export * from './chain/list-blocks.ts';
export * from './chain/list-releases.ts';
export * from './chain/list-stale-blocks.ts';
export * from './chain/list-utxos.ts';
export * from './chain/list-wallet-transactions.ts';
export * from './chain/read-batch.ts';
export * from './chain/read-wallet.ts';
export * from './chain/read-wallet-transactions.ts';
export * from './chain/search.ts';
export * from './chain/suggest.ts';
export type {
  AnswerFacts,
  Call,
  CallOptions,
  Client,
  OpenApiDocument,
  Snapshot,
} from './client/client.ts';
export { type ClientOptions, createClient } from './client/create-client.ts';
export { CoinfrontError, type ErrorFacts, isCoinfrontError } from './client/error.ts';
export type {
  CallErrorCode,
  ClientErrorCode,
  IndexReadErrorCode,
  MerchantErrorCode,
  ReadErrorCode,
} from './client/error-codes.ts';
export * from './client/iterate-pages.ts';
export * from './esplora/broadcast-esplora-package.ts';
export * from './esplora/broadcast-esplora-tx.ts';
export * from './esplora/get-esplora-address.ts';
export * from './esplora/get-esplora-address-chain-txs.ts';
export * from './esplora/get-esplora-address-chain-txs-after.ts';
export * from './esplora/get-esplora-address-mempool-txs.ts';
export * from './esplora/get-esplora-address-prefix.ts';
export * from './esplora/get-esplora-address-txs.ts';
export * from './esplora/get-esplora-address-txs-summary.ts';
export * from './esplora/get-esplora-address-utxos.ts';
export * from './esplora/get-esplora-block.ts';
export * from './esplora/get-esplora-block-hash.ts';
export * from './esplora/get-esplora-block-header.ts';
export * from './esplora/get-esplora-block-raw.ts';
export * from './esplora/get-esplora-block-status.ts';
export * from './esplora/get-esplora-block-txid.ts';
export * from './esplora/get-esplora-block-txids.ts';
export * from './esplora/get-esplora-block-txs.ts';
export * from './esplora/get-esplora-block-txs-from.ts';
export * from './esplora/get-esplora-blocks.ts';
export * from './esplora/get-esplora-blocks-from.ts';
export * from './esplora/get-esplora-cpfp.ts';
export * from './esplora/get-esplora-difficulty-adjustment.ts';
export * from './esplora/get-esplora-extended-block.ts';
export * from './esplora/get-esplora-extended-blocks.ts';
export * from './esplora/get-esplora-extended-blocks-from.ts';
export * from './esplora/get-esplora-fee-estimates.ts';
export * from './esplora/get-esplora-mempool.ts';
export * from './esplora/get-esplora-mempool-blocks.ts';
export * from './esplora/get-esplora-mempool-recent.ts';
export * from './esplora/get-esplora-mempool-txids.ts';
export * from './esplora/get-esplora-open-api.ts';
export * from './esplora/get-esplora-recommended-fees.ts';
export * from './esplora/get-esplora-scripthash.ts';
export * from './esplora/get-esplora-scripthash-chain-txs.ts';
export * from './esplora/get-esplora-scripthash-chain-txs-after.ts';
export * from './esplora/get-esplora-scripthash-mempool-txs.ts';
export * from './esplora/get-esplora-scripthash-txs.ts';
export * from './esplora/get-esplora-scripthash-txs-summary.ts';
export * from './esplora/get-esplora-scripthash-utxos.ts';
export * from './esplora/get-esplora-tip-hash.ts';
export * from './esplora/get-esplora-tip-height.ts';
export * from './esplora/get-esplora-transaction-times.ts';
export * from './esplora/get-esplora-tx.ts';
export * from './esplora/get-esplora-tx-hex.ts';
export * from './esplora/get-esplora-tx-merkle-block-proof.ts';
export * from './esplora/get-esplora-tx-merkle-proof.ts';
export * from './esplora/get-esplora-tx-outspend.ts';
export * from './esplora/get-esplora-tx-outspends.ts';
export * from './esplora/get-esplora-tx-raw.ts';
export * from './esplora/get-esplora-tx-status.ts';
export * from './esplora/get-esplora-txs-outspends.ts';
export * from './esplora/validate-esplora-address.ts';
export * from './merchants/create-key.ts';
export * from './merchants/get-checkout-settings.ts';
export * from './merchants/get-merchant.ts';
export * from './merchants/import-pool-addresses.ts';
export * from './merchants/list-keys.ts';
export * from './merchants/list-pool-addresses.ts';
export * from './merchants/put-checkout-settings.ts';
export * from './merchants/remove-pool-addresses.ts';
export * from './merchants/revoke-key.ts';
export * from './merchants/update-merchant.ts';
export * from './mining/get-pool.ts';
export * from './mining/get-pool-luck.ts';
export * from './mining/get-pool-miner.ts';
export * from './mining/get-pool-miner-series.ts';
export * from './mining/get-pool-report.ts';
export * from './mining/get-pool-series.ts';
export * from './mining/list-block-finders.ts';
export * from './mining/list-coinbase-payouts.ts';
export * from './mining/list-pool-blocks.ts';
export * from './mining/list-pool-miners.ts';
export * from './names/encode-name-commit.ts';
export * from './names/encode-name-records.ts';
export * from './names/encode-name-register.ts';
export * from './names/encode-name-renew.ts';
export * from './names/encode-name-reverse.ts';
export * from './names/encode-name-transfer.ts';
export * from './names/get-name.ts';
export * from './names/get-name-availability.ts';
export * from './names/get-name-hashes.ts';
export * from './names/get-name-open-api.ts';
export * from './names/get-name-records.ts';
export * from './names/get-name-reverse.ts';
export * from './names/get-name-series.ts';
export * from './names/get-name-status.ts';
export * from './names/get-name-timeline.ts';
export * from './names/list-address-names.ts';
export * from './names/list-expiring-names.ts';
export * from './names/list-name-operations.ts';
export * from './names/list-name-reverses.ts';
export * from './names/list-name-state.ts';
export * from './names/list-names.ts';
export * from './names/put-name-records.ts';
export * from './names/resolve-name.ts';
export * from './nodes/get-claim.ts';
export * from './nodes/get-log-checkpoint.ts';
export * from './nodes/get-looks.ts';
export * from './nodes/get-node.ts';
export * from './nodes/get-node-open-api.ts';
export * from './nodes/get-node-uptime.ts';
export * from './nodes/get-receipt.ts';
export * from './nodes/get-registry-status.ts';
export * from './nodes/list-epochs.ts';
export * from './nodes/list-looks.ts';
export * from './nodes/list-nodes.ts';
export * from './nodes/list-receipts.ts';
export * from './nodes/list-refused-heads.ts';
export * from './nodes/preview-rewards.ts';
export * from './nodes/prove-epoch.ts';
export * from './nodes/prove-log-growth.ts';
export * from './nodes/prove-receipt.ts';
export * from './nodes/register-node.ts';
export * from './nodes/set-node-alerts.ts';
export * from './nodes/verify-claim.ts';
export * from './payments/accept-payment.ts';
export * from './payments/cancel-payment.ts';
export * from './payments/create-payment.ts';
export * from './payments/export-payments.ts';
export * from './payments/get-merchant-payment.ts';
export * from './payments/get-payment.ts';
export * from './payments/get-rates.ts';
export * from './payments/list-payments.ts';
export * from './proofs/anchor-digest.ts';
export * from './proofs/anchor-digests.ts';
export * from './proofs/get-calendar-leaf.ts';
export * from './proofs/get-ots-file.ts';
export * from './proofs/get-proof-hashes.ts';
export * from './proofs/get-proof-open-api.ts';
export * from './proofs/get-proof-status.ts';
export * from './proofs/list-proof-state.ts';
export * from './proofs/list-recent-anchors.ts';
export * from './proofs/look-up-proof.ts';
export * from './refunds/build-refund-transaction.ts';
export * from './refunds/cancel-refund.ts';
export * from './refunds/create-refund.ts';
export * from './refunds/get-leftover.ts';
export * from './refunds/list-unsettled.ts';
export * from './refunds/remove-refund-address.ts';
export * from './refunds/resolve-payment.ts';
export * from './refunds/send-refund.ts';
export * from './tokens/challenge-issuer.ts';
export * from './tokens/encode-token-burn.ts';
export * from './tokens/encode-token-create.ts';
export * from './tokens/encode-token-mint.ts';
export * from './tokens/encode-token-sweep.ts';
export * from './tokens/encode-token-transfer.ts';
export * from './tokens/get-metadata-submission.ts';
export * from './tokens/get-token.ts';
export * from './tokens/get-token-distribution.ts';
export * from './tokens/get-token-hashes.ts';
export * from './tokens/get-token-logo.ts';
export * from './tokens/get-token-open-api.ts';
export * from './tokens/get-token-series.ts';
export * from './tokens/get-token-stats.ts';
export * from './tokens/get-token-status.ts';
export * from './tokens/get-token-supply-series.ts';
export * from './tokens/list-address-token-events.ts';
export * from './tokens/list-address-tokens.ts';
export * from './tokens/list-token-events.ts';
export * from './tokens/list-token-feed.ts';
export * from './tokens/list-token-holders.ts';
export * from './tokens/list-token-state.ts';
export * from './tokens/list-tokens.ts';
export * from './tokens/preflight-token.ts';
export * from './tokens/submit-metadata.ts';
export * from './treasury/claim-gift.ts';
export * from './treasury/create-intent.ts';
export * from './treasury/get-contribution-receipt.ts';
export * from './treasury/get-ledger-checkpoint.ts';
export * from './treasury/get-treasury-health.ts';
export * from './treasury/get-treasury-open-api.ts';
export * from './treasury/get-treasury-series.ts';
export * from './treasury/get-treasury-status.ts';
export * from './treasury/list-contributors.ts';
export * from './treasury/list-ledger.ts';
export * from './treasury/prove-ledger-growth.ts';
export * from './treasury/read-contributor.ts';
export * from './treasury/register-contributor.ts';
export * from './treasury/update-contributor.ts';
export * from './treasury/verify-contribution.ts';
export * from './verify/audit-epoch-receipts.ts';
export * from './verify/audit-ledger.ts';
export * from './verify/audit-log.ts';
export * from './verify/chain-source.ts';
export * from './verify/check-headers.ts';
export * from './verify/check-ledger-entry.ts';
export * from './verify/epoch-stand.ts';
export * from './verify/fetch-headers.ts';
export * from './verify/find-cosigners.ts';
export * from './verify/follow-ledger.ts';
export * from './verify/follow-log.ts';
export * from './verify/log-error.ts';
export * from './verify/log-source.ts';
export * from './verify/logged-heads.ts';
export * from './verify/name-evidence.ts';
export * from './verify/proof-of-work.ts';
export * from './verify/read-log.ts';
export * from './verify/verify-contribution-receipt.ts';
export * from './verify/verify-epoch.ts';
export * from './verify/verify-ledger.ts';
export * from './verify/verify-message.ts';
export * from './verify/verify-name-records.ts';
export * from './verify/verify-ots.ts';
export * from './verify/verify-proof.ts';
export * from './verify/verify-receipt.ts';
export * from './verify/verify-state.ts';
export * from './verify/verify-transaction-proof.ts';
export * from './verify/verify-votes.ts';
export * from './wallet/anchor-file.ts';
export { type BuildParameters, type BuiltTransaction, buildTransaction } from './wallet/build-transaction.ts';
export * from './wallet/bump-fee.ts';
export * from './wallet/client-reads.ts';
export type { PayloadDescription } from './wallet/describe-payload.ts';
export { chooseFeeRate, defaultFeePolicy, type FeePolicy, type FeeWish } from './wallet/fee-policy.ts';
export * from './wallet/hash-file.ts';
export {
  listHolders,
  listWalletNames,
  listWalletTokens,
  type WalletName,
  type WalletToken,
} from './wallet/list-holdings.ts';
export * from './wallet/mnemonic.ts';
export * from './wallet/name-quote.ts';
export * from './wallet/network.ts';
export * from './wallet/node-identity.ts';
export * from './wallet/plan-anchor.ts';
export * from './wallet/plan-contribution.ts';
export * from './wallet/plan-names.ts';
export * from './wallet/plan-tokens.ts';
export * from './wallet/preflight-transaction.ts';
export * from './wallet/prepare-transaction.ts';
export * from './wallet/prove-token.ts';
export * from './wallet/psbt-text.ts';
export type { OneRead } from './wallet/read-in-batch.ts';
export * from './wallet/read-payment-request.ts';
export { readTogether } from './wallet/read-together.ts';
export {
  type ReviewedInput,
  type ReviewedOutput,
  reviewTransaction,
  type TransactionReview,
} from './wallet/review-transaction.ts';
export * from './wallet/scan-accounts.ts';
export { type ChainMemory, type ChainPosition, GAP_LIMIT, type ScanMemory } from './wallet/scan-memory.ts';
export { type SendOptions, sendTransaction } from './wallet/send-transaction.ts';
export { signMessage } from './wallet/sign-message.ts';
export * from './wallet/sign-node-alerts.ts';
export * from './wallet/sign-node-claim.ts';
export * from './wallet/sign-token-metadata.ts';
export {
  finaliseTransaction,
  type SignedTransaction,
  type SignOptions,
  signTransaction,
} from './wallet/sign-transaction.ts';
export { buildSwap, buildSwapRefund } from './wallet/swap/build-swap.ts';
export { completeSwapRefund } from './wallet/swap/complete-refund.ts';
export * from './wallet/swap/sign-swap.ts';
export * from './wallet/swap/swap-funding.ts';
export {
  proposeEscrow,
  type SwapEscrow,
  type SwapParty,
  type SwapTerms,
  swapEscrow,
} from './wallet/swap/swap-terms.ts';
export {
  type PlannedOutput,
  planPayment,
  readAddress,
  type TransactionPlan,
} from './wallet/transaction-plan.ts';
export type { AddressKind, AddressPath, Chain, WalletAddress } from './wallet/wallet-address.ts';
export * from './wallet/wallet-balance.ts';
export { outpointOf, type WalletCoin } from './wallet/wallet-coin.ts';
export * from './wallet/wallet-error.ts';
export * from './wallet/wallet-keys.ts';
export * from './wallet/wallet-reads.ts';
export {
  deriveAddress,
  exportWatchOnly,
  importWatchOnly,
  type WatchAccount,
  type WatchWallet,
  type WatchWalletJson,
} from './wallet/watch-wallet.ts';
export * from './webhooks/create-webhook.ts';
export * from './webhooks/delete-webhook.ts';
export * from './webhooks/get-delivery.ts';
export * from './webhooks/get-webhook.ts';
export * from './webhooks/list-deliveries.ts';
export * from './webhooks/list-events.ts';
export * from './webhooks/list-webhooks.ts';
export * from './webhooks/redeliver.ts';
export * from './webhooks/rotate-webhook-secret.ts';
export * from './webhooks/test-webhook.ts';
export * from './webhooks/update-webhook.ts';
export * from './webhooks/verify-return.ts';
export * from './webhooks/verify-webhook.ts';
