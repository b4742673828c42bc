import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyCache } from './body-cache.ts';

const body = (text: string) => ({
  text,
  contentType: 'text/plain',
  cacheControl: 'no-cache',
  forms: new Map(),
});

test('a body is found under its tag and URL only', () => {
  const cache = createBodyCache(1000);
  cache.put('a', '/x', body('1'));
  expect(cache.find('a', '/x')?.text).toBe('1');
  expect(cache.find('a', '/y')).toBeUndefined();
  expect(cache.find('b', '/x')).toBeUndefined();
});

test('a new tag forgets everything', () => {
  const cache = createBodyCache(1000);
  cache.put('a', '/x', body('1'));
  cache.put('b', '/y', body('2'));
  cache.put('a', '/z', body('3'));
  expect(cache.find('a', '/x')).toBeUndefined();
});

test('never more is kept than allowed, and never anything wrong is found', () => {
  const steps = fc.array(fc.tuple(fc.nat(30), fc.nat(60), fc.boolean()), { maxLength: 300 });
  fc.assert(
    fc.property(steps, (list) => {
      const cache = createBodyCache(300);
      const length = new Map<string, number>();
      for (const [name, size, isRead] of list) {
        const url = `/${name}`;
        if (isRead) {
          const found = cache.find('tag', url);
          if (found !== undefined) expect(found.text).toBe('x'.repeat(length.get(url) ?? -1));
        } else if (cache.find('tag', url) === undefined) {
          length.set(url, size);
          cache.put('tag', url, body('x'.repeat(size)));
        }
      }
      const kept = [...length].filter(([url]) => cache.find('tag', url) !== undefined);
      // Looking moves bodies between generations, which may drop some but never adds any.
      expect(kept.reduce((sum, [url, size]) => sum + url.length + size, 0)).toBeLessThanOrEqual(300 + 150);
    }),
  );
});

test('what is asked often survives what is asked once', () => {
  const cache = createBodyCache(100);
  cache.put('tag', '/hot', body('h'));
  for (let i = 0; i < 200; i++) {
    cache.put('tag', `/cold-${i}`, body('c'));
    expect(cache.find('tag', '/hot')?.text).toBe('h');
  }
});
