/** Every reason why the wallet refuses, as a code to branch on. Messages are for people and may change. */
export type WalletErrorCode =
  | 'mnemonic_invalid'
  | 'network_invalid'
  | 'network_mismatch'
  | 'network_changed'
  | 'watch_only_invalid'
  | 'address_invalid'
  | 'amount_invalid'
  | 'answer_invalid'
  | 'scan_limit'
  | 'scan_unsettled'
  | 'insufficient_funds'
  | 'too_many_inputs'
  | 'output_dust'
  | 'sender_without_coins'
  | 'previous_transaction_invalid'
  | 'coin_mismatch'
  | 'fee_rate_absurd'
  | 'fee_absurd'
  | 'fee_unavailable'
  | 'psbt_invalid'
  | 'input_foreign'
  | 'input_unproven'
  | 'sighash_unsafe'
  | 'approval_mismatch'
  | 'keys_mismatch'
  | 'not_signed'
  | 'not_replaceable'
  | 'name_invalid'
  | 'name_unavailable'
  | 'token_invalid'
  | 'swap_mismatch'
  | 'preflight_failed'
  | 'payment_request_invalid'
  | 'payment_closed'
  | 'digest_invalid'
  | 'claim_mismatch'
  | 'message_invalid'
  | 'broadcast_mismatch'
  | 'send_unknown'
  | 'network_lacks';

/**
 * The wallet did not do what it was asked: nothing was sent, but for `send_unknown` and `broadcast_mismatch`, after which a
 * signed transaction may be under way.
 */
export class WalletError extends Error {
  readonly code: WalletErrorCode;

  constructor(code: WalletErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WalletError';
    this.code = code;
  }
}
