import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { listImports, listUrls, rewriteImports, rewriteUrls } from './imports.ts';

const builtIn: ReadonlySet<string> = new Set(builtinModules);
/** Other texts behind a `from` are no specifiers, nor is `node:fs`. */
const packageName = /^(@[\w.-]+\/)?[a-z][\w./-]*$/;
const toCompiled = (path: string) => path.replace(/(?<!\.d)\.ts$/, '.js');

/**
 * Copies compiled modules, what they import, and the workers and files that they name by `new URL(…, import.meta.url)`.
 *
 * @param from - a folder with `dist`, what was compiled, and beside it what is taken as it is
 * @param entries - below `dist`: where reading begins, `.js` and `.d.ts`
 * @returns the packages that are imported from outside
 */
export function copyReachable(from: string, to: string, entries: readonly string[]): Set<string> {
  const packages = new Set<string>();
  const waiting = [...entries];
  const seen = new Set(waiting);
  const reach = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    waiting.push(path);
  };
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    if (!/\.(js|d\.ts)$/.test(file)) {
      cpSync(join(from, file), join(to, file), { recursive: true });
      continue;
    }
    const compiled = join(from, 'dist', file);
    const path = existsSync(compiled) ? compiled : join(from, file);
    const source = rewriteUrls(
      rewriteImports(readFileSync(path, 'utf8'), (each) => (each.startsWith('.') ? toCompiled(each) : each)),
      toCompiled,
    );
    writeFileSync(join(to, file), source);
    if (existsSync(`${compiled}.map`)) cpSync(`${compiled}.map`, join(to, `${file}.map`));
    for (const specifier of listImports(source)) {
      if (specifier.startsWith('.')) {
        const target = posix.join(posix.dirname(file), specifier);
        reach(file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target);
      } else if (packageName.test(specifier) && !builtIn.has(specifier)) {
        packages.add(nameOfPackage(specifier));
      }
    }
    for (const url of listUrls(source)) reach(posix.join(posix.dirname(file), url));
  }
  return packages;
}

function nameOfPackage(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
