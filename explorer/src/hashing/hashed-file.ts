import { createStore } from '../data/store.ts';

/** The file that was hashed last, for the page of its digest. Neither name nor content leaves the browser. */
export const hashedFile = createStore<{ name: string; bytes: number; digest: string } | undefined>(undefined);
