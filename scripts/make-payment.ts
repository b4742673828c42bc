import { findDemoDir } from './demo/folder.ts';
import { makePayment, readDemoMerchant } from './demo/merchant.ts';

// `npm run payment`: makes one more payment at the merchant of the local chain, and prints the address of its page.

try {
  console.log(await makePayment(readDemoMerchant(findDemoDir())));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
