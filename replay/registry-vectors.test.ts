import { expect, test } from 'vitest';
import { fromHex, toHex } from './bytes.ts';
import { writeCanonicalJson } from './canonical-json.ts';
import { verifyEd25519 } from './ed25519.ts';
import { findLogRoot, hashText, isSigned } from './signed-log.ts';
import { readVectors } from './testing/vectors.ts';

const { claim, receipts, epoch } = readVectors('registry');
const key: string = claim.registry_key;

test('receipts and the summary of their epoch have the texts, hashes and signatures of the vectors', () => {
  for (const { receipt, text, hash, signature } of receipts) {
    expect(writeCanonicalJson(receipt)).toBe(text);
    expect(hashText(receipt)).toBe(hash);
    expect(isSigned('node registry receipt, version 1', hash, signature, key)).toBe(true);
    expect(isSigned('node registry epoch, version 1', hash, signature, key)).toBe(false);
  }
  const { summary, text, hash, signature } = epoch;
  expect(writeCanonicalJson(summary)).toBe(text);
  expect(hashText(summary)).toBe(hash);
  expect(isSigned('node registry epoch, version 1', hash, signature, key)).toBe(true);
  expect(findLogRoot(receipts.map((each: { hash: string }) => fromHex(each.hash)))).toBe(summary.merkle_root);
});

test('a signature is not taken from a key of small order, nor in an encoding that is not canonical', () => {
  const message = Buffer.from(claim.text);
  const signature = fromHex(claim.node_signature);
  expect(verifyEd25519(fromHex(claim.node_key), message, signature)).toBe(true);
  const identity = fromHex(`01${'00'.repeat(31)}`);
  expect(verifyEd25519(identity, message, Uint8Array.of(...identity, ...new Uint8Array(32)))).toBe(false);
  // S and S + L are the same number to whoever does not look.
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${toHex(signature.slice(32).reverse())}`) + order;
  const other = fromHex(s.toString(16).padStart(64, '0')).reverse();
  expect(
    verifyEd25519(fromHex(claim.node_key), message, Uint8Array.of(...signature.slice(0, 32), ...other)),
  ).toBe(false);
});
