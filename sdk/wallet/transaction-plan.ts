import { decodeAddress } from '@coinfront/protocol/address.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import type { Network } from './network.ts';
import type { WalletAddress } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';

/** An output that a transaction shall have. */
export type PlannedOutput = { readonly script: Uint8Array; readonly value: bigint };

/** What a transaction shall do, before coins are chosen for it. */
export type TransactionPlan = {
  /** In exactly this order, before the change: payloads name outputs by index. */
  readonly outputs: readonly PlannedOutput[];
  /** Names and tokens: input 0 spends a coin of this address, and the change goes back to it, so that it can act again. */
  readonly sender?: WalletAddress;
  /** Where the change goes, in place of a new change address; there is change wherever coins allow it. */
  readonly changeTo?: WalletAddress;
  /** Coin control: only coins of these addresses are spent. */
  readonly onlyFrom?: readonly WalletAddress[];
  /** All chosen coins go to the last output, less the fee; there is no change. Its `value` is ignored. */
  readonly sendsAll?: boolean;
  /** Also coins that others paid and no block has yet: they can be taken back. False unless given. */
  readonly spendsUnconfirmed?: boolean;
};

/**
 * The script of an address of this coin.
 *
 * @throws WalletError `address_invalid`
 */
export function readAddress(address: string, network: Network): Uint8Array {
  const decoded = decodeAddress(address, network);
  if (decoded.ok) return decoded.value.script;
  throw new WalletError(
    'address_invalid',
    `Not an address of ${network.name} (${network.chain}): ${decoded.reason}.`,
  );
}

/**
 * Plans payments to addresses; amounts in base units, or `all` for one recipient.
 *
 * @throws WalletError `address_invalid`, `amount_invalid`
 * @example
 * const plan = planPayment([{ address, amount: 150_000n }], watch.network);
 */
export function planPayment(
  payments: readonly { address: string; amount: bigint | 'all' }[],
  network: Network,
): TransactionPlan {
  if (payments.length === 0) throw new WalletError('amount_invalid', 'Nothing is to be paid.');
  const sendsAll = payments.some(({ amount }) => amount === 'all');
  if (sendsAll && payments.length > 1) {
    throw new WalletError('amount_invalid', 'All coins can go to one recipient only.');
  }
  const outputs = payments.map(({ address, amount }) => ({
    script: readAddress(address, network),
    value: amount === 'all' ? 0n : amount,
  }));
  return { outputs, sendsAll };
}

/** Refuses outputs that no node would relay. */
export function checkOutputs({ outputs, sendsAll = false }: TransactionPlan, network: Network): void {
  for (const [index, { script, value }] of outputs.entries()) {
    if (sendsAll && index === outputs.length - 1) continue;
    if (value < 0n) throw new WalletError('amount_invalid', `Output ${index} has a negative amount.`);
    if (script[0] !== OP_RETURN && value < network.dustLimit) {
      const detail = `Output ${index} has ${value} base units; under ${network.dustLimit} it is dust, which nodes do not relay.`;
      throw new WalletError('output_dust', detail);
    }
  }
}
