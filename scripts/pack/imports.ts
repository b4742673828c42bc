/** How files name others in TypeScript, JavaScript and declarations that are laid out as this repository's are. */

const specifier = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g;
const url = /(\bnew URL\(\s*)(['"])(\.[^'"\n]+)\2(?=\s*,\s*import\.meta\.url)/g;
const json = /(\bfrom\s*)(['"])(\.[^'"\n]+\.json)\2 with \{ type: 'json' \}/g;

/** Every specifier that a file imports or exports from. */
export function listImports(source: string): string[] {
  return [...source.matchAll(specifier)].map((match) => match[3]!);
}

/** Files beside a file that it starts or reads: `new URL('./worker.ts', import.meta.url)`. */
export function listUrls(source: string): string[] {
  return [...source.matchAll(url)].map((match) => match[3]!);
}

/** The file with each specifier replaced. */
export function rewriteImports(source: string, replace: (specifier: string) => string): string {
  return source.replace(
    specifier,
    (_, before: string, quote: string, name: string) => before + quote + replace(name) + quote,
  );
}

/** The file with each of the URLs of `listUrls` replaced. */
export function rewriteUrls(source: string, replace: (path: string) => string): string {
  return source.replace(
    url,
    (_, before: string, quote: string, path: string) => before + quote + replace(path) + quote,
  );
}

/** Imports of JSON become those of modules: Node 22 calls the former experimental, on the terminal of whoever runs it. */
export function importJsonAsModules(source: string): { source: string; imported: string[] } {
  const imported: string[] = [];
  const rewritten = source.replace(json, (_, before: string, quote: string, path: string) => {
    imported.push(path);
    return `${before}${quote}${path}.ts${quote}`;
  });
  return { source: rewritten, imported };
}
