import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FuzzTarget, toText, utf8 } from '../target.ts';

const root = join(import.meta.dirname, '..');

/** Where inputs of a target are kept: `corpus` reaches much with little, `found` broke the law once. */
export type Keeping = 'corpus' | 'found';

/** The inputs that are kept, a line each: hex, or a JSON string for texts; `#` begins a remark. */
export function readKept(target: FuzzTarget, keeping: Keeping): Uint8Array[] {
  const file = fileOf(target, keeping);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => readLine(target, line));
}

/** Replaces the corpus. */
export function writeCorpus(target: FuzzTarget, inputs: readonly Uint8Array[]): void {
  write(
    fileOf(target, 'corpus'),
    inputs.map((input) => writeLine(target, input)),
  );
}

/** Adds an input that broke the law. */
export function addFound(target: FuzzTarget, input: Uint8Array, error: string): void {
  const file = fileOf(target, 'found');
  const before = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const line = writeLine(target, input);
  if (before.includes(line)) return;
  write(file, [...before, `# ${error.split('\n')[0]!}`, line]);
}

function write(file: string, lines: readonly string[]): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function fileOf({ name }: FuzzTarget, keeping: Keeping): string {
  return join(root, keeping, `${name}.txt`);
}

function readLine({ form }: FuzzTarget, line: string): Uint8Array {
  if (line.startsWith('hex ')) return Uint8Array.from(Buffer.from(line.slice(4), 'hex'));
  return form === 'text' ? utf8(JSON.parse(line) as string) : Uint8Array.from(Buffer.from(line, 'hex'));
}

/** A text that is no UTF-8 is kept as hex. */
function writeLine({ form }: FuzzTarget, input: Uint8Array): string {
  const inHex = Buffer.from(input).toString('hex');
  if (form === 'bytes') return inHex;
  const text = toText(input);
  return Buffer.from(utf8(text)).equals(input) ? JSON.stringify(text) : `hex ${inHex}`;
}
