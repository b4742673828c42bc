import { RPC_CODE } from './node-error.ts';

/**
 * Why the node refused a transaction.
 *
 * - `decode_failed`: the bytes are no transaction
 * - `missing_inputs`: an input does not exist or is spent in the chain
 * - `mempool_conflict`: an input is spent by another unconfirmed transaction that cannot be replaced
 * - `replacement_fee_too_low`: it may replace that transaction, but pays too little for it
 * - `fee_too_low`: below the node's minimum, or below the present minimum of its mempool
 * - `fee_too_high`: above the node's guard against mistakes
 * - `burn_too_large`: an unspendable output carries more than the node's guard allows
 * - `mempool_full`: evicted at once, others pay more
 * - `too_long_chain`: too many unconfirmed transactions depend on each other
 * - `dust`: an output is too small to be worth spending
 * - `too_large`: its size, weight or number of signature operations is over the limit
 * - `non_standard`: valid in a block, but not relayed
 * - `non_final`: its locktime or a relative locktime has not been reached
 * - `premature_coinbase_spend`: it spends a coinbase, or another output that matures, too early
 * - `script_failed`: a signature or script does not verify
 * - `invalid`: it breaks another rule of consensus
 * - `other`: a reason unknown to this table; the node's text says it
 */
export type RefusalCode =
  | 'decode_failed'
  | 'missing_inputs'
  | 'mempool_conflict'
  | 'replacement_fee_too_low'
  | 'fee_too_low'
  | 'fee_too_high'
  | 'burn_too_large'
  | 'mempool_full'
  | 'too_long_chain'
  | 'dust'
  | 'too_large'
  | 'non_standard'
  | 'non_final'
  | 'premature_coinbase_spend'
  | 'script_failed'
  | 'invalid'
  | 'other';

/**
 * How reasons begin, in Core 0.14 to 31 and the nodes forked from it. The first match counts, so a longer
 * beginning stands above a shorter one.
 */
