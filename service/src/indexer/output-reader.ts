import { listOutputScripts } from '@coinfront/protocol/output-script.ts';
import { findOutput, type PagedOutput, type PagedTx, readOutputs, readRaw } from './tx-page.ts';
import { readScriptOf } from './tx-store.ts';

/** Reads outputs of transactions of the index, in time that grows with what is read, however large they are. */
export type OutputReader = {
  /** An output; undefined when there are fewer. */
  find(tx: PagedTx, vout: number): PagedOutput | undefined;
  /** @throws Error when there is no such output */
  readScript(tx: PagedTx, vout: number): Uint8Array;
  /** Lets go of the transactions that were read: for who goes from one to the next. */
  forget(): void;
};

/** An output is found by passing over those before it: from so many on, all are read at once and kept. */
const FEW = 8;

/** Creates a reader, for as long as its transactions are held. They are told apart as objects. */
export function createOutputReader(): OutputReader {
  const outputs = createMemory(readOutputs);
  const scripts = createMemory((tx) => listOutputScripts(readRaw(tx)));
  return {
    find(tx, vout) {
      const all = outputs.find(tx);
      return all ? all[vout] : findOutput(tx, vout);
    },
    readScript: (tx, vout) => scripts.find(tx)?.[vout] ?? readScriptOf(tx, vout),
    forget() {
      outputs.forget();
      scripts.forget();
    },
  };
}

function createMemory<T>(readAll: (tx: PagedTx) => T[]) {
  const asked = new Map<PagedTx, number | T[]>();
  return {
    /** All of a transaction, once it was asked for more than a few times. */
    find(tx: PagedTx): T[] | undefined {
      const known = asked.get(tx) ?? 0;
      if (typeof known !== 'number') return known;
      const next = known < FEW ? known + 1 : readAll(tx);
      asked.set(tx, next);
      return typeof next === 'number' ? undefined : next;
    },
    forget: () => asked.clear(),
  };
}
