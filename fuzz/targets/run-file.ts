import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { DatabaseDamagedError } from '../../service/src/db/damage.ts';
import { viewOf } from '../../service/src/indexer/encoding/copy-entry.ts';
import { beginRunFile } from '../../service/src/indexer/runs/begin-run-file.ts';
import { createFreshEntries } from '../../service/src/indexer/runs/fresh-entries.ts';
import { openRunFile, type RunFile } from '../../service/src/indexer/runs/run-file.ts';
import { OUTPUTS, SLOT_BYTES } from '../../service/src/indexer/runs/run-file-format.ts';
import { createRandom } from '../engine/random.ts';
import { demand, type FuzzTarget, hex } from '../target.ts';

const BLOCKS = { firstHeight: 0, lastHeight: 9 };
const TXS = 400;
/** The kinds, outputs, places of transactions. */
const SECTIONS = OUTPUTS + 2;
const PATCH_BYTES = 4;

const folder = mkdtempSync(joinPath(tmpdir(), 'coinfront-fuzz-run-'));
const sound = await writeSound();

/**
 * A file of a run on a disk that does not give back what was written. An input says how much of the end is missing (2 bytes), and which
 * bytes are others: where (3 bytes) and by which bits (1). What is read is what was written, or nothing.
 */
export const runFileTarget: FuzzTarget = {
  name: 'run-file',
  reads: 'files of the index with damage anywhere',
  form: 'bytes',
  maxBytes: 64,
  replayed: 500,
  seeds: [
    hex('0000'),
    hex('0001'),
    hex('1000'),
    hex('0000000000ff'),
    hex('0000000fffff'),
    hex('000000200101'),
  ],
  check(input) {
    writeFileSync(joinPath(folder, sound.fileName), damage(input));
    let file: RunFile;
    try {
      file = openRunFile(folder, sound.fileName, BLOCKS);
    } catch (error) {
      demandDamage(error);
      return;
    }
    for (const [name, read] of readsOf(file)) {
      let found: string | undefined;
      try {
        found = read();
      } catch (error) {
        demandDamage(error);
        continue;
      }
      demand(found === sound.content.get(name), `${name} is what was written`);
    }
    file.close();
  },
  growing: {},
  async close() {
    rmSync(folder, { recursive: true });
  },
};

function demandDamage(error: unknown): void {
  if (!(error instanceof DatabaseDamagedError)) throw error;
}

function damage(input: Uint8Array): Uint8Array {
  const missing = ((input[0] ?? 0) << 8) | (input[1] ?? 0);
  const bytes = Uint8Array.from(sound.bytes.subarray(0, Math.max(0, sound.bytes.length - missing)));
  for (let at = 2; at + PATCH_BYTES <= input.length && bytes.length > 0; at += PATCH_BYTES) {
    const place = (input[at]! << 16) | (input[at + 1]! << 8) | input[at + 2]!;
    bytes[place % bytes.length]! ^= input[at + 3]!;
  }
  return bytes;
}

/** Everything that can be read of a file, by what it is. */
function readsOf(file: RunFile): Map<string, () => string> {
  const reads = new Map<string, () => string>();
  for (let section = 0; section < SECTIONS; section++) {
    const pages = file.countPages(section);
    reads.set(`the number of pages of section ${section}`, () => String(pages));
    for (let page = 0; page < pages; page++)
      reads.set(`page ${page} of section ${section}`, () =>
        Buffer.from(file.read(section, page).data).toString('hex'),
      );
    reads.set(`section ${section} at once`, () =>
      file
        .readMany(section, 0, new Uint8Array(pages * SLOT_BYTES))
        .map(({ data }) => Buffer.from(data).toString('hex'))
        .join(),
    );
    reads.set(`the filter of section ${section}`, () =>
      Buffer.from(file.readFilter(section) ?? new Uint8Array(0)).toString('hex'),
    );
  }
  return reads;
}

async function writeSound(): Promise<{
  fileName: string;
  bytes: Uint8Array;
  content: ReadonlyMap<string, string>;
}> {
  const random = createRandom(1);
  const bytesOf = (count: number) => Uint8Array.from({ length: count }, () => random.below(256));
  const fresh = createFreshEntries();
  const hub = bytesOf(16);
  for (let id = 0; id < TXS; id++) {
    const script = id % 3 === 0 ? hub : bytesOf(16);
    fresh.addTx(viewOf(bytesOf(32)), 0, id);
    fresh.addChange(viewOf(script), 0, id, false, id, 0);
    fresh.addCoin(viewOf(script), 0, id, false);
    if (id > 0) fresh.addSpend(id - 1, id);
    fresh.addOutputs(script, BigInt64Array.of(BigInt(id)));
  }
  const writing = beginRunFile(folder, 1);
  fresh.build(writing);
  const places = Array.from({ length: TXS / 10 }, (_, i) => ({
    firstId: i * 10,
    height: i >> 2,
    position: (i & 3) * 10,
    at: i * 4_000,
    length: 3_996,
  }));
  await writing.addInOrder({ outputs: fresh.outputs, firstOutput: 0, places });
  const { fileName, file } = await writing.finish(BLOCKS);
  const content = new Map([...readsOf(file!)].map(([name, read]) => [name, read()]));
  file!.close();
  return { fileName, bytes: readFileSync(joinPath(folder, fileName)), content };
}
