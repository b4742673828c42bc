import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findScript } from './address.ts';
import { findMerkleRoot, parseBlock } from './block.ts';
import { flip, fromHex, toHex } from './bytes.ts';
import { readProfile, readVectors } from './testing/vectors.ts';

/** Published blocks, where they are there. */
const folder = new URL('../../shared/vectors/blocks/', import.meta.url);
const blocks = ['bitcoin_mainnet_951658', 'dogecoin_mainnet_371337', 'litecoin_mainnet_2265985'].flatMap(
  (name) => {
    const file = new URL(`${name}.json`, folder);
    return existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : [];
  },
);
const withoutBlocks = blocks.length === 0 ? 'there are no published blocks here' : undefined;

test('published blocks of three chains have the hashes and transactions that they should', ({ skip }) => {
  skip(withoutBlocks !== undefined, withoutBlocks);
  for (const { block, hash, tx } of blocks) {
    const parsed = parseBlock(fromHex(block), { auxpow: true });
    expect(toHex(flip(parsed.hash))).toBe(hash);
    expect(parsed.txs.map(({ txid }) => toHex(flip(txid)))).toEqual(tx);
  }
});

test('a block is refused whose transactions or witnesses are not those of its header', ({ skip }) => {
  skip(withoutBlocks !== undefined, withoutBlocks);
  const raw = fromHex(blocks[0].block);
  const { txs } = parseBlock(raw, { auxpow: false });
  const change = (what: Uint8Array): Uint8Array => {
    const changed = Buffer.from(raw);
    const at = changed.indexOf(what);
    changed[at + 10]! ^= 1;
    return new Uint8Array(changed);
  };
  const signed = txs.slice(1).flatMap(({ inputs }) => inputs.flatMap(({ witness }) => witness));
  const signature = signed.find(({ length }) => length > 60)!;
  expect(() => parseBlock(change(signature), { auxpow: false })).toThrow('witnesses');
  expect(() => parseBlock(change(txs[1]!.outputs[0]!.script), { auxpow: false })).toThrow('merkle root');
  expect(() => parseBlock(raw.subarray(0, -1), { auxpow: false })).toThrow('missing');
  expect(() => parseBlock(Uint8Array.of(...raw, 0), { auxpow: false })).toThrow('behind a block');
});

test('a transaction that is there twice hides in no merkle root', () => {
  const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  expect(toHex(findMerkleRoot([a, b, a]))).toHaveLength(64);
  expect(() => findMerkleRoot([a, b, a, a])).toThrow('twice');
});

test('an address is read as the script that it stands for', () => {
  const regtest = readProfile('regtest');
  const [{ outputs }] = readVectors('treasury').transactions;
  expect(toHex(findScript(regtest.treasury.address, regtest)).slice(0, 4)).toBe('0020');
  expect(outputs[0].script.slice(0, 4)).toBe('0020');
  const bitcoin = readProfile('bitcoin');
  const known = {
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2': '76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy': 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87',
    BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4: '0014751e76e8199196d454941c45d1b3a323f1433bd6',
    bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0:
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  };
  for (const [address, script] of Object.entries(known))
    expect(toHex(findScript(address, bitcoin))).toBe(script);
  for (const wrong of [
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'l0',
  ])
    expect(() => findScript(wrong, bitcoin)).toThrow('no address');
});
