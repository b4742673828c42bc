import { buildExplorer, isExplorerCurrent } from './explorer-build.ts';

// `npm run build`: makes explorer/dist. With --if-needed only when it is missing or older than its sources.

const isOnlyIfNeeded = process.argv.includes('--if-needed');
if (!isOnlyIfNeeded || !(await isExplorerCurrent())) {
  try {
    const { milliseconds, entryBytes } = await buildExplorer();
    console.log(
      `The explorer is built: ${(entryBytes / 1000).toFixed(1)} kB compressed at first load, in ${(milliseconds / 1000).toFixed(1)} s.`,
    );
  } catch (error) {
    // The API needs no explorer: an installation without development packages starts all the same.
    console.error(`The explorer could not be built: ${(error as Error).message}`);
    if (!isOnlyIfNeeded) process.exitCode = 1;
  }
}
