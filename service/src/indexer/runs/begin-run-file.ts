import { randomBytes } from 'node:crypto';
import { encodePlaces, txPlaces } from '../tx-log/tx-place.ts';
import { copySection, packEntries, type SectionCopy } from './copy-sections.ts';
import { openRunFile } from './run-file.ts';
import { OUTPUT_ENTRY_BYTES, OUTPUTS } from './run-file-format.ts';
import type { SectionKind } from './run-kinds.ts';
import type { Run } from './run-set.ts';
import type { RunWriting } from './run-storage.ts';
import { createRunFile, type RunFileWriter } from './write-run-file.ts';

/** Outputs are found by their number alone. */
const outputs: SectionKind = {
  code: OUTPUTS,
  entryBytes: OUTPUT_ENTRY_BYTES,
  keyBytes: 0,
  locate: () => 0,
};

/** Begins the file of a run, of a name that was never used: nobody can take one for another. */
export function beginRunFile(folder: string, runId: number): RunWriting {
  const name = `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
  const file = createRunFile(folder, name);
  const addAll = (section: SectionKind, entries: Uint8Array): void => {
    const packer = packEntries(file.beginMore(section), section.entryBytes);
    packer.add(entries);
    packer.finish();
    file.end(undefined);
  };
  return {
    ...file,
    runId,
    async addInOrder({ outputs: bytes, places }) {
      addAll(outputs, bytes);
      addAll(txPlaces, encodePlaces(places));
    },
    copyInOrder: (sources) => copySections(file, sources, [outputs, txPlaces]),
    async finish(blocks) {
      await file.finish();
      return { fileName: name, file: openRunFile(folder, name, blocks) };
    },
  };
}

function copySections(
  file: RunFileWriter,
  sources: readonly Run[],
  sections: readonly SectionKind[],
): SectionCopy {
  let next = 0;
  let current: SectionCopy | undefined;
  return {
    advance(entries) {
      const section = sections[next];
      if (!section) return false;
      current ??= copySection(
        sources,
        section.code,
        packEntries(file.beginMore(section), section.entryBytes),
      );
      if (current.advance(entries)) return true;
      file.end(undefined);
      current = undefined;
      next++;
      return next < sections.length;
    },
  };
}
