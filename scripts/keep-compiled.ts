import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * A program that is started with `node --import` of this file keeps what Node has compiled for its next start, which takes
 * half of the processor's time then. The folder belongs to whoever installed the packages: the common temporary one, Node's
 * default, is open to code of others. Where it cannot be written nothing is kept. Commands are started so, and tests; the service
 * is not, for it starts seldom, and its first sync would take 55 MB more.
 */
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));

/** Arguments of Node, before those of the program. */
export const keepCompiled = ['--import', import.meta.url] as const;
