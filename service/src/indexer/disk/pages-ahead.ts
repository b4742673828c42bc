import type { RunFile } from '../runs/run-file.ts';
import type { TxLog } from '../tx-log/tx-log.ts';
import { txPlaces } from '../tx-log/tx-place.ts';
import type { DiskPace } from './disk-pace.ts';

/** Gives the files that are read: as they are, or with pages that have to be fetched before. */
export type OpenFiles = {
  file(file: RunFile): RunFile;
  log(log: TxLog): TxLog;
};

const asTheyAre: OpenFiles = { file: (file) => file, log: (log) => log };

/** Whoever needs more pages one after another reads the rest with the thread waiting. */
const MOST_BEGINNINGS = 64;

/** Thrown where a page was not fetched yet. It is thrown often and looked at by nobody: it has no stack. */
class PagesNeededError extends Error {
  override readonly name = 'PagesNeededError';
}
const needed = withoutStack(() => new PagesNeededError('a page of the index was not fetched yet'));

/**
 * Reads where the disk is slow, without waiting for it: other threads fetch the pages. `read` is stopped at the first page that is not
 * there, and begun anew when it is, so it has no other form than where all is in memory; but until it comes to its end it must leave
 * nothing behind.
 */
export async function readAhead<T>(pace: DiskPace, read: (files: OpenFiles) => T): Promise<T> {
  const pages = createPagesAhead(pace);
  for (let rest = MOST_BEGINNINGS; rest > 0; rest--) {
    try {
      return read(pages);
    } catch (error) {
      if (error !== needed) throw error;
    }
    await pages.fetch();
  }
  return read(asTheyAre);
}

/** Reads items that do not hang on one another. Within {@link readAhead} the pages that are missing for any of them are fetched at once. */
export function readEach<T>(items: ArrayLike<T>, read: (item: T) => void): void {
  let isNeeded = false;
  for (let i = 0; i < items.length; i++) {
    try {
      read(items[i]!);
    } catch (error) {
      if (error !== needed) throw error;
      isNeeded = true;
    }
  }
  if (isNeeded) throw needed;
}

/** Reads a file at once, or where the disk is slow as {@link readAhead} does. */
export function readFile<T>(file: RunFile, read: (file: RunFile) => T): T | Promise<T> {
  const { pace } = file;
  return pace?.isSlow ? readAhead(pace, (files) => read(files.file(file))) : read(file);
}

/** The file of a run whose pages are read at once; undefined where they are in tables, or the disk is slow. */
export function fastFile({ file }: { file: RunFile | undefined }): RunFile | undefined {
  return file?.pace?.isSlow ? undefined : file;
}

/** Remembers what was fetched for one reader. */
function createPagesAhead(pace: DiskPace): OpenFiles & { fetch(): Promise<void> } {
  /** By name of the file, and by number of the page and its section: whether it is there, or under way. */
  const asked = new Map<string, Map<number, boolean>>();
  let underWay: Promise<void>[] = [];

  /** Reads a page that was fetched, or asks for it. */
  const readFetched = <T>(file: string, page: number, touch: () => Promise<void>, read: () => T): T => {
    const pages = asked.get(file) ?? new Map<number, boolean>();
    asked.set(file, pages);
    const isThere = pages.get(page);
    if (isThere) return pace.untimed(read);
    if (isThere === undefined) {
      if (pace.takesSample()) return read();
      pages.set(page, false);
      underWay.push(touch().then(() => void pages.set(page, true)));
    }
    throw needed;
  };
  const readPage = <T>(file: RunFile, section: number, page: number, read: () => T): T =>
    readFetched(file.name, section * 2 ** 32 + page, () => file.touch(section, page), read);

  return {
    file: (file) => ({
      ...file,
      read: (section, page, scratch) =>
        readPage(file, section, page, () => file.read(section, page, scratch)),
    }),
    log: (log) => ({
      ...log,
      readPlaces: (file, page) =>
        log.holdsPlaces(file, page)
          ? log.readPlaces(file, page)
          : readPage(file, txPlaces.code, page, () => log.readPlaces(file, page)),
    }),
    async fetch() {
      const touches = underWay;
      underWay = [];
      await Promise.all(touches);
    },
  };
}

function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
