import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, forBrowsers } from './compile.ts';
import { copyReachable } from './copy-reachable.ts';
import { listFiles, root } from './files.ts';
import { findVersions, readManifest, toRanges, writeManifest } from './manifest.ts';
import { describeTypes } from './schema-types.ts';
import { stageSources } from './stage.ts';

const workspaces = ['sdk', 'api', 'protocol'];

/**
 * The SDK as others install it: JavaScript and declarations, with what it needs of `api/` and `protocol/` inside, and the sources
 * that maps and editors lead to.
 *
 * Node does not strip types inside of node_modules, so it has to be built.
 *
 * @throws Error when it does not compile, or imports a package that no workspace names
 */
export async function buildSdkPackage(folder: string): Promise<void> {
  const stage = `${folder}.stage`;
  try {
    stageSources(stage, workspaces);
    const types = await describeAnswers(stage);
    compile(stage, forBrowsers, [...workspaces, types]);
    const entries = ['.js', '.d.ts'].flatMap((ending) =>
      listFiles(join(stage, 'dist/sdk'), ending).map((file) => `sdk/${file}`),
    );
    const packages = copyReachable(stage, join(folder, 'dist'), entries);
    copySources(stage, folder);
    writeSdkManifest(folder, packages);
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    copyFileSync(join(root, 'sdk/README.md'), join(folder, 'README.md'));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Writes the types of answers out, with a comment for each field.
 *
 * @returns a file whose compilation proves that they are the types which they were
 */
async function describeAnswers(stage: string): Promise<string> {
  const folder = join(stage, 'api');
  const same = ['type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;'];
  same.push("import type { Static } from 'typebox';");
  for (const [index, file] of listFiles(folder, '.ts')
    .filter((each) => !each.endsWith('.json.ts'))
    .entries()) {
    const path = join(folder, file);
    const exported = (await import(join(root, 'api', file))) as Record<string, unknown>;
    const source = readFileSync(path, 'utf8');
    const names: string[] = [];
    const described = describeTypes(source, exported, (name, schema) => {
      names.push(name);
      same.push(`true satisfies Same<api${index}.${name}, Static<typeof api${index}.${schema}>>;`);
    });
    if (names.length === 0) continue;
    same.push(`import type * as api${index} from './api/${file}';`);
    // Whatever the file needed `Static` for may be gone.
    writeFileSync(
      path,
      /\bStatic</.test(described) ? described : described.replace(/,? type Static\b|\btype Static,? /, ''),
    );
  }
  writeFileSync(join(stage, 'same-types.ts'), `${same.join('\n')}\n`);
  return 'same-types.ts';
}

/** Sources of all that is in the package, where its maps say that they are. */
function copySources(stage: string, folder: string): void {
  for (const file of listFiles(join(folder, 'dist'), '.map')) {
    const map = JSON.parse(readFileSync(join(folder, 'dist', file), 'utf8')) as { sources: string[] };
    const source = file.replace(/\.(d\.ts|js)\.map$/, '.ts');
    mkdirSync(join(folder, 'src', source, '..'), { recursive: true });
    cpSync(join(stage, source), join(folder, 'src', source));
    const up = '../'.repeat(file.split('/').length);
    writeFileSync(
      join(folder, 'dist', file),
      JSON.stringify({ ...map, sourceRoot: '', sources: [`${up}src/${source}`] }),
    );
  }
}

function writeSdkManifest(folder: string, packages: ReadonlySet<string>): void {
  const { name, version, license } = readManifest('sdk');
  const entry = { types: './dist/sdk/*.d.ts', default: './dist/sdk/*.js' };
  writeManifest(folder, {
    name,
    version,
    license,
    description: 'Client and wallet of a Coinfront service: keys never leave.',
    keywords: ['blockchain', 'bitcoin', 'litecoin', 'dogecoin', 'wallet', 'psbt', 'payments', 'webhooks'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: {
      '.': { types: './dist/sdk/all.d.ts', default: './dist/sdk/all.js' },
      './package.json': './package.json',
      './*.js': entry,
      './*.ts': entry,
      './*': entry,
    },
    files: ['dist', 'src', 'README.md', 'LICENSE'],
    dependencies: toRanges(findVersions(workspaces, packages)),
  });
}
