import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.ts';

const common = {
  target: 'es2023',
  noEmit: false,
  noEmitOnError: true,
  rewriteRelativeImportExtensions: true,
  rootDir: '.',
  outDir: 'dist',
};

/** How the SDK is compiled: for browsers, and for people whose editors lead them to its sources. */
export const forBrowsers = {
  ...common,
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  declaration: true,
  declarationMap: true,
  sourceMap: true,
};

/** How programs are compiled: `npm run typecheck` has looked at their types. */
export const forNode = { ...common, noCheck: true };

/**
 * Compiles what was staged, into `dist` there.
 *
 * @throws Error with what the compiler says
 */
export function compile(stage: string, compilerOptions: object, include: readonly string[]): void {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions,
    include,
    exclude: ['**/testing/**'],
  };
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: stage, encoding: 'utf8' });
  } catch (error) {
    throw new Error(`The packages do not compile:\n${(error as { stdout: string }).stdout}`);
  }
}
