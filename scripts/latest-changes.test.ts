import { expect, test } from 'vitest';
import { takeLatestChanges } from './latest-changes.ts';

test('it begins with the newest section', () => {
  expect(takeLatestChanges('# Changelog\n\nWords.\n\n## Unreleased\n\n- One.\n')).toBe(
    '## Unreleased\n\n- One.',
  );
  expect(takeLatestChanges('# Changelog\n')).toBe('');
});

test('a long one ends with a whole entry', () => {
  const entries = Array.from({ length: 2_000 }, (_, i) => `- Entry ${i}\n  goes on.`);
  const taken = takeLatestChanges(`# Changelog\n\n## 2.0.0\n\n${entries.join('\n')}\n`);
  expect(taken.length).toBeLessThanOrEqual(24_000);
  expect(taken.length).toBeGreaterThan(23_000);
  expect(taken.split('\n').at(-1)).toBe('  goes on.');
});
