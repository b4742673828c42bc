import type { AddressTotalsJson, UtxoJson } from '@coinfront/api/chain-addresses.ts';
import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { scriptTypeName } from '@coinfront/protocol/script.ts';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import type { BlockRecord, ScriptStats, Utxo } from '../../chain/chain-view.ts';
import { findMaturity } from '../../chain/find-maturity.ts';
import { AppError } from '../../errors.ts';

/** An address of a request, understood. */
export type ParsedAddress = {
  script: Uint8Array;
  /** The fields that every answer about an address begins with. */
  fields: { address: string; script: string; script_type: string };
};

/**
 * Reads the address of a request.
 *
 * @throws AppError `address_invalid`; the text is not repeated, because what is no address may be a secret
 */
export function parseAddress(text: string, profile: CoinProfile): ParsedAddress {
  const decoded = decodeAddress(text, profile);
  if (!decoded.ok) {
    throw new AppError(
      'address_invalid',
      `Not an address of ${profile.name} (${profile.chain}): ${decoded.reason}.`,
    );
  }
  const { script, kind } = decoded.value;
  return {
    script,
    fields: {
      address: canonicalAddress(text, script, profile),
      script: bytesToHex(script),
      script_type: scriptTypeName(kind),
    },
  };
}

/** Segwit addresses have one form but for their case; of others the coin may read several versions and writes one. */
function canonicalAddress(text: string, script: Uint8Array, profile: CoinProfile): string {
  const { bech32Hrp } = profile.address;
  if (bech32Hrp !== undefined && text.toLowerCase().startsWith(`${bech32Hrp}1`)) return text.toLowerCase();
  return encodeAddress(script, profile) ?? text;
}

/** Totals of a script. */
export function serialiseTotals(stats: ScriptStats, decimals: number): AddressTotalsJson {
  return {
    tx_count: stats.txCount,
    received_count: stats.fundedCount,
    received: formatAmount(stats.fundedSum, decimals),
    spent_count: stats.spentCount,
    spent: formatAmount(stats.spentSum, decimals),
    balance: formatAmount(stats.fundedSum - stats.spentSum, decimals),
  };
}

/** Whether the block above the tip may spend a coinbase of this height (Core's COINBASE_MATURITY rule). */
export function isMature(height: number, tip: BlockRecord, profile: CoinProfile): boolean {
  return tip.height + 1 - height >= profile.coinbaseMaturity;
}

/** Whether the next transaction of a wallet may spend this output. */
export function isSpendable(utxo: Utxo, tip: BlockRecord, profile: CoinProfile): boolean {
  if (utxo.spentInMempool) return false;
  const from = findMaturity(utxo, profile.coinbaseMaturity);
  return from === undefined || from <= tip.height + 1;
}

/** An unspent output. */
export function serialiseUtxo(utxo: Utxo, tip: BlockRecord, profile: CoinProfile): UtxoJson {
  const { height } = utxo;
  return {
    txid: toDisplayHash(utxo.txid),
    vout: utxo.vout,
    value: formatAmount(utxo.value, profile.decimals),
    height: height ?? null,
    confirmations: height === undefined ? 0 : confirmationsAt(height, tip),
    coinbase: utxo.coinbase,
    spendable: isSpendable(utxo, tip, profile),
    spent_in_mempool: utxo.spentInMempool,
    spendable_from_height: findMaturity(utxo, profile.coinbaseMaturity) ?? null,
  };
}
