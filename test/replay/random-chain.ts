import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { encodeNameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { carrierOutput } from '@coinfront/protocol/testing/spends.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { encodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import {
  serializeTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { createRandom } from '../../scripts/traffic/random.ts';
import type { TestNode } from '../harness/litecoind.ts';
import { mineSigned } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners, type Signer, signTransaction } from '../harness/signing-wallet.ts';
import { commitTo, registerOf, signOperation } from '../names/name-desk.ts';
import { shortLivedProfile as profile } from '../names/name-profile.ts';
import { type MadeToken, makeNameOperation, makeTokenOperation, spoil } from './random-operations.ts';

/** A node's chain of random operations of all kinds, valid and not: signed, as nodes take them. */
export type RandomChain = {
  /** Mines so many blocks of operations; gives the hash of the last. */
  mine(blocks: number): Promise<string>;
  /** Takes so many blocks back and mines others, one more; gives the hash of the last. */
  fork(depth: number): Promise<string>;
  /** Leaves the branch of the last fork for the one before it, which is made the longer one; gives the hash of its last block. */
  turnBack(): Promise<string>;
};

/** An output that anyone can spend: P2WSH of one opcode. The treasury and fee script of regtest are such. */
type OpenCoin = { txid: Uint8Array; vout: number; value: bigint; opcode: number };

/** What has to be put back when blocks are. */
type Purse = { coins: Signer['coins'][number][][]; open: OpenCoin[] };

const KINDS = ['p2wpkh', 'p2wpkh', 'p2pkh', 'p2sh-p2wpkh', 'p2tr'] as const;
const SIGHASHES = [...Array.from({ length: 14 }, () => undefined), 0x81, 0x83];
const FUNDS = 1_200;
const CAN_SPEND = 40_00000000n;
const [treasury, tokenRules, nameRules] = [profile.treasury!, profile.tokens!, profile.names!];
const OPEN: readonly (readonly [script: Uint8Array, opcode: number])[] = [
  [treasury.script, 0x52],
  [tokenRules.feeScript, 0x51],
];

