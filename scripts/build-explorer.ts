import { buildExplorer, isExplorerCurrent } from './explorer-build.ts';

// `npm run build`: makes explorer/dist. With --if-needed only when it is missing or older than its sources.

if (!process.argv.includes('--if-needed') || !(await isExplorerCurrent())) {
  const { milliseconds, entryBytes } = await buildExplorer();
  console.log(
    `The explorer is built: ${(entryBytes / 1000).toFixed(1)} kB compressed at first load, in ${(milliseconds / 1000).toFixed(1)} s.`,
  );
}
