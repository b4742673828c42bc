import { saveFile } from './save-file.ts';

/** Saves figures as a table for programs. */
export function CsvButton({ fileName, write }: { fileName: string; write: () => string }) {
  return (
    <button
      type="button"
      class="act second"
      onClick={() => saveFile(new Blob([write()], { type: 'text/csv' }), `${fileName}.csv`)}
    >
      CSV
    </button>
  );
}