/** Begins above what the node has: it mines the coins that are spent. The same seed makes the same choices. */
export async function startRandomChain(node: TestNode, seed: number): Promise<RandomChain> {
  const random = createRandom(seed);
  const signers = KINDS.map((kind, i) => createSigner(`replay ${i}`, profile, kind));
  const tokens: MadeToken[] = [];
  let open: OpenCoin[] = [];
  /** By the block that they are of. */
  const purses = new Map<string, Purse>();
  let left: { hash: string; height: number; purse: Purse } | undefined;
  await node.mine(270);
  await fundSigners(node, signers, FUNDS);
  await liveName(node, signers[0]!, signers[1]!);

  const copy = (): Purse => ({ coins: signers.map(({ coins }) => [...coins]), open: [...open] });
  const putBack = (purse: Purse): void => {
    for (const [i, { coins }] of signers.entries()) coins.splice(0, coins.length, ...purse.coins[i]!);
    open = [...purse.open];
  };

  const anchor = (): TxOutput => ({
    value: 0n,
    script: anchorScript(new Uint8Array(32).fill(random.integer(0, 60)), profile.proofs.marker),
  });

  /** A transaction of a signer with one or more carriers. */
  function signRandom(): string {
    const choice = random.integer(0, 19);
    const isName = choice >= 4 && choice <= 11;
    // Few for names, so that owners come up again.
    const able = signers.slice(0, isName ? 3 : undefined).filter(({ coins }) => coins[0]!.value > CAN_SPEND);
    const signer = random.pick(able);
    const token = makeTokenOperation(random, signer, tokens);
    const tokenPayload = encodeTokenOperation(token, tokenRules.marker);
    const name = makeNameOperation(random, signer, signers);
    const namePayload = encodeNameOperation(name, nameRules.marker);
    const payloads =
      choice === 0
        ? [random.pick([tokenPayload, namePayload]), tokenPayload]
        : choice === 1
          ? [spoil(random, random.pick([tokenPayload, namePayload]))]
          : choice <= 3
            ? [tokenPayload, namePayload]
            : [isName ? namePayload : tokenPayload];
    const fee = random.pick([0n, 1_00000000n - 1n, 1_00000000n, 3_00000000n, 14_00000000n]);
    const outputs: TxOutput[] = [
      ...payloads.map(carrierOutput),
      ...[1, 2, 3].map(() => ({ value: 10_000n, script: random.pick(signers).script })),
      ...(fee === 0n ? [] : [{ value: fee, script: tokenRules.feeScript }]),
      ...(random.integer(0, 3) === 0 ? [anchor(), anchor()].slice(random.integer(0, 1)) : []),
      ...(random.integer(0, 5) === 0 ? [{ value: 100_000n, script: treasury.script }] : []),
    ];
    const sighash = random.pick(SIGHASHES);
    const { tx, txid, hex } = signTransaction(signer, outputs, sighash === undefined ? {} : { sighash });
    keepOpen(tx, txid);
    if (token.kind === 'create' && payloads.includes(tokenPayload))
      tokens.push({ id: tokenIdOf(tx.inputs[0]!, tokenPayload, genesisPrefix(profile)), issuer: signer });
    return hex;
  }

  /** Spends coins that anyone can: the treasury's, others', or both. Its sender is none. */
  function spendOpen(): string {
    const count = Math.min(open.length, random.integer(1, 3));
    const spent = Array.from({ length: count }, () => open.splice(random.integer(0, open.length - 1), 1)[0]!);
    const sum = spent.reduce((total, { value }) => total + value, 0n);
    const value = (sum - random.pick([0n, 3_000n])) / 2n;
    const tx: Transaction = {
      version: 2,
      inputs: spent.map(({ txid, vout, opcode }) => ({
        ...{ prevTxid: txid, prevVout: vout, scriptSig: new Uint8Array(), sequence: 0xffff_ffff },
        witness: [Uint8Array.of(opcode)],
      })),
      outputs: [
        carrierOutput(Uint8Array.of(...tokenRules.marker, 4, ...random.bytes(32), 1)),
        { value, script: random.pick(OPEN)[0] },
        { value, script: random.pick(signers).script },
      ],
      locktime: 0,
      hasWitness: true,
      mweb: undefined,
    };
    keepOpen(tx, txidOf(tx));
    return bytesToHex(serializeTransaction(tx, { witness: true }));
  }

  function keepOpen({ outputs }: Transaction, txid: Uint8Array): void {
    for (const [vout, { script, value }] of outputs.entries()) {
      const known = OPEN.find(([each]) => bytesToHex(each) === bytesToHex(script));
      if (known && value > 50_000n) open.push({ txid, vout, value, opcode: known[1] });
    }
  }

  /** Whom a block pays: a wallet, the treasury, or what carries an anchor or an operation. */
  async function pickMiner(): Promise<string> {
    const choice = random.integer(0, 11);
    if (choice > 2) return await node.newAddress();
    const scripts = [
      treasury.script,
      anchor().script,
      carrierOutput(Uint8Array.of(...nameRules.marker, 1, ...random.bytes(32))).script,
    ];
    return `raw(${bytesToHex(scripts[choice]!)})`;
  }

  async function mine(blocks: number): Promise<string> {
    let last = '';
    for (let i = 0; i < blocks; i++) {
      purses.set(await node.rpc<string>('getbestblockhash'), copy());
      const count = random.pick([0, 1, 3, 6]);
      const txs = Array.from({ length: count }, () =>
        open.length > 4 && random.integer(0, 9) === 0 ? spendOpen() : signRandom(),
      );
      const miner = await pickMiner();
      last = (await node.rpc<{ hash: string }>('generateblock', miner, txs)).hash;
    }
    return last;
  }

  return {
    mine,
    async fork(depth) {
      const height = await node.rpc<number>('getblockcount');
      const hash = await node.rpc<string>('getblockhash', height - depth + 1);
      left = { hash, height, purse: copy() };
      await node.rpc('invalidateblock', hash);
      putBack(purses.get(await node.rpc<string>('getbestblockhash'))!);
      return await mine(depth + 1);
    },
    async turnBack() {
      const { hash, height, purse } = left!;
      const fork = (await node.rpc<{ height: number }>('getblockheader', hash)).height;
      await node.rpc('invalidateblock', await node.rpc<string>('getblockhash', fork));
      await node.rpc('reconsiderblock', hash);
      if ((await node.rpc<number>('getblockcount')) !== height) throw new Error('the node did not turn back');
      putBack(purse);
      return await mine(1);
    },
  };
}

/** One whole life of a name: what chance makes of names is mostly invalid. */
async function liveName(node: TestNode, owner: Signer, heir: Signer): Promise<void> {
  const name = 'lived.coin';
  await mineSigned(node, [signOperation(owner, commitTo(owner, name))]);
  await node.mine(nameRules.commitMaturityBlocks);
  await mineSigned(node, [
    signOperation(owner, registerOf(name), { paid: 1_00000000n }),
    signOperation(owner, { kind: 'renew', periods: 1, name }, { paid: 1_00000000n }),
    signOperation(owner, { kind: 'transfer', toVout: 1, name }, { to: heir }),
  ]);
}
