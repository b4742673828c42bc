import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.ts';

type Needs = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/**
 * Copies installed packages and all that they depend on, into `node_modules` of a folder; of what is optional, what is installed here.
 *
 * @returns the names of all
 */
export function copyPackages(folder: string, names: readonly string[]): string[] {
  const waiting = [...names];
  const copied = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (copied.has(name)) continue;
    copied.add(name);
    const from = join(root, 'node_modules', name);
    cpSync(from, join(folder, 'node_modules', name), { recursive: true });
    const needs = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Needs;
    const optional = Object.keys(needs.optionalDependencies ?? {});
    const needed = Object.keys(needs.dependencies ?? {}).filter((each) => !optional.includes(each));
    waiting.push(
      ...needed.filter((each) => !existsSync(join(from, 'node_modules', each))),
      ...optional.filter((each) => existsSync(join(root, 'node_modules', each))),
    );
  }
  return [...copied].sort();
}
