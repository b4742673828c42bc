import { checkBroadcasts, checkProofs, repeatBroadcasts } from './checks/broadcasts.ts';
import { checkChain } from './checks/chain.ts';
import type { Checked } from './checks/checked.ts';
import { checkDelivered, checkEvents, checkWholeFeed } from './checks/events.ts';
import { type Check, eventually } from './checks/eventually.ts';
import { checkLinks, compareWithFreshSync } from './checks/fresh-sync.ts';
import { checkList, checkPayments, repeatRequests } from './checks/payments.ts';
import { type Recovery, recover } from './checks/recover.ts';
import { checkReceipts } from './checks/registry.ts';
import { checkTreasury } from './checks/treasury.ts';
import { strike } from './faults/strike.ts';
import type { Step } from './plan/make-step.ts';
import { doWork, type Workers } from './work/do-work.ts';
import type { Readers } from './work/read-all-the-time.ts';

/** What a step came to; no problem when all was survived. */
export type Outcome = { readonly problems: readonly string[]; readonly recovery: Recovery };

/** What follows the chain is given this long to be as it should be. */
const SETTLE_MS = 20_000;

/** Does what a step plans, all at once; waits until all is well, and compares. */
export async function runStep(
  step: Step,
  workers: Workers,
  checked: Checked,
  readers: Readers,
): Promise<Outcome> {
  const { rig, signers } = workers;
  const working = step.work.map((work, i) => doWork(workers, work, `step ${step.number} work ${i}`));
  const striking = step.faults.map((fault) => strike(rig, signers, fault));
  const failed = (await Promise.allSettled([...striking, ...working])).flatMap((each) =>
    each.status === 'rejected' ? [`a step could not be done: ${(each.reason as Error).stack}`] : [],
  );
  const recovery = await recover(
    rig,
    step.faults.some(({ kind }) => kind === 'reorganised-too-deep'),
  );
  const problems = [
    ...failed,
    ...recovery.problems,
    ...readers.takeProblems(),
    ...rig.client.takeFaults(),
    ...rig.supervised.takeOwnEnds().map((printed) => `the service ended by itself: ${printed}`),
  ];
  if (problems.length > 0) return { problems, recovery };
  return { problems: await compare(step, checked), recovery };
}

/** Everything that is looked at, in the order in which one needs the other; the first that fails is told. */
async function compare(step: Step, checked: Checked): Promise<string[]> {
  const { rig, truth, signers } = checked;
  const mayBeLost = step.faults.some(({ kind, depth }) => kind === 'node-killed' || depth > 0);
  const follow = () => truth.follow();
  const look: Record<string, Check> = {
    'requests without an answer': () => repeatRequests(checked),
    'broadcasts without an answer': async () => {
      await follow();
      return await repeatBroadcasts(checked);
    },
    broadcasts: async () => {
      await follow();
      return await checkBroadcasts(checked, mayBeLost);
    },
    // What was broadcast again just now changes what there is.
    'coming back': async () => (await recover(rig, false)).problems as string[],
    'coins of owners': async () => {
      await follow();
      await signers.refresh(rig.node, truth);
      return [];
    },
    blocks: () => checkChain(checked),
    proofs: () => checkProofs(checked),
    events: () => checkEvents(checked),
    payments: () => checkPayments(checked),
    receipts: () => checkReceipts(checked),
    treasury: () => checkTreasury(checked),
    links: () => checkLinks(rig),
    ...(checked.isFull
      ? {
          'fresh sync': () => compareWithFreshSync(rig),
          'all payments': () => checkList(checked),
          'the whole feed': () => checkWholeFeed(checked),
          deliveries: () => checkDelivered(checked),
        }
      : {}),
  };
  for (const [name, check] of Object.entries(look)) {
    const problems = await eventually(check, SETTLE_MS);
    if (problems.length > 0) return problems.map((problem) => `${name}: ${problem}`);
  }
  return [...rig.client.takeFaults()];
}
