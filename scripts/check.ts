import { spawn } from 'node:child_process';
import { once } from 'node:events';

// What `npm test` runs: the checks of every day, each with its time; the exit code says whether all passed.

type Step = { readonly name: string; readonly args: readonly string[] };

const steps: readonly Step[] = [
  { name: 'format and lint', args: ['node_modules/@biomejs/biome/bin/biome', 'ci', '.'] },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'types of browser code', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.browser.json'] },
  {
    name: 'tests',
    args: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'whole', '--project', 'modules'],
  },
];

async function run(step: Step): Promise<boolean> {
  console.log(`\n== ${step.name}`);
  const started = performance.now();
  const child = spawn(process.execPath, step.args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`== ${step.name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return code === 0;
}

process.chdir(new URL('..', import.meta.url).pathname);
let failed = 0;
// A failed step does not hide what the later ones would say.
for (const step of steps) {
  if (!(await run(step))) failed += 1;
}
console.log(`\nchecks: ${steps.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
