import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, getHexBytes } from '../bytes.ts';
import { hashLeaf, inclusionPath, rootOfLeaves, verifyInclusion } from '../signed-log/merkle-tree.ts';
import { chooseBlockHeight } from './block-challenge.ts';
import { writeClaimText } from './claim-text.ts';
import { endpointTokenOf, findEndpointTokens } from './endpoint-token.ts';
import { parseEd25519Key, verifyEd25519 } from './node-key.ts';
import {
  FIRST_PREVIOUS_HASH,
  hashRegistryText,
  type Receipt,
  verifyRegistrySignature,
  writeRegistryText,
  writeSignedText,
} from './receipt.ts';

describe('the tree of RFC 6962', () => {
  /** Inputs and roots of the reference implementation of Certificate Transparency. */
  const inputs = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ];
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];

  test.each(roots.map((root, size) => ({ size, root })))(
    'has its known root for $size leaves',
    ({ size, root }) => {
      const leaves = inputs.slice(0, size).map((hex) => hashLeaf(getHexBytes(hex)));
      expect(bytesToHex(rootOfLeaves(leaves))).toBe(root);
    },
  );

  test('proves every leaf of every size, and nothing else', () => {
    const all = Array.from({ length: 70 }, (_, i) => hashLeaf(Uint8Array.of(i)));
    const other = hashLeaf(Uint8Array.of(200));
    for (let size = 1; size <= all.length; size++) {
      const leaves = all.slice(0, size);
      const root = rootOfLeaves(leaves);
      for (let index = 0; index < size; index++) {
        const path = inclusionPath(leaves, index);
        const proof = { leafHash: leaves[index]!, index, size, path, root };
        expect(verifyInclusion(proof)).toBe(true);
        const wrong = [
          { ...proof, leafHash: other },
          { ...proof, root: other },
          { ...proof, index: index + 1 },
          { ...proof, index: index - 1 },
          { ...proof, path: [...path, other] },
          ...(path.length > 0
            ? [
                { ...proof, path: path.slice(0, -1) },
                { ...proof, path: [other, ...path.slice(1)] },
              ]
            : []),
        ];
        for (const each of wrong) expect(verifyInclusion(each)).toBe(false);
      }
    }
  });

  test('takes no proof apart, whatever it holds', () => {
    const hash = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(
        fc.record({
          leafHash: hash,
          index: fc.double(),
          size: fc.double(),
          path: fc.array(hash, { maxLength: 60 }),
          root: hash,
        }),
        (proof) => {
          expect(verifyInclusion(proof)).toBe(false);
        },
      ),
    );
  });
});

describe('keys of nodes', () => {
  const seed = new Uint8Array(32).fill(1);
  const key = bytesToHex(ed25519.getPublicKey(seed));

  test('are points of the prime-order group', () => {
    expect(parseEd25519Key(key.toUpperCase())).toEqual({ ok: true, value: key });
    const smallOrder = [
      '00'.repeat(32),
      `01${'00'.repeat(31)}`,
      `ec${'ff'.repeat(30)}7f`,
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    ];
    for (const bad of ['', 'ab', 'zz'.repeat(32), 'ff'.repeat(32), `ee${'ff'.repeat(30)}7f`, ...smallOrder])
      expect(parseEd25519Key(bad).ok, bad).toBe(false);
  });

  test('sign by RFC 8032; whatever else is given is refused without an error', () => {
    const signature = bytesToHex(ed25519.sign(new TextEncoder().encode('text'), seed));
    expect(verifyEd25519(key, 'text', signature)).toBe(true);
    expect(verifyEd25519(key, 'texT', signature)).toBe(false);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (a, b, c) => {
        expect(verifyEd25519(a, b, c)).toBe(false);
        expect(verifyEd25519(key, b, c.padEnd(128, '0').slice(0, 128))).toBe(false);
      }),
    );
  });
});

