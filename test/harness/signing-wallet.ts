import { createHash } from 'node:crypto';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import {
  type Transaction as ParsedTransaction,
  parseTransaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { Transaction } from '@scure/btc-signer';
import { p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer/payment.js';
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js';
import type { TestNode } from './litecoind.ts';

/** A coin that a test can spend. */
export type Coin = { txid: Uint8Array; vout: number; value: bigint };

/** A key of a test, with the script that it owns. */
export type Signer = {
  readonly script: Uint8Array;
  readonly address: string;
  readonly publicKey: Uint8Array;
  /** Coins that it has not spent; {@link signTransaction} takes the first and adds the change. */
  readonly coins: Coin[];
  readonly privateKey: Uint8Array;
  readonly redeemScript: Uint8Array | undefined;
  readonly internalKey: Uint8Array | undefined;
};

export type SignerKind = 'p2wpkh' | 'p2pkh' | 'p2sh-p2wpkh' | 'p2tr';

/** A signed transaction that was not sent. */
export type Signed = { hex: string; tx: ParsedTransaction; txid: Uint8Array; prevoutScript: Uint8Array };

const FEE = 20_000n;

/** Makes the key of a name; equal names give equal keys. Only ever used on a chain of a test. */
export function createSigner(name: string, profile: CoinProfile, kind: SignerKind = 'p2wpkh'): Signer {
  const privateKey = new Uint8Array(createHash('sha256').update(`signer ${name}`).digest());
  const publicKey = pubECDSA(privateKey);
  const payment =
    kind === 'p2wpkh'
      ? p2wpkh(publicKey)
      : kind === 'p2pkh'
        ? p2pkh(publicKey)
        : kind === 'p2tr'
          ? p2tr(pubSchnorr(privateKey))
          : p2sh(p2wpkh(publicKey));
  return {
    script: payment.script,
    address: encodeAddress(payment.script, profile)!,
    publicKey,
    coins: [],
    privateKey,
    redeemScript: 'redeemScript' in payment ? (payment.redeemScript as Uint8Array) : undefined,
    internalKey: kind === 'p2tr' ? pubSchnorr(privateKey) : undefined,
  };
}

/** Pays each signer `value` coins from the node's wallet, in one transaction that is then mined. */
export async function fundSigners(
  node: TestNode,
  signers: readonly Signer[],
  value: number,
): Promise<string> {
  const amounts = Object.fromEntries(signers.map(({ address }) => [address, value]));
  const txid = await node.rpc<string>('sendmany', '', amounts);
  const { hex } = await node.rpc<{ hex: string }>('gettransaction', txid);
  const { outputs } = getValue(parseTransaction(getHexBytes(hex)));
  for (const signer of signers) {
    const vout = outputs.findIndex(({ script }) => Buffer.from(script).equals(signer.script));
    signer.coins.push({ txid: getValue(parseDisplayHash(txid)), vout, value: outputs[vout]!.value });
  }
  return (await node.mine(1))[0]!;
}

/** Signs a transaction of the signer's first coin with these outputs, and change behind them. */
export function signTransaction(
  signer: Signer,
  outputs: readonly TxOutput[],
  { sighash }: { sighash?: number } = {},
): Signed {
  const coin = signer.coins.shift();
  if (coin === undefined) throw new Error(`${signer.address} has no coin left`);
  const change = coin.value - FEE - outputs.reduce((sum, { value }) => sum + value, 0n);
  if (change < 10_000n) throw new Error(`${signer.address} has too little: ${coin.value}`);
  const made = new Transaction({ allowUnknownOutputs: true, allowLegacyWitnessUtxo: true });
  made.addInput({
    txid: Uint8Array.from(coin.txid).reverse(),
    index: coin.vout,
    sequence: 0xfffffffd,
    witnessUtxo: { script: signer.script, amount: coin.value },
    ...(signer.redeemScript ? { redeemScript: signer.redeemScript } : {}),
    ...(signer.internalKey ? { tapInternalKey: signer.internalKey } : {}),
    ...(sighash === undefined ? {} : { sighashType: sighash }),
  });
  for (const { script, value } of outputs) made.addOutput({ script, amount: value });
  made.addOutput({ script: signer.script, amount: change });
  made.sign(signer.privateKey, sighash === undefined ? undefined : [sighash]);
  made.finalize();
  const tx = getValue(parseTransaction(made.extract()));
  const txid = txidOf(tx);
  signer.coins.push({ txid, vout: outputs.length, value: change });
  return { hex: made.hex, tx, txid, prevoutScript: signer.script };
}
