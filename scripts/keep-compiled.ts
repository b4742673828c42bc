/** Arguments of Node, before those of a program: what is compiled is kept for the next start (`compile-cache.js`). */
export const keepCompiled = ['--import', new URL('./compile-cache.js', import.meta.url).href] as const;
