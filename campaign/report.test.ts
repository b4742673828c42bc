import { expect, test } from 'vitest';
import { countFaults, createReport, formatReport } from './report.ts';

test('a report counts faults kind by kind and says how long coming back took', () => {
  const report = createReport('sqlite', 5);
  report.faults.set('node-killed', 2).set('service-killed', 3);
  report.steps = 4;
  report.recoveriesMs.push(100, 3_000, 200);
  report.seconds = 90;
  expect(countFaults(report)).toBe(5);
  expect(formatReport(report, { payments: 7 }).split('\n')).toEqual([
    '| sqlite, seed 5, 1.5 minutes | |',
    '|---|---|',
    '| service-killed | 3 |',
    '| node-killed | 2 |',
    '| **faults in all** | **5** |',
    '| steps, of which with faults that met | 4, 0 |',
    '| full comparisons with a fresh sync | 0 |',
    '| indexes made anew after a reorganisation beyond the horizon | 0 |',
    '| last fault to all being well, p50 / p99 | 0.20 s / 0.20 s |',
    '| payments | 7 |',
  ]);
});
