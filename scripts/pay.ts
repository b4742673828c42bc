import { readFileSync } from 'node:fs';
import type { PaymentJson } from '@coinfront/api/payments.ts';
import { createNodeClient } from '../service/src/node/rpc-client.ts';
import { type DemoMerchant, demoMerchantFile } from './demo-merchant.ts';

// Pays a payment from the wallet of the local chain that `npm start` runs: npm run pay -- VP-… [amount]

process.exitCode = await main(process.argv.slice(2));

async function main([id = '', amount]: string[]): Promise<number> {
  const paymentId = /VP-[0-9A-Z]{12}/.exec(id)?.[0];
  if (paymentId === undefined) {
    console.error(
      'Usage: npm run pay -- <payment id or checkout address> [amount]\nPays what is missing, or the amount.',
    );
    return 2;
  }
  try {
    const demo = readDemoMerchant();
    const answer = await fetch(`${demo.url}/api/v1/payments/${paymentId}`);
    if (!answer.ok) throw new Error(`There is no payment ${paymentId} on the local chain.`);
    const payment = (await answer.json()) as PaymentJson;
    const node = createNodeClient({ url: demo.node_url });
    try {
      const txid = await node.call<string>('sendtoaddress', [payment.address, amount ?? payment.remaining]);
      console.log(`${amount ?? payment.remaining} sent to ${payment.address} by ${txid}`);
    } finally {
      await node.close();
    }
    return 0;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}

function readDemoMerchant(): DemoMerchant {
  const dir = new URL('../data/regtest', import.meta.url).pathname;
  try {
    return JSON.parse(readFileSync(demoMerchantFile(dir), 'utf8'));
  } catch {
    throw new Error('There is no local chain yet: run `npm start` first.');
  }
}
