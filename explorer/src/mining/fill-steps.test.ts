import { expect, test } from 'vitest';
import { fillSteps, writeHashrateCsv } from './fill-steps.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const series = (minutes: readonly number[]) => ({
  from: at(0),
  to: at(10),
  step_seconds: 60,
  points: minutes.map((minute) => ({ time: at(minute), hashes_per_second: `${minute}.500` })),
});

test('a step that was not observed is a gap; the chart begins with what is known first', () => {
  expect(fillSteps(series([5, 6, 8]))).toEqual({
    times: [5, 6, 7, 8].map(at),
    values: [5.5, 6.5, null, 8.5],
  });
  expect(fillSteps(series([])).times).toEqual([]);
  expect(fillSteps(series([9])).values).toEqual([9.5]);
  // The pool fell silent: all but the step that is under way stays a gap.
  expect(fillSteps(series([1, 2])).values).toEqual([1.5, 2.5, ...Array(6).fill(null)]);
});

test('its data are those of the service, line by line', () => {
  expect(writeHashrateCsv(series([5]))).toBe(`time,hashes_per_second\r\n${at(5)},5.500\r\n`);
});