test('the text of a claim has what it binds, a line each', () => {
  const claim = {
    domain: 'coin.example',
    registryKey: '11',
    genesisHash: '22',
    nodeKey: '33',
    endpoint: '203.0.113.7:29666',
    payoutAddress: 'address',
    nonce: '44',
    issuedAtMs: 1_700_000_000_000,
    expiresAtMs: 1_700_003_600_000,
  };
  const text = writeClaimText(claim);
  expect(text.split('\n').slice(3)).toEqual([
    'Purpose: node registry claim, version 1',
    'Domain: coin.example',
    'Registry: 11',
    'Network: 22',
    'Node key: 33',
    'Endpoint: 203.0.113.7:29666',
    'Payout address: address',
    'Nonce: 44',
    'Issued: 2023-11-14T22:13:20Z',
    'Expires: 2023-11-14T23:13:20Z',
  ]);
  for (const [name, value] of Object.entries(claim)) {
    const changed = { ...claim, [name]: typeof value === 'number' ? value + 1000 : `${value}0` };
    expect(writeClaimText(changed), name).not.toBe(text);
  }
});

test('the token of an endpoint is found in a user agent as nodes write it', () => {
  const token = endpointTokenOf({ registryKey: '11', genesisHash: '22', nodeKey: '33', payoutAddress: 'a' });
  expect(token).toMatch(/^nodeproof-[0-9a-f]{32}$/);
  for (const agent of [`/Satoshi:31.0.0(${token})/`, `/A:1(x; ${token}; y)/B:2/`, token])
    expect(findEndpointTokens(agent)).toEqual([token]);
  for (const agent of [
    '',
    '/Satoshi:31.0.0/',
    `/A(x${token})/`,
    `/A(${token}0)/`,
    `${'a'.repeat(250)}(${token})`,
  ])
    expect(findEndpointTokens(agent)).toEqual([]);
});

test('the block of a look lies in the chain, and differs by tip and node', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.string(), (height, nodeKey) => {
      const chosen = chooseBlockHeight({ hash: 'ab', height }, nodeKey);
      expect(chosen >= 1 && chosen <= Math.max(1, height - 4)).toBe(true);
    }),
  );
  const heights = Array.from({ length: 50 }, (_, i) =>
    chooseBlockHeight({ hash: `${i}`, height: 1_000_000 }, 'node'),
  );
  expect(new Set(heights).size).toBeGreaterThan(45);
  expect(() => chooseBlockHeight({ hash: '', height: 0 }, '')).toThrow(RangeError);
});

test('a receipt is signed by the registry that it names, over its one text', () => {
  const seed = new Uint8Array(32).fill(2);
  const receipt: Receipt = {
    type: 'node-receipt',
    version: 1,
    network: '00',
    registry_key: bytesToHex(ed25519.getPublicKey(seed)),
    sequence: 0,
    previous_hash: FIRST_PREVIOUS_HASH,
    epoch: 0,
    height: 5,
    block_hash: '11',
    issued_at: '2026-11-20T12:00:00.000Z',
    kind: 'outage',
    node_key: null,
    endpoint: null,
    payout_address: null,
    slots: { from: '2026-11-20T11:00:00.000Z', to: '2026-11-20T12:00:00.000Z', count: 6 },
    verdict: 'void',
    reason: 'registry_down',
    attempts: [],
    observed: null,
  };
  const hash = hashRegistryText(writeRegistryText(receipt));
  const signature = bytesToHex(
    ed25519.sign(new TextEncoder().encode(writeSignedText('node-receipt', hash)), seed),
  );
  expect(verifyRegistrySignature(receipt, signature)).toBe(true);
  expect(verifyRegistrySignature({ ...receipt, slots: { ...receipt.slots, count: 7 } }, signature)).toBe(
    false,
  );
  const asEpoch = bytesToHex(
    ed25519.sign(new TextEncoder().encode(writeSignedText('node-epoch', hash)), seed),
  );
  expect(verifyRegistrySignature(receipt, asEpoch)).toBe(false);
});
