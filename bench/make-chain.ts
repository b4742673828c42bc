import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBenchChain } from './chain-maker.ts';

// Makes (or finds) a bench chain and ends; with --serve its node stays up until the process is interrupted.
const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '500000' },
    serve: { type: 'boolean', default: false },
  },
});
const transactions = Number(values.transactions);
const dir = resolve('data', 'bench', String(transactions));
const { node, facts, stop } = await ensureBenchChain({ transactions, dir });
const { sampleScripts, sampleTxids, sampleAddresses, tenTxScripts, tenTxAddresses, ...brief } = facts;
console.log({
  ...brief,
  tenTxAddress: tenTxAddresses[0],
  sampleAddress: sampleAddresses[0],
  sampleTxid: sampleTxids[0],
});
console.log({ samples: sampleScripts.length, tenTxAddresses: tenTxScripts.length });
if (values.serve) {
  console.log(`COINFRONT_NODE_URL=${node.url} COINFRONT_COIN=regtest`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
await stop();
