// Pays an address from a script: node examples/wallet/pay.ts <service> <file with the words> <address> <amount>
//
// The words are read here and stay here: the service gets addresses that it is asked about, and signed hex.

import { readFileSync } from 'node:fs';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getConfig } from '@coinfront/sdk/chain/get-config.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { clientReads } from '@coinfront/sdk/wallet/client-reads.ts';
import { readNetwork } from '@coinfront/sdk/wallet/network.ts';
import { prepareTransaction } from '@coinfront/sdk/wallet/prepare-transaction.ts';
import { sendTransaction } from '@coinfront/sdk/wallet/send-transaction.ts';
import { finaliseTransaction, signTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { planPayment } from '@coinfront/sdk/wallet/transaction-plan.ts';
import { openWallet } from '@coinfront/sdk/wallet/wallet-keys.ts';

const [service = '', wordsFile = '', to = '', coins = ''] = process.argv.slice(2);

const client = createClient({ baseUrl: service });
const reads = clientReads(client);
// A program that pays regularly keeps the network, and compares: checkNetwork(network, await getConfig(client)).
const network = readNetwork(await getConfig(client));
const amount = getValue(parseAmount(coins, network.decimals));

const { watch, keys } = openWallet({ mnemonic: readFileSync(wordsFile, 'utf8'), network });
// Names and tokens stay movable: a coin stays at each address that has any.
const plan = planPayment([{ address: to, amount }], network);
const { psbt, review } = await prepareTransaction(client, { wallet: watch, plan });

// What a script should insist on, whatever a service said: exactly this leaves, and the fee is small.
if (review.sent !== amount) throw new Error('The transaction would send another amount.');
if (review.fee * 100n > amount) throw new Error('The fee is more than one per cent.');

const signed = signTransaction(keys, watch, psbt, { approval: review.approval });
keys.wipe();
console.log(await sendTransaction(reads, finaliseTransaction([signed])));