const REASONS: ReadonlyArray<readonly [beginning: string, code: RefusalCode | 'already_known']> = [
  ['txn-already-in-mempool', 'already_known'],
  ['txn-same-nonwitness-data-in-mempool', 'already_known'],
  ['txn-already-known', 'already_known'],
  ['transaction already in block chain', 'already_known'],
  ['transaction already in mempool', 'already_known'],
  ['transaction outputs already in utxo set', 'already_known'],

  ['tx decode failed', 'decode_failed'],

  ['bad-txns-inputs-missingorspent', 'missing_inputs'],
  ['bad-txns-inputs-spent', 'missing_inputs'],
  ['missing-inputs', 'missing_inputs'],
  ['missing inputs', 'missing_inputs'],
  ['inputs missing or spent', 'missing_inputs'],

  ['txn-mempool-conflict', 'mempool_conflict'],
  ['bad-txns-spends-conflicting-tx', 'mempool_conflict'],
  ['replacement-adds-unconfirmed', 'mempool_conflict'],
  ['bip125-replacement-disallowed', 'mempool_conflict'],
  // Namecoin: an unconfirmed transaction is about the same name.
  ['txn-mempool-name-error', 'mempool_conflict'],
  ['too many potential replacements', 'mempool_conflict'],
  // Knots with -spkreuse=conflict: within the transaction itself, or with what is unconfirmed.
  ['txn-spk-reused-change', 'non_standard'],
  ['txn-spk-reused-twinoutputs', 'non_standard'],
  ['txn-spk-reused', 'mempool_conflict'],
  ['insufficient fee', 'replacement_fee_too_low'],
  ['replacement-failed', 'replacement_fee_too_low'],

  ['min relay fee not met', 'fee_too_low'],
  ['mempool min fee not met', 'fee_too_low'],
  ['package-fee-too-low', 'fee_too_low'],
  ['rate limited free transaction', 'fee_too_low'],
  ['insufficient priority', 'fee_too_low'],
  ['max-fee-exceeded', 'fee_too_high'],
  ['max feerate exceeded', 'fee_too_high'],
  ['absurdly-high-fee', 'fee_too_high'],
  ['fee exceeds maximum', 'fee_too_high'],
  ['max-burn-exceeded', 'burn_too_large'],
  ['unspendable output exceeds maximum', 'burn_too_large'],

  ['mempool full', 'mempool_full'],
  ['too-long-mempool-chain', 'too_long_chain'],
  ['too-large-cluster', 'too_long_chain'],
  ['package-mempool-limits', 'too_long_chain'],
  ['truc-ancestors-toomany', 'too_long_chain'],
  ['truc-descendant', 'too_long_chain'],
  ['truc-sibling-known', 'too_long_chain'],
  ['truc-parent-and-child-both', 'too_long_chain'],

  ['dust', 'dust'],
  ['missing-ephemeral-spends', 'dust'],
  ['unspent-dust', 'dust'],

  ['tx-size-small', 'non_standard'],
  ['tx-size', 'too_large'],
  ['bad-txns-oversize', 'too_large'],
  ['bad-txns-too-many-sigops', 'too_large'],
  ['truc-vsize-toobig', 'too_large'],
  ['truc-child-toobig', 'too_large'],

  ['version', 'non_standard'],
  ['scriptsig-', 'non_standard'],
  ['scriptpubkey', 'non_standard'],
  ['bare-', 'non_standard'],
  ['multi-op-return', 'non_standard'],
  ['datacarrier', 'non_standard'],
  ['bad-txns-nonstandard-inputs', 'non_standard'],
  // Knots says what is wrong with an input or its witness; of these some can be in no block either.
  ['bad-txns-input-scriptsig-failure', 'script_failed'],
  ['bad-txns-input-scriptcheck-missing', 'script_failed'],
  ['bad-txns-input-immature-', 'premature_coinbase_spend'],
  ['bad-txns-input-mismatch', 'invalid'],
  ['bad-txns-input-', 'non_standard'],
  ['bad-witness-scriptsig-failure', 'script_failed'],
  ['bad-witness-scriptcheck-missing', 'script_failed'],
  ['bad-witness-taproot-control-missing', 'script_failed'],
  ['bad-witness-taproot-witness-missing', 'script_failed'],
  ['bad-witness-', 'non_standard'],
  ['txn-datacarrier-', 'non_standard'],
  ['parasite', 'non_standard'],
  ['tokens-', 'non_standard'],
  ['no-witness-yet', 'non_standard'],
  ['truc-', 'non_standard'],
  ['v3-rule-violation', 'non_standard'],

  ['non-final', 'non_final'],
  ['non-bip68-final', 'non_final'],
  ['bad-txns-nonfinal', 'non_final'],

  // Of a coinbase, or of what came out of Litecoin's extension block.
  ['bad-txns-premature-spend-of-', 'premature_coinbase_spend'],

  ['mandatory-script-verify-flag', 'script_failed'],
  ['non-mandatory-script-verify-flag', 'script_failed'],
  ['mempool-script-verify-flag', 'script_failed'],
  ['block-script-verify-flag', 'script_failed'],

  // Namecoin's rules of names.
  ['tx-name', 'invalid'],
  ['tx-nonname', 'invalid'],
  ['tx-firstupdate', 'invalid'],
  ['tx-multiple-name', 'invalid'],
  ['tx-invalid-nameop', 'invalid'],
  ['tx-value-invalid', 'invalid'],

  ['bad-txns-', 'invalid'],
  ['bad-cb-', 'invalid'],
  // Litecoin's rules of its extension block.
  ['bad-mweb-', 'invalid'],
  ['bad-tx-unexpected-pegin', 'invalid'],
  ['unexpected-mweb-data', 'invalid'],
  ['mweb-before-activation', 'invalid'],
  ['pegin', 'invalid'],
  ['duplicate-tx-pegins', 'invalid'],
  ['frozen-mweb-output', 'invalid'],
  ['hogex', 'invalid'],
  ['coinbase', 'invalid'],
];

/** Core up to 0.18 put a number before the reason: `66: min relay fee not met`. */
const NUMBER_BEFORE = /^\d{1,3}:\s*/;

/**
 * Finds the closed code for the node's answer about a transaction; `already_known` is no refusal.
 *
 * @param rpcCode - the JSON-RPC error code
 * @param reason - the node's text: a reject reason, perhaps followed by `, details` or ` (details)`
 */
export function mapRefusal(rpcCode: number, reason: string): RefusalCode | 'already_known' {
  if (rpcCode === RPC_CODE.verifyAlreadyInChain) return 'already_known';
  if (rpcCode === RPC_CODE.deserialization) return 'decode_failed';
  const text = reason.trim().toLowerCase().replace(NUMBER_BEFORE, '');
  for (const [beginning, code] of REASONS) {
    if (text.startsWith(beginning)) return code;
  }
  return 'other';
}
