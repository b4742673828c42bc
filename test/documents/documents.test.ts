import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const exclude = (name: string): boolean => /(^|\/)(node_modules|packages|data)(\/|$)/.test(name);
const list = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude }).filter((name) => !exclude(name));
const pages = list('**/*.md');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Text without blocks and spans of code, in which brackets mean something else. */
const withoutCode = (text: string): string =>
  text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, 'code');

/** The anchors of a page, made from its headings as GitHub makes them. */
function anchorsOf(name: string): Set<string> {
  const anchors = new Set<string>();
  const text = read(name).replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  for (const [, heading] of text.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let i = 1; anchors.has(unique); i++) unique = `${anchor}-${i}`;
    anchors.add(unique);
  }
  return anchors;
}

test('every link from one page of the documentation leads to a file, and to a heading that it has', () => {
  const broken = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].flatMap(([, link]) => {
      if (/^[a-z]+:/.test(link!)) return [];
      const [path = '', anchor] = link!.split('#');
      const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
      if (!existsSync(join(root, target))) return [`${page}: ${link}`];
      const isFound = anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor);
      return isFound ? [] : [`${page}: ${link}`];
    }),
  );
  expect(pages.length).toBeGreaterThan(40);
  expect(broken).toEqual([]);
});

test('every dependency is named with its reason', () => {
  const named = new Set(
    [...read('docs/decisions/dependencies.md').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const unnamed = list('**/package.json').flatMap((file) => {
    const { dependencies = {}, devDependencies = {}, peerDependencies = {} } = JSON.parse(read(file));
    return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }).filter(
      (name) => !name.startsWith('@coinfront/') && !named.has(name),
    );
  });
  expect(unnamed).toEqual([]);
});

test('decisions stand newest first, and the list of their subjects says when each was last added to', () => {
  const index = [...read('docs/decisions.md').matchAll(/^\| (\S+) \| \[.*?\]\(decisions\/(\S+?)\)/gm)];
  const datesOf = (file: string): string[] =>
    [...read(`docs/decisions/${file}`).matchAll(/^## .+\n\n(20\d\d-\d\d-\d\d)/gm)].map(([, date]) => date!);
  expect(index.map(([, , file]) => file!).sort()).toEqual(
    list('docs/decisions/*.md')
      .map((name) => name.replace('docs/decisions/', ''))
      .sort(),
  );
  for (const [, date, file] of index) {
    const dates = datesOf(file!);
    expect([file, dates]).toEqual([file, [...dates].sort().reverse()]);
    expect([file, date]).toEqual([file, dates[0]]);
  }
  const subjects = index.map(([, date]) => date!);
  expect(subjects).toEqual([...subjects].sort().reverse());
});
