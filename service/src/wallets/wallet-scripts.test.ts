import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { createBase58check } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { readWalletScripts } from './wallet-scripts.ts';

const bitcoin = getShippedProfile('bitcoin');
const A =
  'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL';
const B =
  'xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y';
/** Account keys of the mnemonic "abandon … about". */
const BIP84 =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const BIP86 =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';

function scriptsOf(text: string, branch: number, count: number): string[] {
  const read = readWalletScripts(text, undefined, bitcoin);
  if (!read.ok) throw new Error(read.reason);
  return Array.from({ length: count }, (_, i) => bytesToHex(read.value.branches[branch]!.scriptAt(i)));
}

/** A key as deep as that. */
function keyOfDepth(depth: number): string {
  const coder = createBase58check(sha256);
  const bytes = coder.decode(A);
  bytes[4] = depth;
  return coder.encode(bytes);
}

test('a key that is too deep for addresses below it is refused, and is no fault of ours', () => {
  const isRead = (text: string): boolean => {
    const read = readWalletScripts(text, undefined, bitcoin);
    if (read.ok) for (const { scriptAt } of read.value.branches) scriptAt(0);
    return read.ok;
  };
  expect([252, 253, 254, 255].map((depth) => isRead(keyOfDepth(depth)))).toEqual([true, true, false, false]);
  expect([253, 254, 255].map((depth) => isRead(`wpkh(${keyOfDepth(depth)}/*)`))).toEqual([true, true, false]);
  expect([252, 253].map((depth) => isRead(`wpkh(${keyOfDepth(depth)}/<0;1>/7/*)`))).toEqual([true, false]);
});

describe('scripts of a descriptor', () => {
  test('are those that BIP-382 publishes of wpkh', () => {
    const key =
      'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH';
    const scripts = [
      '0014326b2249e3a25d5dc60935f044ee835d090ba859',
      '0014af0bd98abc2f2cae66e36896a39ffe2d32984fb7',
      '00141fa798efd1cbf95cebf912c031b8a4a6e9fb9f27',
    ];
    expect(scriptsOf(`wpkh([ffffffff/13']${key}/1/2/*)`, 0, 3)).toEqual(scripts);
    // BIP-389: each branch of a tuple is the descriptor with that step.
    expect(scriptsOf(`wpkh([ffffffff/13h]${key}/<1;3>/2/*)`, 0, 3)).toEqual(scripts);
    expect(scriptsOf(`wpkh(${key}/<1;3>/2/*)`, 1, 3)).toEqual(scriptsOf(`wpkh(${key}/3/2/*)`, 0, 3));
  });

  test('are behind the hash of the scripts that BIP-383 publishes of sortedmulti', () => {
    const published = [
      '5221025d5fc65ebb8d44a5274b53bac21ff8307fec2334a32df05553459f8b1f7fe1b62102fbd47cc8034098f0e6a94c6aeee8528abf0a2153a5d8e46d325b7284c046784652ae',
      '52210264fd4d1f5dea8ded94c61e9641309349b62f27fbffe807291f664e286bfbe6472103f4ece6dfccfa37b211eb3d0af4d0c61dba9ef698622dc17eecdf764beeb005a652ae',
      '5221022ccabda84c30bad578b13c89eb3b9544ce149787e5b538175b1d1ba259cbb83321024d902e1a2fc7a8755ab5b694c575fce742c48d9ff192e63df5193e4c7afe1f9c52ae',
    ];
    const witness = published.map((script) => bytesToHex(witnessScript(0, sha256(getHexBytes(script)))));
    expect(scriptsOf(`wsh(sortedmulti(2,${A}/*,${B}/0/0/*))`, 0, 3)).toEqual(witness);
    // Whatever the order of its keys.
    expect(scriptsOf(`wsh(sortedmulti(2,${B}/0/0/*,${A}/*))`, 0, 3)).toEqual(witness);
    expect(scriptsOf(`wsh(multi(2,${B}/0/0/*,${A}/*))`, 0, 3)).not.toEqual(witness);
  });

  test('are those of the account key that it names', () => {
    expect(scriptsOf(`tr(${BIP86}/<0;1>/*)`, 1, 2)).toEqual(
      (() => {
        const read = readWalletScripts(BIP86, 'p2tr', bitcoin);
        return read.ok ? [0, 1].map((i) => bytesToHex(read.value.branches[1]!.scriptAt(i))) : [];
      })(),
    );
  });
});

test('an account key has receiving addresses and change: the published ones of BIP-84 and BIP-86', () => {
  expect(scriptsOf(BIP84, 0, 1)).toEqual(['0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2']);
  // bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el
  expect(scriptsOf(BIP84, 1, 1)).toEqual(['00143e34985dca6fddc9fb369940e4c7d8e2873f529c']);
  const read = readWalletScripts(BIP86, 'p2tr', bitcoin);
  // The change key of BIP-86.
  expect(read.ok && bytesToHex(read.value.branches[1]!.scriptAt(0))).toBe(
    '5120882d74e5d0572d5a816cef0041a96b6c1de832f6f9676d9605c44d5e9a97d3dc',
  );
});

test.each([
  [
    'a private key',
    'xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U',
    /private/,
  ],
  ['a key that is mistyped', `${A.slice(0, -1)}M`, /base58check/],
  ['a mistyped key of a descriptor', `wpkh(${A.slice(0, -1)}M/*)`, /base58check/],
  [
    'a key of another network',
    'tpubD6NzVbkrYhZ4XJDrzRvuxHEyQaPd1mwwdDofEJwekX18tAdsqeKfxss79AJzg1431FybXg5rfpTrJF4iAhyR7RubberdzEQXiRmXGADH2eA',
    /another network/,
  ],
])('%s is refused, with the reason', (_, text, reason) => {
  const read = readWalletScripts(text, undefined, bitcoin);
  expect(read).toMatchObject({ ok: false, reason });
  expect(JSON.stringify(read)).not.toContain(text.slice(5, 40));
});

test('a coin without segwit has none of its addresses', () => {
  const dogecoin = getShippedProfile('dogecoin');
  expect(readWalletScripts(`wpkh(${A}/*)`, undefined, dogecoin)).toMatchObject({
    ok: false,
    reason: /no segwit/,
  });
});
