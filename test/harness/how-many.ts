/**
 * How often a suite repeats what is random in it: fewer times in a usual run, more in `npm run test:long`, which runs these suites
 * once more.
 */
export function howMany(usual: number, long: number): number {
  return process.env.COINFRONT_TEST_LONG === '1' ? long : usual;
}
