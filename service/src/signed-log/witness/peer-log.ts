import { type LogKind, logKinds } from '@coinfront/protocol/signed-log/checkpoint.ts';

/** A log of a peer, which this service is a witness for. */
export type PeerLog = {
  kind: LogKind;
  /** Base URL of the peer. */
  peer: string;
  /** What it is called where it is kept: the URL alone was that of the registry's log before there was another. */
  name: string;
};

/** Where a service of the coin has its logs. */
const logPaths: Record<LogKind, string> = {
  'node-registry': '/api/nodeproof/log',
  'treasury-ledger': '/api/treasury/log',
};

/** The log of a kind that a peer has. */
export function peerLog(kind: LogKind, peer: string): PeerLog {
  return { kind, peer, name: kind === 'node-registry' ? peer : `${peer} ${kind}` };
}

/** All logs that a peer may have. */
export function listPeerLogs(peer: string): PeerLog[] {
  return logKinds.map((kind) => peerLog(kind, peer));
}

/** Where a log is. */
export function urlOfLog({ kind, peer }: PeerLog): string {
  return `${peer}${logPaths[kind]}`;
}

/** A log as people call it, by its name. */
export function describeLog(name: string): string {
  const [peer, kind] = name.split(' ');
  return kind === undefined ? `the registry's log of ${peer}` : `the treasury's log of ${peer}`;
}
