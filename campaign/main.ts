import { randomInt } from 'node:crypto';
import { getValue } from '@coinfront/protocol/result.ts';
import { readOptions, USAGE } from './options.ts';
import type { Step } from './plan/make-step.ts';
import { countFaults, formatReport } from './report.ts';
import { runCampaign } from './run-campaign.ts';

// What `npm run campaign` runs.

const read = readOptions(process.argv.slice(2), () => randomInt(1, 2 ** 32));
if (!read.ok) {
  console.error(`${read.reason}\n${USAGE}`);
  process.exit(2);
}
const options = getValue(read);
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log('Ends behind the step under way.');
    isStopped = true;
  });
}

let isTold = false;
console.log(`Seed ${options.seed}.`);
const end = await runCampaign(
  options,
  (step, report, { abilities, folder }) => {
    if (!isTold) {
      if (!abilities.disk) console.log('No disk is filled: mounting a file system is not permitted here.');
      if (!abilities.clock) console.log('No clock is moved: libfaketime is not installed.');
      console.log(`All of it is in ${folder}.`);
      isTold = true;
    }
    console.log(
      `${report.seconds.toFixed(0).padStart(5)} s ${countFaults(report)} faults; ${describe(step)}`,
    );
  },
  () => isStopped,
);

console.log(`\n${formatReport(end.report, end.totals)}`);
if (end.problems.length > 0) {
  const { engine, seed } = end.report;
  console.error(`\nStep ${end.lastStep?.number} of seed ${seed} on ${engine} was not survived:`);
  for (const problem of end.problems.slice(0, 20)) console.error(`  ${problem}`);
  console.error(`The folder is kept: ${end.folder} (service.log, steps.jsonl, problems.txt, the data).`);
}
process.exit(end.problems.length > 0 ? 1 : 0);

function describe({ number, faults, isChecked }: Step): string {
  const kinds = faults.map(({ kind, depth, shiftSeconds }) => {
    if (depth > 0) return `${kind} ${depth}`;
    return shiftSeconds === 0 ? kind : `${kind} ${shiftSeconds} s`;
  });
  return `step ${number}: ${kinds.join(', ')}${isChecked === 'fully' ? ', and everything is compared' : ''}`;
}
