/** Import specifiers in TypeScript, JavaScript and declarations that are laid out as this repository's are. */

const specifier = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g;

/** Every specifier that a file imports or exports from. */
export function listImports(source: string): string[] {
  return [...source.matchAll(specifier)].map((match) => match[3]!);
}

/** The file with each specifier replaced. */
export function rewriteImports(source: string, replace: (specifier: string) => string): string {
  return source.replace(
    specifier,
    (_, before: string, quote: string, name: string) => before + quote + replace(name) + quote,
  );
}
