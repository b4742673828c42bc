import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createRandom } from '../scripts/traffic/random.ts';
import { runAdmin } from '../test/harness/merchant.ts';
import { createOwner, register } from '../test/harness/registry-desk.ts';
import { testCoin, testProfile } from '../test/harness/test-coin.ts';
import type { Options } from './options.ts';
import { makeStep, type Step } from './plan/make-step.ts';
import { createRecord, type PromiseRecord } from './promises/record.ts';
import { countFaults, createReport, type Report, type Totals } from './report.ts';
import { fillPool } from './rig/fill-pool.ts';
import { type Rig, startRig } from './rig/rig.ts';
import { runStep } from './run-step.ts';
import { createChainTruth } from './truth/chain-truth.ts';
import { createOperationMaker } from './work/operations.ts';
import { readAllTheTime } from './work/read-all-the-time.ts';
import { fundSigners } from './work/signers.ts';

/** How a campaign ended. */
export type CampaignEnd = {
  readonly report: Report;
  readonly totals: Totals;
  /** What was found in the last step; the folder is kept then. */
  readonly problems: readonly string[];
  readonly lastStep: Step | undefined;
  readonly folder: string;
};

const MINUTE_MS = 60_000;
/** Blocks are written to the disk now and then, so that a killed node has lost some and not all. */
const FLUSH_EVERY = 7;

/**
 * Runs steps until the time is over, so many faults are survived, or something is found.
 *
 * @param onStep is told of each step before it begins
 * @param isStopped asked between steps
 */
export async function runCampaign(
  options: Options,
  onStep: (step: Step, report: Report, rig: Rig) => void | Promise<void>,
  isStopped: () => boolean = () => false,
): Promise<CampaignEnd> {
  const report = createReport(options.engine === 'sqlite' ? 'sqlite' : 'postgresql', options.seed);
  const rig = await startRig(options);
  let problems: readonly string[] = [];
  let step: Step | undefined;
  const record = createRecord();
  try {
    const signers = await fundSigners(rig.node);
    await rig.node.mine(1);
    const truth = createChainTruth(rig.node, (address) =>
      bytesToHex(getValue(decodeAddress(address, testProfile)).script),
    );
    await fillPool(rig);
    await register(rig.supervised.service, createOwner('campaign'), rig.peer.p2pAddress!);
    await truth.follow();
    await signers.refresh(rig.node, truth);
    const workers = { rig, record, signers, makeOperation: createOperationMaker(signers) };
    const readers = readAllTheTime(rig.client, options.seed, { record, truth, signers });
    const started = performance.now();
    const isOver = () =>
      isStopped() ||
      performance.now() - started > options.minutes * MINUTE_MS ||
      countFaults(report) >= options.faults;

    for (let number = options.from, isLast = false; !isLast && problems.length === 0; number++) {
      const planned = makeStep(options.seed, number, rig.abilities);
      isLast = countFaults(report) + planned.faults.length >= options.faults || isOver();
      // All is compared at the end, too.
      step = isLast ? { ...planned, isChecked: 'fully' } : planned;
      await onStep(step, report, rig);
      appendFileSync(join(rig.folder, 'steps.jsonl'), `${writeStep(step)}\n`);
      if (number % FLUSH_EVERY === 0) await rig.node.flush();
      const isFull = step.isChecked === 'fully';
      const checked = { rig, record, truth, signers, random: createRandom(step.checkSeed), isFull };
      const outcome = await runStep(step, workers, checked, readers);
      problems = outcome.problems;
      if (problems.length === 0) note(report, step, outcome.recovery.tookMs, outcome.recovery.wasRebuilt);
      if (isFull && problems.length === 0) await fillPool(rig);
      report.seconds = (performance.now() - started) / 1_000;
    }
    await readers.stop();
    if (problems.length === 0) problems = await verifyAsOperator(rig);
  } catch (error) {
    problems = [`the campaign itself failed: ${(error as Error).stack}`];
  }
  const totals = describeTotals(rig, record);
  if (problems.length > 0) appendFileSync(join(rig.folder, 'problems.txt'), `${problems.join('\n')}\n`);
  await rig.stop(options.keep || problems.length > 0);
  return { report, totals, problems, lastStep: step, folder: rig.folder };
}

function note(report: Report, { faults, isChecked }: Step, tookMs: number, wasRebuilt: boolean): void {
  report.steps++;
  if (isChecked === 'fully') report.fullChecks++;
  if (faults.length > 1) report.meetings++;
  for (const { kind } of faults) report.faults.set(kind, (report.faults.get(kind) ?? 0) + 1);
  report.recoveriesMs.push(tookMs);
  if (wasRebuilt) report.rebuilt++;
}

/** The commands by which an operator checks what there is. */
async function verifyAsOperator({ database, settings }: Rig): Promise<string[]> {
  const env = { ...settings, COINFRONT_COIN: testCoin };
  const problems: string[] = [];
  for (const args of [['verify-index'], ['registry', 'verify'], ['treasury', 'reconcile']]) {
    const { code, stdout, stderr } = await runAdmin(database, args, env);
    if (code !== 0)
      problems.push(`npm run admin -- ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  }
  return problems;
}

function describeTotals({ inbox, client, supervised }: Rig, record: PromiseRecord): Totals {
  const { events, requests } = inbox.counts();
  const answers = [...client.counts].sort().map(([status, count]) => `${status}: ${count}`);
  return {
    'starts of the service': supervised.starts(),
    'payments promised': record.payments.size,
    'events in the feed': record.events.size,
    'events that came to the receiver, by so many requests': `${events}, ${requests}`,
    'receipts of the registry': record.receipts.size,
    contributors: record.contributors.length,
    'answers to clients, by status': answers.join(', '),
  };
}

function writeStep(step: Step): string {
  return JSON.stringify(step, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
