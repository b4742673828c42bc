/** Asks a node, over its own protocol, whether it has the chain that we have. */

import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { checkBlock } from '@coinfront/protocol/block-check.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { type HeaderWork, hasMoreWork } from './branch-work.ts';
import {
  type PeerHeader,
  type PeerVersion,
  readHeaders,
  readVersion,
  serviceBits,
  writeGetBlock,
  writeGetHeaders,
  writeVersion,
} from './messages.ts';
import { openPeer, type PeerConnection } from './peer-connection.ts';
import { PeerFaultError } from './peer-fault.ts';

/** A block of our chain; the hash in internal byte order. */
export type ChainPlace = { height: number; hash: Uint8Array };

/** What a peer is compared with: our chain at one moment. */
export type ProbeTask = {
  magic: Uint8Array;
  auxpow: boolean;
  tip: ChainPlace;
  /** Places of our chain from the highest that is too old down to the genesis block; at least one. */
  locator: readonly ChainPlace[];
  /** The work of our chain above a height. */
  findWorkAbove(height: number): Promise<bigint>;
  headerWork: HeaderWork;
  /** Where our chain has a block. */
  findHeight(hash: Uint8Array): Promise<number | undefined>;
  /** The block that is to be handed over, and how many bytes it has at most. */
  block: ChainPlace & { bytes: number };
  /** Blocks that a node may be behind. */
  maxLag: number;
  /** How we call ourselves. */
  userAgent: string;
  answerMs: number;
};

/** What was seen; undefined is what the conversation did not come to. */
export type ProbeSight = {
  version: PeerVersion | undefined;
  lag: number | undefined;
  pingMs: number | undefined;
  /** Whether the whole block came, and is ours. */
  hasBlock: boolean;
  /** Whether its headers prove that another chain has more work than ours. */
  hasMoreWork: boolean;
};

/** What came of a probe, with all that was seen until it ended. */
export type PeerProbe = ProbeSight & { fault: PeerFaultError | undefined };

/** Protocol versions below cannot be asked for headers. */
const LEAST_VERSION = 60_002;
/** Core's own bound on what a message may have. */
const MAX_HEADERS_BYTES = 4_000_000;
const SMALL_BYTES = 1_024;
const MAX_INV_BYTES = 50_000 * 36 + 9;
const MAX_MESSAGES = 500;
/** Answers with headers that are looked at: 2,000 each. */
const MAX_ROUNDS = 8;
/** For what peers send without being asked. */
const SPARE_BYTES = 4_000_000;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/**
 * Holds the whole conversation: handshake, headers, ping, one block. The socket is closed when it ends.
 *
 * @throws what `signal` was aborted with
 */
export async function probePeer(socket: Socket, task: ProbeTask, signal: AbortSignal): Promise<PeerProbe> {
  const sight: ProbeSight = {
    ...{ version: undefined, lag: undefined, pingMs: undefined, hasBlock: false, hasMoreWork: false },
  };
  const peer = openPeer(
    socket,
    task.magic,
    new Map([
      ['version', SMALL_BYTES],
      ['verack', SMALL_BYTES],
      ['pong', SMALL_BYTES],
      ['headers', MAX_HEADERS_BYTES],
      ['block', task.block.bytes],
      ['notfound', MAX_INV_BYTES],
    ]),
    {
      answerMs: task.answerMs,
      messages: MAX_MESSAGES,
      bytes: task.block.bytes + MAX_HEADERS_BYTES + SPARE_BYTES,
    },
    signal,
  );
  try {
    const version = await shakeHands(peer, task);
    sight.version = version;
    if (version.protocolVersion < LEAST_VERSION) throw new PeerFaultError('too_old');
    if (task.tip.height - version.startHeight > task.maxLag) {
      sight.lag = task.tip.height - version.startHeight;
      throw await explainLag(peer, task, signal);
    }
    if ((version.services & serviceBits.network) === 0n) throw new PeerFaultError('not_full');
    sight.lag = await measureLag(peer, task, signal);
    if (sight.lag > task.maxLag) throw new PeerFaultError('lagging');
    sight.pingMs = await measurePing(peer);
    await fetchBlock(peer, task, version);
    sight.hasBlock = true;
    return { ...sight, fault: undefined };
  } catch (error) {
    if (!(error instanceof PeerFaultError)) throw error;
    return { ...sight, hasMoreWork: error instanceof BranchError && error.hasMoreWork, fault: error };
  } finally {
    peer.close();
  }
}

async function shakeHands(peer: PeerConnection, { tip, userAgent }: ProbeTask): Promise<PeerVersion> {
  const nonce = randomBytes(8).readBigUInt64LE();
  peer.send('version', writeVersion({ nonce, userAgent, startHeight: tip.height, nowMs: Date.now() }));
  const version = readVersion((await peer.receive(['version'])).payload);
  peer.send('verack', new Uint8Array(0));
  await peer.receive(['verack']);
  return version;
}

