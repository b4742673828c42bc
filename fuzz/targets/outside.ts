import { parseManifest } from '../../service/src/parts/chain/releases.ts';
import { parseCkpoolStatus, parseCkpoolUser } from '../../service/src/parts/mining/ckpool-source.ts';
import { parseMiningcore } from '../../service/src/parts/mining/miningcore-source.ts';
import { parsePublicPool } from '../../service/src/parts/mining/public-pool-source.ts';
import { parseSourceJson } from '../../service/src/parts/mining/source-values.ts';
import { formatRate, parseRate } from '../../service/src/parts/payments/rates/rate-rules.ts';
import { readRate } from '../../service/src/parts/payments/rates/url-source.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

/** What programs of others answer that the operator pointed us to: pools, and sources of rates. */
export const outsideTarget: FuzzTarget = {
  name: 'outside',
  reads: 'answers of pools and of sources of rates',
  form: 'text',
  maxBytes: 3_000,
  seeds: [
    '{"data":[{"price":"64000.5"}],"x":1e-7}',
    '0.000015625',
    '{"runtime":1,"lastupdate":1700000000,"Users":2,"Workers":3}\n{"hashrate1m":"1.23T","hashrate1hr":"617M"}\n{"accepted":5,"bestshare":7}',
    '{"hashrate1m":"1.2G","workers":1,"lastshare":1700000000,"bestshare":1.5}',
    '{"pool":{"poolStats":{"poolHashrate":12345,"connectedMiners":2},"poolEffort":0.5}}',
    `[{"miner":"bc1qabc","hashrate":12.5},{"hash":"${'ab'.repeat(32)}","effort":1.5}]`,
    '{"totalHashRate":"123456789012345678901234","totalMiners":3,"highScores":[{"bestDifficulty":"5.5"}]}',
    '{"items":[]}',
  ].map(utf8),
  words: ['null', '[]', '{}', '1e308', '-0', '1e-99', '"9".', 'K', 'Z', '\n'],
  check(input) {
    const text = toText(input);
    for (const path of ['data.0.price', 'x', '__proto__', 'constructor.name'])
      for (const invert of [false, true]) readRate(text, { path, invert });
    const rate = parseRate(text);
    if (rate.ok) {
      const again = parseRate(formatRate(rate.value));
      demand(again.ok && again.value === rate.value, 'a rate is read as it is written');
    }
    const json = parseSourceJson(text);
    refusing(() => parseCkpoolStatus(text));
    parseCkpoolUser('bc1qabc', text);
    refusing(() => parseMiningcore(json, { miners: json, blocks: json, payments: json }));
    refusing(() => parsePublicPool(json, json));
    refusing(() => parseManifest(text));
  },
  growing: {
    // The engine's own parser takes more than twice as long for twice as much from about a megabyte on, where nothing is read.
    nesting: (bytes) => utf8('['.repeat(Math.min(bytes, 1 << 18))),
    'nested objects': (bytes) => utf8(`${'{"a":'.repeat(bytes / 5)}1${'}'.repeat(bytes / 5)}`),
    digits: (bytes) => utf8('1'.repeat(bytes)),
    numbers: (bytes) => utf8(`[${'1,'.repeat(bytes / 2)}1]`),
    quotes: (bytes) => utf8('"\\"'.repeat(bytes / 3)),
    lines: (bytes) => utf8('\n'.repeat(bytes)),
  },
};

/** Lets pass what the reader says when it can use nothing; its caller keeps what it had. */
function refusing(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    const isSaid = error instanceof SyntaxError || (error as Error).constructor === Error;
    if (!isSaid) throw error;
  }
}
