import { randomBytes } from 'node:crypto';
import { copyOutputs, packOutputs } from './copy-outputs.ts';
import { openRunFile } from './run-file.ts';
import type { RunWriting } from './run-storage.ts';
import { createRunFile } from './write-run-file.ts';

/** Begins the file of a run, of a name that was never used: nobody can take one for another. */
export function beginRunFile(folder: string, runId: number): RunWriting {
  const name = `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
  const file = createRunFile(folder, name);
  return {
    ...file,
    runId,
    async addOutputs(bytes) {
      const packer = packOutputs(file.beginOutputs());
      packer.add(bytes);
      packer.finish();
    },
    copyOutputs: (sources) => copyOutputs(sources, packOutputs(file.beginOutputs())),
    async finish(blocks) {
      await file.finish();
      return { fileName: name, file: openRunFile(folder, name, blocks) };
    },
  };
}
