import { readPsbt, writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { reviewTransaction } from '@coinfront/sdk/wallet/review-transaction.ts';
import { finaliseTransaction, signTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { createFakeWallet, STRANGER } from '@coinfront/sdk/wallet/testing/fake-wallet.ts';
import { regtestNetwork } from '@coinfront/sdk/wallet/testing/networks.ts';
import { planPayment } from '@coinfront/sdk/wallet/transaction-plan.ts';
import { WalletError } from '@coinfront/sdk/wallet/wallet-error.ts';
import { type FuzzTarget, hex, toText, utf8 } from '../target.ts';

const COIN = 100_000_000n;
const wallet = createFakeWallet({ p2wpkh: [COIN, COIN], p2tr: [COIN], p2pkh: [COIN] });
const built = await wallet.build(planPayment([{ address: STRANGER, amount: 3n * COIN }], regtestNetwork));
const signed = signTransaction(wallet.keys, wallet.watch, built.psbt, { approval: built.review.approval });

/** A PSBT that a stranger wants signed or sent, as bytes. */
export const psbtTarget: FuzzTarget = {
  name: 'psbt',
  reads: 'PSBTs: as text, reviewed, finalised',
  form: 'bytes',
  replayed: 150,
  maxBytes: 6_000,
  seeds: [
    built.psbt,
    signed,
    utf8(writePsbt(built.psbt)),
    hex('70736274ff'),
    hex('70736274ff01000a0200000000000000000000'),
  ],
  check(input) {
    const text = toText(input);
    only(() => readPsbt(text));
    const psbt = only(() => readPsbt(Buffer.from(input).toString('hex')));
    if (psbt === undefined) return;
    only(() => reviewTransaction(wallet.watch, psbt));
    only(() => finaliseTransaction([psbt]));
  },
  growing: {
    'a text': (bytes) => utf8('cHNi'.repeat(bytes / 4)),
    spaces: (bytes) => utf8(' \n'.repeat(bytes / 2)),
    'unknown fields': (bytes) => growFields(bytes),
  },
};

/** Throws all but what callers are told of. */
function only<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof WalletError) return undefined;
    throw error;
  }
}

/** A PSBT with many fields that nobody knows, behind those of a real one's first map. */
function growFields(bytes: number): Uint8Array {
  const fields = Buffer.alloc(Math.ceil(bytes / 8) * 8);
  for (let at = 0; at < fields.length; at += 8) {
    fields.writeUInt8(5, at);
    fields.writeUInt8(0xf0, at + 1);
    fields.writeUInt32BE(at, at + 2);
    fields.writeUInt8(1, at + 6);
  }
  // The first map ends with the first zero behind the unsigned transaction.
  const size = built.psbt[7]! === 0xfd ? 10 + built.psbt[8]! + 256 * built.psbt[9]! : 8 + built.psbt[7]!;
  return Uint8Array.from(Buffer.concat([built.psbt.subarray(0, size), fields, built.psbt.subarray(size)]));
}