/**
 * Why a peer says that it is behind: another chain has heights of its own, and its headers show that it is one. A node that is catching up
 * sends none, however long one waits; what it said of itself stands then.
 */
async function explainLag(
  peer: PeerConnection,
  task: ProbeTask,
  signal: AbortSignal,
): Promise<PeerFaultError> {
  try {
    await measureLag(peer, task, signal);
  } catch (error) {
    if (!(error instanceof PeerFaultError)) {
      if (!signal.aborted) throw error;
    } else if (error.code === 'wrong_chain') return error;
  }
  return new PeerFaultError('lagging');
}

/**
 * How many blocks of our chain the peer's best chain lacks, as its headers show. Headers that are all ours and end far below our tip may be
 * the first ones of a chain that leaves ours further up: what follows them is asked for, a few times.
 */
async function measureLag(peer: PeerConnection, task: ProbeTask, signal: AbortSignal): Promise<number> {
  const { tip } = task;
  let from = task.locator;
  let lag = tip.height - from[0]!.height;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const headers = await askHeaders(peer, task, from, round > 0);
    const [first] = headers;
    // Its tip is one of those that we named: the highest of them, as far as anybody can tell.
    if (first === undefined) return lag;
    const parent = from.find(({ hash }) => equalBytes(hash, first.prevHash));
    if (parent === undefined || !followOneAnother(headers)) throw new PeerFaultError('wrong_chain');
    const common = await findLastCommon(headers, task.findHeight);
    const height = common ?? parent.height;
    const isBranch = common === undefined || height - parent.height < headers.length;
    lag = Math.max(0, tip.height - height);
    if (lag <= task.maxLag) return lag;
    // On a branch of its own, and not merely on a block that came at the same time as ours.
    if (isBranch) throw await judgeBranch(task, headers, { parent: parent.height, common: height }, signal);
    from = [{ height, hash: headers.at(-1)!.hash }];
  }
  return lag;
}

/** A peer on a branch of its own. */
class BranchError extends PeerFaultError {
  readonly hasMoreWork: boolean;

  constructor(hasMoreWork: boolean) {
    super('wrong_chain');
    this.hasMoreWork = hasMoreWork;
  }
}

/** A branch by the headers of one answer, from the block on that it leaves our chain at. */
async function judgeBranch(
  task: ProbeTask,
  headers: readonly PeerHeader[],
  { parent, common }: { parent: number; common: number },
  signal: AbortSignal,
): Promise<BranchError> {
  const branch = headers.slice(common - parent);
  const ownWork = await task.findWorkAbove(common);
  return new BranchError(await hasMoreWork(branch, ownWork, task.headerWork, { signal }));
}

/** Headers behind a place. What a peer that is behind keeps to itself when it is asked on changes nothing: it is behind. */
async function askHeaders(
  peer: PeerConnection,
  task: ProbeTask,
  from: readonly ChainPlace[],
  isFurther: boolean,
): Promise<PeerHeader[]> {
  try {
    peer.send('getheaders', writeGetHeaders(from.map(({ hash }) => hash)));
    return readHeaders((await peer.receive(['headers'])).payload, task);
  } catch (error) {
    if (isFurther && error instanceof PeerFaultError) return [];
    throw error;
  }
}

function followOneAnother(headers: readonly PeerHeader[]): boolean {
  return headers.every(({ prevHash }, i) => i === 0 || equalBytes(prevHash, headers[i - 1]!.hash));
}

/** Headers that are ours come before those that are not, so the last of ours is found by halving. */
async function findLastCommon(
  headers: readonly PeerHeader[],
  findHeight: ProbeTask['findHeight'],
): Promise<number | undefined> {
  let found: number | undefined;
  let from = 0;
  let to = headers.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const height = await findHeight(headers[middle]!.hash);
    if (height === undefined) to = middle;
    else {
      found = height;
      from = middle + 1;
    }
  }
  return found;
}

async function measurePing(peer: PeerConnection): Promise<number> {
  const nonce = randomBytes(8);
  const startedMs = performance.now();
  peer.send('ping', nonce);
  for (;;) {
    const { payload } = await peer.receive(['pong']);
    if (nonce.equals(payload)) return Math.round(performance.now() - startedMs);
  }
}

async function fetchBlock(
  peer: PeerConnection,
  { block, auxpow }: ProbeTask,
  { services }: PeerVersion,
): Promise<void> {
  peer.send('getdata', writeGetBlock(block.hash, services));
  const { command, payload } = await peer.receive(['block', 'notfound']);
  if (command === 'notfound') throw new PeerFaultError('block_missing');
  const scan = scanBlock(payload, { auxpow, sha256 });
  if (!scan.ok || !checkBlock(scan.value, block.hash).ok) throw new PeerFaultError('wrong_block');
}
