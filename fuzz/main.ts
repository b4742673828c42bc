import { fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Order, Report } from './run-target.ts';
import { type TargetName, targetNames } from './targets/all-targets.ts';

const USAGE = `npm run fuzz -- [target …] [options]
  tries inputs that break the law of what reads them: every answer in time, every error of a known kind
targets: ${targetNames.join(', ')} (default: all)
options: --inputs N (1000000): of each target
         --seed S (a new one): the same seed tries the same inputs
         --no-growth: leaves the doubling of inputs out, for all but the first piece of a run
         --keep: writes the inputs that reach most into fuzz/corpus
What breaks the law is printed, and written into fuzz/found, from where every run tries it first.`;

/** Without a word for so long a target hangs. */
const SILENCE_MS = 120_000;

type Done = Extract<Report, { kind: 'done' }>;

const { targets, ...order } = readOptions();
console.log(`seed ${order.seed}`);
const rows: string[][] = [];
let isBroken = false;
for (const target of targets) {
  const outcome = await runTarget({ target, ...order });
  if (typeof outcome === 'string') {
    isBroken = true;
    rows.push([target, outcome]);
    console.error(`\n${target}: ${outcome}`);
    continue;
  }
  const { result, growth, reads, seconds } = outcome;
  for (const { input, error } of result.findings) {
    console.error(`\n${target}: ${error}\n  ${Buffer.from(input).toString('hex').slice(0, 400)}`);
  }
  for (const { family, bytes, stepRatio, timeRatio, isTooSteep } of growth) {
    if (isTooSteep)
      console.error(
        `\n${target}: of twice the "${family}" the work grows ${stepRatio.toFixed(2)}-fold in steps, ${timeRatio.toFixed(2)}-fold in time, up to ${bytes} bytes`,
      );
  }
  const steep = growth.filter(({ isTooSteep }) => isTooSteep).length;
  isBroken ||= result.findings.length > 0 || steep > 0;
  const worst = (pick: (each: (typeof growth)[number]) => number) =>
    Math.max(0, ...growth.map(pick)).toFixed(2);
  rows.push([
    target,
    reads,
    result.tried.toLocaleString('en'),
    `${result.reached} of ${result.loaded}`,
    String(result.findings.length),
    `${worst((each) => each.stepRatio)} / ${worst((each) => each.timeRatio)}`,
    `${seconds.toFixed(0)} s`,
  ]);
}
printTable(['target', 'reads', 'inputs', 'blocks reached', 'findings', 'growth: steps / time', 'took'], rows);
process.exit(isBroken ? 1 : 0);

function runTarget(order: Order): Promise<Done | string> {
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'run-target.ts'), [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Inputs are bytes.
      serialization: 'advanced',
    });
    let tried = 0;
    let done: Done | undefined;
    const hang = () => child.kill('SIGKILL');
    let timer = setTimeout(hang, SILENCE_MS);
    child.on('message', (report: Report) => {
      clearTimeout(timer);
      timer = setTimeout(hang, SILENCE_MS);
      if (report.kind === 'done') done = report;
      else tried = report.tried;
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      resolve(done ?? `ended with ${code ?? signal} after some ${tried} inputs`);
    });
    child.send(order);
  });
}

function printTable(head: readonly string[], lines: readonly (readonly string[])[]): void {
  console.log(`\n| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`);
  for (const line of lines) console.log(`| ${line.join(' | ')} |`);
}

function readOptions(): { targets: TargetName[] } & Omit<Order, 'target'> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        inputs: { type: 'string', default: '1000000' },
        seed: { type: 'string' },
        keep: { type: 'boolean', default: false },
        growth: { type: 'boolean', default: true },
      },
      allowNegative: true,
    });
    const unknown = positionals.find((name) => !targetNames.includes(name as TargetName));
    if (unknown !== undefined) throw new Error(`There is no target "${unknown}".`);
    return {
      targets: positionals.length === 0 ? targetNames : (positionals as TargetName[]),
      inputs: readCount('inputs', values.inputs),
      seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readCount('seed', values.seed),
      keep: values.keep,
      growth: values.growth,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new Error(`--${name} takes a whole number, got "${text}".`);
}
