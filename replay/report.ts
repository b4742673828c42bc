import { flip, toHex } from './bytes.ts';
import type { Found } from './difference.ts';
import { PROTOCOLS, type Tip } from './ledger.ts';

/** How far a run is, at a tip. */
export type Standing = {
  readonly tip: Tip;
  /** How often each event (by opcode) and each reason was met. */
  readonly seen: ReadonlyMap<string, number>;
  readonly reorgs: number;
  readonly receipts: number;
  readonly epochs: number;
  readonly checkpoints: number;
  readonly entries: number;
  readonly seals: number;
};

/** Tells people, or other programs, how a run goes. */
export type Report = {
  start(coin: string, url: string | undefined, esplora: string): void;
  /** A block was followed, of so many. */
  block(height: number, of: number): void;
  reorg(lost: Tip): void;
  tip(standing: Standing): void;
  difference(found: Found): void;
};

const LINE_EVERY_MS = 2_000;

/** Lines for people; progress goes to standard error. */
export function createReport(isCompared: boolean): Report {
  let nextAt = 0;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  return {
    start: (coin, url, esplora) =>
      print(`Following ${coin} by ${esplora}${url ? `, compared with ${url}` : ', compared with nothing'}.`),
    block(height, of) {
      if (performance.now() < nextAt) return;
      nextAt = performance.now() + LINE_EVERY_MS;
      const percent = of > 0 ? Math.floor((100 * height) / of) : 100;
      process.stderr.write(`height ${height} of ${of} (${percent} %)\n`);
    },
    reorg: ({ height, hash }) => print(`Block ${height} left the chain: ${toHex(flip(hash))}`),
    tip({ tip, seen, reorgs, receipts, epochs, checkpoints, entries, seals }) {
      print(
        `${isCompared ? 'No difference' : 'Followed'} up to height ${tip.height}, ${toHex(flip(tip.hash))}`,
      );
      for (const name of PROTOCOLS) {
        const chain = tip.hashes[name]?.chain;
        if (chain) print(`  ${name.padEnd(7)} chain ${toHex(chain)}; ${countSeen(seen, name)}`);
      }
      print(`  ${reorgs} blocks left the chain on the way`);
      if (isCompared)
        print(
          `  registry ${receipts} receipts, ${epochs} closed epochs, ${checkpoints} checkpoints; treasury ${entries} entries, ${seals} sealed`,
        );
    },
    difference({ height, what, ours, theirs }) {
      print(`Difference at height ${height}: ${what}`);
      print(`  replay   ${ours}`);
      print(`  service  ${theirs}`);
    },
  };
}

/** One JSON object a line. */
export function createJsonReport(): Report {
  const print = (event: string, fields: object): void =>
    void process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
  const describe = ({ height, hash }: Tip) => ({ height, hash: toHex(flip(hash)) });
  return {
    start: (coin, url, esplora) => print('start', { coin, url: url ?? null, esplora }),
    block: () => undefined,
    reorg: (lost) => print('reorg', describe(lost)),
    tip({ tip, seen, ...counts }) {
      const chains = PROTOCOLS.map((name) => [name, tip.hashes[name] && toHex(tip.hashes[name].chain)]);
      print('tip', {
        ...describe(tip),
        chain_hashes: Object.fromEntries(chains),
        ...counts,
        seen: Object.fromEntries([...seen].sort()),
      });
    },
    difference: (found) => print('difference', found),
  };
}

function countSeen(seen: ReadonlyMap<string, number>, protocol: string): string {
  let [valid, invalid] = [0, 0];
  for (const [what, count] of seen) {
    if (!what.startsWith(`${protocol} `)) continue;
    if (/\d$/.test(what)) valid += count;
    else invalid += count;
  }
  return `${valid} events, ${invalid} invalid operations`;
}
