import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * A program that is started with `node --import` of this file keeps what Node has compiled for its next start, which takes
 * half of the processor's time then. The folder belongs to whoever installed the packages: the common temporary one, Node's
 * default, is open to code of others. Where it cannot be written nothing is kept.
 *
 * It is JavaScript since it comes before the cache is there: every thread loads it, and with types each would also load
 * and run what strips them.
 */
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'));
