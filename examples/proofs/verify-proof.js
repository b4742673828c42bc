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

/** The scripts of a transaction without witness, parsed to its last byte. */
function readScripts(bytes) {
  let at = 4;
  const take = (length) => {
    at += length;
    assert(at <= bytes.length, 'the transaction is whole');
    return bytes.subarray(at - length, at);
  };
  const number = (length) => take(length).readUIntLE(0, length);
  const count = (first = number(1)) => (first < 253 ? first : number(first === 253 ? 2 : 4));
  for (let inputs = count(); inputs > 0; inputs--) [take(36), take(count()), take(4)];
  const scripts = [];
  for (let outputs = count(); outputs > 0; outputs--)
    scripts.push([take(8), take(count())][1].toString('hex'));
  take(4);
  assert.equal(at, bytes.length, 'nothing follows the transaction');
  return scripts;
}
function isTransaction(bytes) {
  try {
    return readScripts(bytes).length > 0;
  } catch {
    return false;
  }
}
const carrier = `6a2456504631${sha256(file).toString('hex')}`;
assert.equal(readScripts(tx)[primary.vout], carrier, 'it carries the digest');

const { position } = primary;
const branch = primary.branch.map((each) => Buffer.from(each, 'hex').reverse());
assert(
  branch.length <= 32 && Number.isInteger(position) && position >= 0 && position < 2 ** branch.length,
  'its position is one of the tree',
);
let node = hash(tx);
for (const [level, sibling] of branch.entries()) {
  const isRight = Math.floor(position / 2 ** level) % 2 === 1;
  assert(sibling.length === 32 && !(isRight && sibling.equals(node)), 'it is no copy of a last node');
  const both = Buffer.concat(isRight ? [sibling, node] : [node, sibling]);
  assert(!isTransaction(both), 'no transaction hides another');
  node = hash(both);
}
assert(node.equals(header.subarray(36, 68)), 'it is in the block');
console.log(hash(header).reverse().toString('hex'), new Date(header.readUInt32LE(68) * 1000).toISOString());
