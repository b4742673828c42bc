import type { PaymentJson } from '@coinfront/api/payments.ts';
import { createNodeClient } from '../service/src/node/rpc-client.ts';
import { findDemoDir } from './demo/folder.ts';
import { readDemoMerchant } from './demo/merchant.ts';

// Pays from the wallet of the local chain that `npm start` runs, whose coins cost nothing:
//   npm run pay -- VP-… [amount]        a payment
//   npm run pay -- <address> <amount>   an address, such as one of `coin address`

const usage = `Usage: npm run pay -- <payment id or checkout address> [amount]
       npm run pay -- <address> <amount>
Pays from the local chain's own wallet: what is missing of a payment, or the amount.`;

process.exitCode = await main(process.argv.slice(2));

async function main([to = '', amount]: string[]): Promise<number> {
  const paymentId = /VP-[0-9A-Z]{12}/.exec(to)?.[0];
  const isAddress = paymentId === undefined && /^[a-zA-Z0-9]{20,120}$/.test(to) && amount !== undefined;
  if (paymentId === undefined && !isAddress) {
    console.error(usage);
    return 2;
  }
  try {
    const demo = readDemoMerchant(findDemoDir());
    const payment = paymentId === undefined ? undefined : await readPayment(demo.url, paymentId);
    const address = payment?.address ?? to;
    const coins = amount ?? payment?.remaining;
    const node = createNodeClient({ url: demo.wallet_url });
    try {
      const txid = await node.call<string>('sendtoaddress', [address, coins]);
      console.log(`${coins} sent to ${address} by ${txid}`);
    } finally {
      await node.close();
    }
    return 0;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}

async function readPayment(url: string, paymentId: string): Promise<PaymentJson> {
  const answer = await fetch(`${url}/api/v1/payments/${paymentId}`);
  if (!answer.ok) throw new Error(`There is no payment ${paymentId} on the local chain.`);
  return (await answer.json()) as PaymentJson;
}
