import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function watch(isTTY: boolean) {
  let written = '';
  let nowMs = 0;
  const output = {
    isTTY,
    write(text: string | Uint8Array) {
      written += String(text);
      return true;
    },
  };
  const progress = createProgress({ output, now: () => nowMs });
  return {
    progress,
    written: () => written,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test('at a terminal, one line is in the place of the one before, and is gone at the end', () => {
  const { progress, written } = watch(true);
  progress.show('1 of 3');
  progress.show('2 of 3');
  progress.end();
  expect(written()).toBe('\r\u001b[K1 of 3\r\u001b[K2 of 3\r\u001b[K');
});

test('where nobody watches there is a line every five seconds, and none of what is quick', () => {
  const { progress, written, pass } = watch(false);
  progress.show('1 of 3');
  pass(5_000);
  progress.show('2 of 3');
  progress.show('3 of 3');
  progress.end();
  expect(written()).toBe('2 of 3\n');
});
