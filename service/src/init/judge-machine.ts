/** What a chain of so many transactions needs of a machine; docs/operations.md has the measurements. */
const BYTES_AT_REST = 720;
/** Merges write a second copy of what they merge, at most so much of the index. */
const SPARE_SHARE = 0.5;
const PROCESS_BYTES = 1.1e9;
/** What the look-ups of a first sync need in memory to go on at full pace. */
const LOOKUP_BYTES = 75;

/** What this machine has. */
export type Machine = { freeDiskBytes: number; memoryBytes: number };

/** One thing to know, and whether the service cannot do its work so. */
export type Finding = { level: 'good' | 'note' | 'bad'; text: string };

/** Compares the machine with the size of the chain. On PostgreSQL the disk is the server's. */
export function judgeMachine(
  transactions: number | undefined,
  { freeDiskBytes, memoryBytes }: Machine,
  engine: 'sqlite' | 'postgres',
): Finding[] {
  if (transactions === undefined) {
    return [
      {
        level: 'note',
        text: 'The node does not say how many transactions its chain has: disk and memory were not compared with it.',
      },
    ];
  }
  const atRest = transactions * BYTES_AT_REST;
  const needed = atRest * (1 + SPARE_SHARE);
  const findings: Finding[] = [];
  const size = `${transactions.toLocaleString('en')} transactions take about ${showBytes(atRest)} of index`;
  if (engine === 'postgres') {
    findings.push({
      level: 'note',
      text: `${size}, and half as much again while it is built: on the database's disk.`,
    });
  } else if (freeDiskBytes < atRest) {
    findings.push({
      level: 'bad',
      text: `${size}; the disk has ${showBytes(freeDiskBytes)} free. Name a folder on a larger one with --data-dir.`,
    });
  } else if (freeDiskBytes < needed) {
    findings.push({
      level: 'note',
      text: `${size}, and up to ${showBytes(needed)} while it is built; the disk has ${showBytes(freeDiskBytes)} free. The chain grows: plan for more.`,
    });
  } else findings.push({ level: 'good', text: `${size}; the disk has ${showBytes(freeDiskBytes)} free.` });

  const quick = PROCESS_BYTES + transactions * LOOKUP_BYTES;
  const memory = `${showBytes(memoryBytes)} of memory`;
  if (memoryBytes < PROCESS_BYTES) {
    findings.push({
      level: 'bad',
      text: `The service takes up to ${showBytes(PROCESS_BYTES)} of memory; this machine has ${showBytes(memoryBytes)}.`,
    });
  } else if (memoryBytes < quick) {
    findings.push({
      level: 'note',
      text: `${memory}: enough, but the first sync reads from the disk what does not fit; ${showBytes(quick)} would hold it. An NVMe disk helps.`,
    });
  } else findings.push({ level: 'good', text: `${memory}: enough for a first sync at full pace.` });
  return findings;
}

function showBytes(bytes: number): string {
  if (bytes < 1e8) return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
  return bytes < 1e10
    ? `${(bytes / 1e9).toFixed(1)} GB`
    : `${Math.round(bytes / 1e9).toLocaleString('en')} GB`;
}
