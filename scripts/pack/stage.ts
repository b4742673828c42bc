import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listFiles, root } from './files.ts';
import { importJsonAsModules, rewriteImports } from './imports.ts';

/** What is no part of a package: tests, and what is built or installed. */
const notSources = /node_modules|\.test\.ts$|explorer\/dist/;

/**
 * Copies folders of the repository to where they are compiled, with the workspaces' names replaced by paths and JSON by modules:
 * the compiler rewrites nothing else.
 */
export function stageSources(stage: string, folders: readonly string[]): void {
  mkdirSync(stage, { recursive: true });
  // Else the compiler takes folders without a manifest of their own for CommonJS.
  writeFileSync(join(stage, 'package.json'), '{"type":"module"}\n');
  for (const folder of folders) {
    cpSync(join(root, folder), join(stage, folder), {
      recursive: true,
      filter: (path) => !notSources.test(path),
    });
    for (const file of listFiles(join(stage, folder), '.ts')) {
      const here = posix.dirname(posix.join(folder, file));
      const path = join(stage, folder, file);
      const toPath = (specifier: string) =>
        specifier.startsWith('@coinfront/')
          ? posix.relative(here, specifier.slice('@coinfront/'.length)).replace(/^(?!\.)/, './')
          : specifier;
      const { source, imported } = importJsonAsModules(rewriteImports(readFileSync(path, 'utf8'), toPath));
      writeFileSync(path, source);
      for (const json of imported) {
        const text = readFileSync(join(root, here, json), 'utf8');
        writeFileSync(join(stage, here, `${json}.ts`), `export default ${text.trim()};\n`);
      }
    }
  }
  symlinkSync(join(root, 'node_modules'), join(stage, 'node_modules'));
}
