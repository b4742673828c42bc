/** `npm run replay`: names, tokens and proofs a second time, from `docs/protocols` alone, compared with what a service says. */

import { Unreadable } from './bytes.ts';
import { Refused, Unavailable } from './client.ts';
import { BadArguments, readOptions, USAGE } from './options.ts';
import { run } from './run.ts';

const CANNOT = 2;

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else process.exitCode = await run(options, interrupt.signal);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const isKnown = [BadArguments, Refused, Unavailable, Unreadable].some((each) => error instanceof each);
  process.stderr.write(`${isKnown ? error.message : error.stack}\n`);
  if (error instanceof BadArguments) process.stderr.write(`\n${USAGE}`);
  process.exitCode = CANNOT;
}
