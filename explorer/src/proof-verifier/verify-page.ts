/** The script of a downloaded proof: checks it where it lies, and compares files with it. It asks nobody for anything. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { checkProof, isGood, type ProofDocument } from './check-proof.ts';

const PIECE_BYTES = 4 * 1024 * 1024;

const proof = JSON.parse(document.getElementById('proof')?.textContent ?? '{}') as ProofDocument;
const checks = checkProof(proof);
fill('verdict', isGood(checks) ? 'This proof holds.' : 'This proof does not hold.');
const list = document.getElementById('checks');
for (const { state, text } of checks) {
  const item = document.createElement('li');
  item.className = state;
  item.textContent = `${{ good: '✓', bad: '✕', open: '·' }[state]} ${text}`;
  list?.append(item);
}
document.getElementById('file')?.addEventListener('change', ({ target }) => {
  const file = (target as HTMLInputElement).files?.[0];
  if (file) void compare(file);
});

async function compare(file: File): Promise<void> {
  const hasher = sha256.create();
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    hasher.update(new Uint8Array(await file.slice(start, start + PIECE_BYTES).arrayBuffer()));
    fill('compared', `${Math.floor((start / file.size) * 100)} %`);
  }
  const digest = bytesToHex(hasher.digest());
  fill(
    'compared',
    digest === proof.sha256
      ? 'This is the file: it has the digest of the proof.'
      : `This is another file: its digest is ${digest}.`,
  );
}

function fill(id: string, text: string): void {
  const element = document.getElementById(id);
  if (element !== null) element.textContent = text;
}
