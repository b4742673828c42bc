import { Transaction } from '@scure/btc-signer';
import type { Signer } from '../harness/signing-wallet.ts';

/** Signs what the service prepared, as a wallet with these keys does: from the PSBT alone. Gives the transaction in hex. */
export function signPsbt(psbt: string, signers: readonly Signer[]): { hex: string; txid: string } {
  const tx = Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownOutputs: true });
  for (const { privateKey } of signers) tx.sign(privateKey);
  tx.finalize();
  return { hex: tx.hex, txid: tx.id };
}
