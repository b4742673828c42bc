import { expect, test } from 'vitest';
import { readChanges, splitEntry } from './read-changes.ts';

test('sections have groups, and these have entries of one line or several', () => {
  const text =
    '## Unreleased\n\n### Added\n\n- One\n  goes on.\n- Two.\n\n### Fixed\n\n- Three.\n\n## 1.0.0\n';
  expect(readChanges(text)).toEqual([
    {
      title: 'Unreleased',
      groups: [
        { title: 'Added', entries: ['One goes on.', 'Two.'] },
        { title: 'Fixed', entries: ['Three.'] },
      ],
    },
    { title: '1.0.0', groups: [] },
  ]);
});

test('what is in no section is left out', () => {
  expect(readChanges('- stray\n  line\n### Added\n')).toEqual([]);
});

test('an entry has words and code; of links the words', () => {
  expect(splitEntry('`GET /a` and [docs](docs/a.md#b).')).toEqual([
    { text: 'GET /a', isCode: true },
    { text: ' and docs.', isCode: false },
  ]);
});
