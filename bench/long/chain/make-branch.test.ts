import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlockLog } from './block-log.ts';
import { ensureLongChain, findHeightOf, SPARE_BLOCKS } from './ensure-chain.ts';
import { GENESIS, hashHeader } from './genesis.ts';
import { makeBranch } from './make-branch.ts';
import { replay, scanChecked } from './testing/replay.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'long-chain-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const PLAN = { mix: 'dogecoin', seed: 5, transactions: 3_000 } as const;

test('a chain on disk has what was asked for and is found again, a longer one for a shorter one', () => {
  const lines: string[] = [];
  const made = ensureLongChain(PLAN, dir, (line) => lines.push(line));
  expect(lines).toHaveLength(1);
  expect(made.log.transactionsTo(made.height)).toBeGreaterThanOrEqual(PLAN.transactions);
  expect(made.log.transactionsTo(made.height - 1)).toBeLessThan(PLAN.transactions);
  expect(made.log.lastHeight).toBe(made.height + SPARE_BLOCKS);
  expect(made.log.read(0)).toEqual(GENESIS);

  const shorter = ensureLongChain({ ...PLAN, transactions: 1_000 }, dir, (line) => lines.push(line));
  expect(lines).toHaveLength(1);
  expect(shorter.height).toBe(findHeightOf(made.log, 1_000));
  expect(shorter.height).toBeLessThan(made.height);
  made.log.close();
  shorter.log.close();
});

test('a branch replaces the end of a chain by one block more, and balances', () => {
  const { log, height } = ensureLongChain(PLAN, dir, () => {});
  const from = height - 19;
  makeBranch(log, from, height, join(dir, 'branch'));
  const branch = openBlockLog(join(dir, 'branch'), from);
  expect(branch.lastHeight).toBe(height + 1);

  let previous: Uint8Array = hashHeader(GENESIS);
  const scanAt = (source: typeof log, at: number) => {
    const scan = scanChecked({ bytes: source.read(at), hash: source.hashAt(at) }, previous);
    previous = source.hashAt(at);
    return scan;
  };
  const shared = Array.from({ length: from - 1 }, (_, index) => scanAt(log, index + 1));
  const forked = Array.from({ length: height + 2 - from }, (_, index) => scanAt(branch, from + index));
  const sum = forked.reduce((all, { txCount }) => all + txCount, 0);
  const replaced = log.transactionsTo(height) - log.transactionsTo(from - 1);
  expect(sum / replaced).toBeGreaterThan(0.8);
  expect(sum / replaced).toBeLessThan(1);
  replay([...shared, ...forked]);
  log.close();
  branch.close();
});
