/** Which methods a path answers: for 405 with `Allow`, and for OPTIONS. */

export type MethodIndex = {
  add(method: string, pattern: string): void;
  /** The methods of the first pattern that fits the path, in a fixed order; empty when none fits. */
  find(path: string): readonly string[];
};

/** Creates an empty index. Patterns have `:name` for one part of the path. */
export function createMethodIndex(): MethodIndex {
  const patterns = new Map<string, { parts: readonly string[]; methods: Set<string> }>();
  return {
    add(method, pattern) {
      const known = patterns.get(pattern) ?? { parts: pattern.split('/'), methods: new Set() };
      known.methods.add(method);
      patterns.set(pattern, known);
    },
    find(path) {
      const parts = path.split('/', 32);
      const methods = new Set<string>();
      for (const pattern of patterns.values()) {
        if (fits(pattern.parts, parts)) for (const method of pattern.methods) methods.add(method);
      }
      if (methods.size > 0) methods.add('OPTIONS');
      return [...methods].sort();
    },
  };
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
  );
}
