import { joinSubtrees } from './merkle-ranges.ts';
import { hashNode, rootOfLeaves } from './merkle-tree.ts';

/** Takes the leaves of a log one by one, and has the root of all so far. */
export type Frontier = { add(leafHash: Uint8Array): void; size(): number; root(): Uint8Array };

/** Begins a tree without leaves. It keeps the roots of its whole subtrees only. */
export function createFrontier(): Frontier {
  const subtrees: { level: number; root: Uint8Array }[] = [];
  let size = 0;
  return {
    add(leafHash) {
      size += 1;
      let last = { level: 0, root: leafHash };
      while (subtrees.at(-1)?.level === last.level) {
        const { level, root } = subtrees.pop()!;
        last = { level: level + 1, root: hashNode(root, last.root) };
      }
      subtrees.push(last);
    },
    size: () => size,
    root: () => (size === 0 ? rootOfLeaves([]) : joinSubtrees(subtrees.map(({ root }) => root))),
  };
}
