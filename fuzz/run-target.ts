/** Tries one target, in a process of its own: its parent sends one order and gets reports, the last of them the result. */

import { dirname, relative, sep } from 'node:path';
import { type Exploration, explore } from './engine/explore.ts';
import { type Growth, measureGrowth } from './engine/growth.ts';
import { instrumentModules } from './engine/instrument.ts';
import { addFound, readKept, writeCorpus } from './engine/kept-inputs.ts';
import type { FuzzTarget } from './target.ts';
import type { TargetName } from './targets/all-targets.ts';

/** What a parent wants. */
export type Order = { target: TargetName; inputs: number; seed: number; keep: boolean; growth: boolean };

/** What it is told; `alive` comes every second or so. */
export type Report =
  | { kind: 'alive'; tried: number }
  | { kind: 'done'; result: Omit<Exploration, 'essence'>; growth: Growth[]; reads: string; seconds: number };

const root = dirname(import.meta.dirname);
/** Packages whose blocks are counted for a target that names them. */
const packagePath = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;

process.once('message', async ({ target: name, inputs, seed, keep, growth: wantsGrowth }: Order) => {
  let packages: readonly string[] = [];
  const counters = instrumentModules((path) => {
    const found = packagePath.exec(path)?.[1];
    if (found !== undefined) return packages.includes(found);
    return !relative(root, path).startsWith(`fuzz${sep}`);
  });
  // Named before its module is loaded, for what it loads is counted then.
  packages = name === 'psbt' ? ['@scure/btc-signer', 'micro-packed'] : [];
  const { loadTarget } = await import('./targets/all-targets.ts');
  const target: FuzzTarget = await loadTarget[name]();
  const begunMs = performance.now();
  const kept = [...readKept(target, 'found'), ...readKept(target, 'corpus')];
  const { essence, ...result } = await explore(target, counters, {
    inputs,
    seed,
    kept,
    onProgress: (tried) => send({ kind: 'alive', tried }),
  });
  for (const { input, error } of result.findings) addFound(target, input, error);
  if (keep) writeCorpus(target, essence);
  const growth = wantsGrowth ? await measureGrowth(target, counters) : [];
  const seconds = (performance.now() - begunMs) / 1_000;
  await target.close?.();
  send({ kind: 'done', result, growth, reads: target.reads, seconds }, () => process.exit());
});

function send(report: Report, done: () => void = () => {}): void {
  process.send!(report, done);
}
