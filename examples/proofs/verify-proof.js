// Usage: node verify-proof.js <file> <answer of /proof/lookup>
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const hash = (...parts) => sha256(sha256(Buffer.concat(parts)));
const [file, answer] = process.argv.slice(2).map((name) => readFileSync(name));
const { primary } = JSON.parse(answer);
const [tx, header] = [Buffer.from(primary.tx, 'hex'), Buffer.from(primary.header, 'hex')];
assert(
  tx.length !== 64 && header.length === 80,
  'a transaction that is no inner node of a tree, and a header',
);

let at = 4;
function take(bytes) {
  at += bytes;
  return tx.subarray(at - bytes, at);
}
const number = (bytes) => take(bytes).readUIntLE(0, bytes);
const count = (first = number(1)) => (first < 253 ? first : number(first === 253 ? 2 : 4));
for (let inputs = count(); inputs > 0; inputs--) [take(36), take(count()), take(4)];
const scripts = Array.from({ length: count() }, () => [take(8), take(count())][1].toString('hex'));
assert.equal(scripts[primary.vout], `6a2456504631${sha256(file).toString('hex')}`, 'it carries the digest');

let node = hash(tx);
for (const [level, sibling] of primary.branch.map((each) => Buffer.from(each, 'hex').reverse()).entries())
  node = (primary.position >> level) & 1 ? hash(sibling, node) : hash(node, sibling);
assert(node.equals(header.subarray(36, 68)), 'it is in the block');
console.log(hash(header).reverse().toString('hex'), new Date(header.readUInt32LE(68) * 1000).toISOString());
