import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation } from '@coinfront/protocol/names/name-operation.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { encodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import { createSigner, type Signer, signTransaction } from '../../test/harness/signing-wallet.ts';
import type { RunningNode } from '../bench-node.ts';
import { payoutDescriptor } from '../chain/mine.ts';
import { lockedScriptPubKey, sha256 } from '../chain/scripts.ts';
import { type Coinbase, mineBlock, spendCoinbase } from './heavy-blocks.ts';

const TOKENS = 30;
const SHARES = 4;
const TRANSFERS = 300;
const NAMES = 200;
const ANCHORS = 20_000;
const PREMINE = 10n ** 15n;

/** What the operations made, as the API names it; `owner` has all of it. */
export type Operations = {
  tokenIds: string[];
  names: string[];
  digest: string;
  owner: Signer;
  /** An operation on the first of the tokens that whoever is not its owner cannot do. */
  strangeOperation: TxOutput;
};

/** One owner of many tokens and names, a token with many holders, and a digest that was anchored 20,000 times. */
export async function mineOperations(
  node: RunningNode,
  profile: CoinProfile,
  takeCoinbase: () => Coinbase,
): Promise<Operations> {
  const owner = createSigner('worst', profile);
  const fund = async (): Promise<void> => {
    const coinbase = takeCoinbase();
    const { txid, hex } = spendCoinbase(coinbase, [{ value: coinbase.value, script: owner.script }]);
    owner.coins.splice(0, owner.coins.length, { txid, vout: 0, value: coinbase.value });
    await mineBlock(node, [hex]);
  };
  await fund();
  const tokenIds = await mineTokens(node, profile, owner);
  await fund();
  const names = await mineNames(node, profile, owner);

  const digest = sha256(Buffer.from('a digest that is anchored over and over'));
  const anchor = { value: 0n, script: anchorScript(digest, profile.proofs.marker) };
  const anchored = spendCoinbase(
    takeCoinbase(),
    Array.from({ length: ANCHORS }, () => anchor),
  );
  await mineBlock(node, [anchored.hex]);
  const burn = { kind: 'burn' as const, tokenId: Buffer.from(tokenIds[0]!, 'hex'), amount: 1n };
  const strangeOperation = carrier(encodeTokenOperation(burn, profile.tokens!.marker));
  return { tokenIds, names, digest: digest.toString('hex'), owner, strangeOperation };
}

async function mineTokens(node: RunningNode, profile: CoinProfile, owner: Signer): Promise<string[]> {
  const { marker, createFees, feeScript } = profile.tokens!;
  const fee = { value: createFees[0]!.fee, script: feeScript };
  const ids: Uint8Array[] = [];
  const created = Array.from({ length: TOKENS }, (_, i) => {
    const terms = {
      mintable: true,
      decimals: 2,
      premine: PREMINE,
      cap: undefined,
      ticker: `WORST${i}`,
      metadataHash: undefined,
    };
    const payload = encodeTokenOperation({ kind: 'create', terms }, marker);
    const { tx, hex } = signTransaction(owner, [carrier(payload), fee]);
    ids.push(tokenIdOf(tx.inputs[0]!, payload, genesisPrefix(profile)));
    return hex;
  });
  await mineBlock(node, created);
  const moved = Array.from({ length: TRANSFERS }, (_, i) => {
    const shares = Array.from({ length: SHARES }, (_, n) => ({ toVout: n + 1, amount: BigInt(i + n + 1) }));
    const payload = encodeTokenOperation({ kind: 'transfer', tokenId: ids[0]!, shares }, marker);
    const holders = shares.map((_, n) => ({ value: 1_000n, script: lockedScriptPubKey(i * SHARES + n) }));
    return signTransaction(owner, [carrier(payload), ...holders]).hex;
  });
  await mineBlock(node, moved);
  return ids.map((id) => Buffer.from(id).toString('hex'));
}

async function mineNames(node: RunningNode, profile: CoinProfile, owner: Signer): Promise<string[]> {
  const { marker, feeScript, commitMaturityBlocks } = profile.names!;
  const names = Array.from({ length: NAMES }, (_, i) => `worst-${i}.coin`);
  const salt = new Uint8Array(16).fill(3);
  const committed = names.map((name) => {
    const commitment = nameCommitment({ ownerScript: owner.script, salt, name }, genesisPrefix(profile));
    return signTransaction(owner, [carrier(encodeNameOperation({ kind: 'commit', commitment }, marker))]).hex;
  });
  await mineBlock(node, committed);
  await node.rpc('generatetodescriptor', commitMaturityBlocks, payoutDescriptor());
  const fee = { value: 10_000_000n, script: feeScript };
  const registered = names.map((name) => {
    const payload = encodeNameOperation({ kind: 'register', periods: 1, salt, name }, marker);
    return signTransaction(owner, [carrier(payload), fee]).hex;
  });
  await mineBlock(node, registered);
  return names;
}

function carrier(payload: Uint8Array): TxOutput {
  return { value: 0n, script: buildCarrier(payload) };
}
