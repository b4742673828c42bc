/**
 * Bytes of scripts that are paid again and again, so that they need not be read to be recognised. Two generations: what
 * is used stays, and the size is bounded.
 */
export type ScriptMemory = {
  find(id: number): Uint8Array | undefined;
  add(id: number, script: Uint8Array): void;
  clear(): void;
};

/** @param capacity scripts a generation, about 150 bytes each */
export function createScriptMemory(capacity: number): ScriptMemory {
  let young = new Map<number, Uint8Array>();
  let old = new Map<number, Uint8Array>();
  const add = (id: number, script: Uint8Array): void => {
    if (young.size >= capacity) {
      old = young;
      young = new Map();
    }
    young.set(id, script);
  };
  return {
    find(id) {
      const recent = young.get(id);
      if (recent) return recent;
      const older = old.get(id);
      if (older) add(id, older);
      return older;
    },
    add,
    clear() {
      young = new Map();
      old = new Map();
    },
  };
}
