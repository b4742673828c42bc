import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import type { TakeTurn } from '../../http/turns.ts';
import type { BlockBranches } from './proofs/block-branches.ts';
import type { HeaderProofs } from './proofs/header-proofs.ts';
import type { GiveWay } from './scripts/read-script.ts';
import type { StatusMemory } from './scripts/status-memory.ts';
import type { Charge } from './session/charge.ts';
import type { KnownLong } from './session/long-reads.ts';
import type { Session } from './session/session.ts';
import type { IndexFollower } from './subscriptions/index-follower.ts';
import type { ScriptWatches } from './subscriptions/script-watches.ts';

/** What a node said of fees, as its own decimal texts of coins for 1,000 vbytes; undefined where it has not. */
export type NodeRates = {
  readonly estimates: ReadonlyMap<number, string>;
  /** The least that enters the mempool now. */
  readonly mempoolMinimum: string | undefined;
  readonly relay: string | undefined;
  readonly incremental: string | undefined;
};

/** What the Electrum interface is given by the rest of the service. */
export type ElectrumSources = {
  readonly readChain: ReadChain;
  readonly profile: CoinProfile;
  readonly version: string;
  /** Host and ports under which clients reach the service; undefined where the operator has not said. */
  readonly publicHost: string | undefined;
  readonly giveWay: GiveWay;
  /** Waits until the thread may work for another slice, whatever the database. */
  readonly takeTurn: TakeTurn;
  /** Waits until it is the turn of a client to read something large; gives what ends that. */
  readonly enterLarge: (session: Session) => Promise<() => void>;
  /** Hands a transaction to the node. @throws AppError */
  readonly broadcast: (rawTxHex: string) => Promise<{ txid: string }>;
  /** Hands a package to the node; its own answer. @throws AppError, NodeError */
  readonly broadcastPackage: (rawTxHexes: readonly string[]) => Promise<unknown>;
  readonly readRates: () => NodeRates;
  /** What the node estimates in one of its modes; undefined where it has no estimate. @throws NodeError */
  readonly estimateInMode: (targetBlocks: number, mode: string) => Promise<string | undefined>;
};

/** What methods work with. */
export type ElectrumContext = ElectrumSources & {
  readonly software: string;
  readonly charge: Charge;
  readonly knownLong: KnownLong;
  readonly watches: ScriptWatches;
  readonly memory: StatusMemory;
  readonly follower: IndexFollower;
  readonly headerProofs: HeaderProofs;
  readonly blockBranches: BlockBranches;
  /** Ports that are listened on, for `server.features`. */
  readonly ports: Ports;
};

/** Filled when they are listened on. */
export type Ports = { tcp?: number; tls?: number; ws?: number; wss?: number };

/** Reads one snapshot for a session. */
export function readFor<T>(
  context: Pick<ElectrumContext, 'readChain' | 'enterLarge'>,
  session: Session,
  read: (view: ChainView) => Promise<T>,
): Promise<T> {
  return context.readChain(read, { enterLarge: () => context.enterLarge(session) });
}
