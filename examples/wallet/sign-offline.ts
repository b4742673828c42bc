// A signer for a machine that no network reaches:
//
//   node examples/wallet/sign-offline.ts <watch-only file> <file with the words> <PSBT file>
//       shows what the transaction does, and its approval
//   node examples/wallet/sign-offline.ts <watch-only file> <file with the words> <PSBT file> <approval>
//       signs exactly that, and prints the signed PSBT
//
// The files come from `coin export` and `coin send … --psbt`; `coin send psbt` takes what is printed.

import { readFileSync } from 'node:fs';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { readPsbt, writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { reviewTransaction } from '@coinfront/sdk/wallet/review-transaction.ts';
import { signTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { openWallet } from '@coinfront/sdk/wallet/wallet-keys.ts';
import { importWatchOnly } from '@coinfront/sdk/wallet/watch-wallet.ts';

const [watchFile = '', wordsFile = '', psbtFile = '', approval] = process.argv.slice(2);

const { network } = importWatchOnly(JSON.parse(readFileSync(watchFile, 'utf8')));
// Opened from the words: what the file says of accounts is not relied on.
const { watch, keys } = openWallet({ mnemonic: readFileSync(wordsFile, 'utf8'), network });
const psbt = readPsbt(readFileSync(psbtFile, 'utf8'));

// Amounts are proven by the transactions that the PSBT carries, change by the keys. Nobody is asked.
const review = reviewTransaction(watch, psbt);
if (approval === undefined) {
  const show = (value: bigint) => `${formatAmount(value, network.decimals)} ${network.ticker}`;
  for (const { kind, value, address, payload } of review.outputs) {
    console.log(`${kind.padEnd(8)} ${show(value)} ${address ?? payload?.protocol ?? 'no address'}`);
  }
  console.log(`fee      ${show(review.fee)}`);
  console.log(`approval ${review.approval}`);
} else {
  console.log(writePsbt(signTransaction(keys, watch, psbt, { approval })));
}
keys.wipe();
