import { readFile, writeFile } from 'node:fs/promises';
import { getOtsFile } from '@coinfront/sdk/proofs/get-ots-file.ts';
import { UNCHECKED } from '@coinfront/sdk/verify/check-headers.ts';
import { fetchHeaders } from '@coinfront/sdk/verify/fetch-headers.ts';
import { findEasiestTarget, findWorkKind } from '@coinfront/sdk/verify/proof-of-work.ts';
import { verifyOts } from '@coinfront/sdk/verify/verify-ots.ts';
import { verifyProof } from '@coinfront/sdk/verify/verify-proof.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { findEarlierProof, type ServedProof } from '../service/find-earlier-proof.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { readDigest } from '../wallet/hash-path.ts';
import { verifyOtsFile } from '../wallet/verify-ots-file.ts';

/** A proof as it is kept: the service's answer, and headers of the blocks after it. */
type KeptProof = {
  proof: ServedProof;
  headers: string[];
};

/** Blocks after that of the proof whose work is looked at. */
const followingHeaders = 6;

export const proofVerifyCommand = defineCommand({
  name: 'proof verify',
  summary: 'verify that a file was anchored, without trusting a service',
  details: `Hashes the file, and checks transaction, merkle branch and proof of work on this machine. Lists what was not checked. --save writes
the proof to a file; --proof verifies it offline. --save-ots writes it as a file of OpenTimestamps, --ots verifies such a file against the chain, whose headers come from the
service. Exit code 6: the file is not proven.`,
  args: [{ name: 'file', summary: 'the file, or its SHA-256 digest', file: true }],
  options: {
    save: { value: '<file>', summary: 'save the proof to a new file', file: true },
    proof: { value: '<file>', summary: 'a saved proof; verify offline', file: true },
    ots: { value: '<file>', summary: 'a file of OpenTimestamps', file: true },
    'save-ots': { value: '<file>', summary: 'save the proof as a new file of OpenTimestamps', file: true },
    'trusted-block': {
      value: '<hash>',
      summary: 'hash of its block, or of a later one, from a source you trust',
    },
  },
  async run(context, { args, options }) {
    const sha256 = await readDigest(context, args.file);
    const { network } = (await loadWallet(context)).watch;
    const saveOts = options['save-ots'];
    if (saveOts !== undefined && (options.ots ?? options.proof) !== undefined)
      throw misuse('--save-ots asks the service for the file: leave out --ots and --proof.');
    if (options.ots !== undefined)
      return await verifyOtsFile(context, sha256, options.ots, options['trusted-block']);
    const kept =
      options.proof === undefined ? await fetchProof(context, sha256) : await readKept(options.proof);
    const ots = saveOts === undefined ? undefined : await fetchOts(context, sha256, kept);
    const trustedBlock = options['trusted-block'];
    const verdict = verifyProof(sha256, kept.proof, {
      work: findWorkKind(network.genesisHash),
      easiestTarget: findEasiestTarget(network.genesisHash),
      headers: kept.headers,
      ...(trustedBlock === undefined ? {} : { trustedBlock }),
    });
    if (!verdict.ok) {
      const waits = kept.proof.primary ? undefined : describeWait(kept.proof);
      return {
        json: {
          sha256,
          valid: false,
          code: verdict.code,
          detail: verdict.detail,
          ...(waits === undefined ? {} : { calendar: kept.proof.state }),
        },
        lines: [`Not proven: ${verdict.detail}`, ...(waits === undefined ? [] : [waits])],
        exitCode: exitCodes.invalid,
      };
    }
    if (options.save !== undefined) {
      await writeFile(options.save, `${JSON.stringify(kept)}\n`, { flag: 'wx' });
    }
    if (saveOts !== undefined && ots !== undefined) await writeFile(saveOts, ots, { flag: 'wx' });
    const { txid, blockHash, time, headers, work, workChecked, unchecked } = verdict;
    const moment = new Date(time * 1000).toISOString();
    return {
      json: {
        sha256,
        valid: true,
        txid,
        block_hash: blockHash,
        time: moment,
        headers,
        work: work.toString(),
        unchecked,
      },
      lines: [
        `The file existed at ${moment}, as block ${blockHash} says.`,
        `  digest       ${sha256}`,
        `  transaction  ${txid}`,
        `  checked      transaction, merkle branch, ${headers} headers`,
        ...(workChecked ? [`  work         ${work} hashes, as expected for these headers`] : []),
        ...unchecked.map((each) => `  not checked  ${UNCHECKED[each]}`),
      ],
    };
  },
});

async function fetchProof(context: Context, sha256: string): Promise<KeptProof> {
  const { client } = await connectWallet(context, await loadWallet(context));
  const proof = await findEarlierProof(client, sha256);
  const { primary } = proof;
  const headers =
    primary === null
      ? []
      : await fetchHeaders(client, {
          afterHeight: primary.height,
          count: Math.min(followingHeaders, primary.confirmations - 1),
        });
  return { proof, headers };
}

/** What the calendar says of a digest that is in no block; undefined where it says nothing. */
function describeWait({ state, accepted_at, pending }: KeptProof['proof']): string | undefined {
  if (state === 'pending')
    return `The calendar took it${accepted_at ? ` at ${accepted_at}` : ''}: its transaction is not made yet.`;
  const txid = pending?.[0]?.txid;
  return state === 'mempool' && txid ? `Transaction ${txid} carries it, and waits for a block.` : undefined;
}

/** The proof as a file of OpenTimestamps, checked like every other: it has to lead to the block of the proof. */
async function fetchOts(
  context: Context,
  sha256: string,
  { proof: { primary }, headers }: KeptProof,
): Promise<Uint8Array | undefined> {
  if (primary === null) return undefined;
  const wallet = await loadWallet(context);
  const { client } = await connectWallet(context, wallet);
  const { genesisHash } = wallet.watch.network;
  const file = await getOtsFile(client, { sha256 });
  const options = { genesisHash, height: primary.height, headers: [primary.header, ...headers] };
  const verdict = verifyOts(sha256, file, options);
  if (verdict.ok) return file;
  throw new CliError('answer_invalid', `The file of the service proves nothing: ${verdict.detail}`);
}

async function readKept(path: string): Promise<KeptProof> {
  try {
    const { proof, headers } = JSON.parse(await readFile(path, 'utf8')) as KeptProof;
    if (typeof proof === 'object' && proof !== null && Array.isArray(headers)) return { proof, headers };
  } catch (cause) {
    throw new CliError('proof_unreadable', `${path} cannot be read: ${(cause as Error).message}`);
  }
  throw new CliError('proof_unreadable', `${path} is no proof that "coin proof verify --save" kept.`);
}
