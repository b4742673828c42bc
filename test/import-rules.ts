import { posix } from 'node:path';

/** One breach of the import rules of the project's design, ready to be read. */
export type Violation = string;

type Import = {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Path from the repository's root, for a file of ours. */
  readonly path: string | undefined;
};

const WORKSPACE = /^@coinfront\/([a-z]+)\//;
const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** What each workspace may import of the others; itself always. */
const ALLOWED_WORKSPACES: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  api: ['protocol'],
  sdk: ['protocol', 'api'],
  service: ['protocol', 'api'],
  cli: ['protocol', 'api', 'sdk'],
  explorer: ['protocol', 'api', 'sdk'],
  replay: [],
};

/** Packages of database engines, and of speaking HTTP to others, with the folders that may use them. */
const CONFINED_PACKAGES: ReadonlyArray<readonly [name: RegExp, ...folders: string[]]> = [
  [/^(node:sqlite|pg)$/, 'service/src/db/'],
  [/^undici$/, 'service/src/node/', 'service/src/outbound/'],
];

const IO_PACKAGES =
  /^(node:(fs|fs\/promises|net|http|https|dgram|child_process|sqlite|worker_threads|tls)|pg|undici|fastify)$/;

/**
 * Checks one source file against the rules.
 *
 * @param path - from the repository's root, with `/`
 */
export function findViolations(path: string, source: string): Violation[] {
  const isTest = path.endsWith('.test.ts') || path.startsWith('test/') || path.includes('/testing/');
  const imports = readImports(path, source);
  const violations: Violation[] = [];
  const report = (what: string) => violations.push(`${path}: ${what}`);

  if (posix.basename(path) === 'index.ts') report('is a barrel; import from the file that defines a thing');
  if (/^export default new /m.test(source)) report('exports a singleton');
  if (isTest) return violations;

  for (const { specifier, typeOnly, path: target } of imports) {
    checkWorkspace(path, target, typeOnly, specifier, report);
    if (target !== undefined) checkWithinService(path, target, typeOnly, report);
    else checkPackage(path, specifier, report);
  }
  // Scripts, benchmarks and examples are commands, and read what their caller sets; the service has one reader.
  const mayReadEnvironment = path === 'service/src/config.ts' || /^(scripts|bench|examples)\//.test(path);
  if (!mayReadEnvironment && /\bprocess\.env\b/.test(source)) {
    report('reads process.env; only service/src/config.ts does');
  }
  return violations;
}

function checkWorkspace(
  path: string,
  target: string | undefined,
  typeOnly: boolean,
  specifier: string,
  report: (what: string) => void,
): void {
  const own = topFolder(path);
  const allowed = ALLOWED_WORKSPACES[own];
  if (target === undefined || allowed === undefined) return;
  const other = topFolder(target);
  if (other === own) return;
  if (!allowed.includes(other)) report(`${own} imports ${specifier}`);
  else if (!specifier.startsWith('@coinfront/'))
    report(`imports ${specifier} by path, not by workspace name`);
  else if ((own === 'sdk' || own === 'explorer') && other === 'api' && !typeOnly)
    report(`${own} imports more than types of ${specifier}`);
}

function checkWithinService(
  path: string,
  target: string,
  typeOnly: boolean,
  report: (what: string) => void,
): void {
  const part = partOf(path);
  const otherPart = partOf(target);
  if (part !== undefined && otherPart !== undefined && part !== otherPart) {
    report(`part ${part} imports part ${otherPart}; main.ts passes functions between parts`);
  }
  if (isStore(path) && target.startsWith('service/src/http/')) report(`a store imports ${target}`);
  // Rules may know the shape of what they judge.
  if (isRules(path) && !typeOnly && /^service\/src\/(db|node|http)\//.test(target))
    report(`rules import ${target}`);
}

function checkPackage(path: string, specifier: string, report: (what: string) => void): void {
  const own = topFolder(path);
  if ((own === 'protocol' || own === 'sdk' || own === 'explorer') && specifier.startsWith('node:')) {
    report(`${own} imports ${specifier}, which browsers lack`);
  }
  // A second implementation that shares something with the first would share its faults.
  if (own === 'replay' && !specifier.startsWith('node:')) report(`replay imports ${specifier}`);
  if (isRules(path) && IO_PACKAGES.test(specifier)) report(`rules import ${specifier}`);
  if (topFolder(path) !== 'service') return;
  for (const [name, ...folders] of CONFINED_PACKAGES) {
    if (name.test(specifier) && !folders.some((folder) => path.startsWith(folder)))
      report(`imports ${specifier}; only ${folders.join(' and ')} does`);
  }
}

function readImports(path: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3] ?? '';
    return { specifier, typeOnly: match[1] !== undefined, path: resolve(path, specifier) };
  });
}

function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  const workspace = WORKSPACE.exec(specifier);
  return workspace ? specifier.slice('@coinfront/'.length) : undefined;
}

function topFolder(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function partOf(path: string): string | undefined {
  return /^service\/src\/parts\/([^/.]+)/.exec(path)?.[1];
}

function isStore(path: string): boolean {
  return /(^|\/)([a-z-]+-)?store\.ts$/.test(path);
}

function isRules(path: string): boolean {
  return /(^|\/)([a-z-]+-)?rules\.ts$/.test(path) && path.startsWith('service/');
}
