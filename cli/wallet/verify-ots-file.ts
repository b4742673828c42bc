import { readFile } from 'node:fs/promises';
import { UNCHECKED } from '@coinfront/sdk/verify/check-headers.ts';
import { fetchHeaders } from '@coinfront/sdk/verify/fetch-headers.ts';
import { findEasiestTarget, findWorkKind } from '@coinfront/sdk/verify/proof-of-work.ts';
import { readOts, verifyOts } from '@coinfront/sdk/verify/verify-ots.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';

/** Blocks after that of the timestamp whose work is looked at. */
const followingHeaders = 6;

/** Verifies a file of OpenTimestamps against headers of the wallet's chain, by its lowest block. */
export async function verifyOtsFile(
  context: Context,
  sha256: string,
  path: string,
  trustedBlock: string | undefined,
) {
  const wallet = await loadWallet(context);
  const { genesisHash } = wallet.watch.network;
  const file = await readFile(path).catch((cause: Error) => {
    throw new CliError('ots_unreadable', `${path} cannot be read: ${cause.message}`);
  });
  const read = readOts(file, genesisHash);
  if (!read.ok) throw new CliError('ots_unreadable', `${path}: ${read.detail}`);
  const { blocks, pending } = read.value;
  const height = Math.min(...blocks.map((block) => block.height));
  if (blocks.length === 0) {
    const promised = pending.length === 0 ? '' : `; these calendars promise more: ${pending.join(', ')}`;
    return refuse(sha256, 'block_missing', `It has no attestation by a block of this chain${promised}.`);
  }
  const { client } = await connectWallet(context, wallet);
  const headers = await fetchHeaders(client, { afterHeight: height - 1, count: 1 });
  const later = await fetchHeaders(client, { afterHeight: height, count: followingHeaders }).catch(() => []);
  const verdict = verifyOts(sha256, file, {
    genesisHash,
    height,
    headers: [...headers, ...later],
    work: findWorkKind(genesisHash),
    easiestTarget: findEasiestTarget(genesisHash),
    ...(trustedBlock === undefined ? {} : { trustedBlock }),
  });
  if (!verdict.ok) return refuse(sha256, verdict.code, verdict.detail);
  const { blockHash, time, work, workChecked, unchecked } = verdict;
  const moment = new Date(time * 1000).toISOString();
  return {
    json: {
      sha256,
      valid: true,
      height,
      block_hash: blockHash,
      time: moment,
      headers: verdict.headers,
      work: work.toString(),
      unchecked,
    },
    lines: [
      `The file existed at ${moment}, as block ${blockHash} says.`,
      `  digest       ${sha256}`,
      `  block        ${height}`,
      `  checked      operations of the file, ${verdict.headers} headers`,
      ...(workChecked ? [`  work         ${work} hashes, as expected for these headers`] : []),
      ...unchecked.map((each) => `  not checked  ${UNCHECKED[each]}`),
    ],
  };
}

function refuse(sha256: string, code: string, detail: string) {
  return {
    json: { sha256, valid: false, code, detail },
    lines: [`Not proven: ${detail}`],
    exitCode: exitCodes.invalid,
  };
}
