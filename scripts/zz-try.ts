import { rmSync } from 'node:fs';
import { parseProfile } from '@coinfront/protocol/profile.ts';
import regtest from '@coinfront/protocol/profiles/regtest.json' with { type: 'json' };
import { getValue } from '@coinfront/protocol/result.ts';
import { ensureBenchChain } from '../bench/chain-maker.ts';
import { startIndexer } from '../service/src/start-indexer.ts';

const n = Number(process.argv[2] ?? 20000);
const chain = await ensureBenchChain({ transactions: n, dir: `data/bench/${n}` });
rmSync('/tmp/w/ix', { recursive: true, force: true });
const profile = getValue(parseProfile(regtest));
const t0 = performance.now();
const url = process.argv[3];
const ix = startIndexer(
  {
    nodeUrl: chain.node.url,
    cookieFile: undefined,
    database: url ? { kind: 'postgres', url } : { kind: 'sqlite', file: '/tmp/w/ix/chain.db' },
    profile,
    horizonBlocks: 1000,
    cacheMb: 128,
  },
  (e) => {
    console.error('crash', e);
    process.exit(1);
  },
);
const tip = await chain.node.rpc<number>('getblockcount');
for (;;) {
  await new Promise((r) => setTimeout(r, 20));
  const r = ix.findReport();
  if (r && r.state.kind !== 'starting' && r.state.kind !== 'syncing' && r.state.kind !== 'ready') {
    console.log(r);
    break;
  }
  if (r && r.height === tip) break;
}
const s = (performance.now() - t0) / 1000;
console.log(
  'seconds',
  s,
  'tx/s',
  Math.round(n / s),
  'rss MB',
  Math.round(process.memoryUsage.rss() / 1e6),
  process.resourceUsage().maxRSS / 1e3,
  'cpu',
  process.cpuUsage().user / 1e6,
  process.cpuUsage().system / 1e6,
);
await ix.stop();
await chain.stop();
