import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { findPackages } from '@coinfront/protocol/package-rates.ts';
import type { ChainView, TxRecord } from './chain-view.ts';

/** Transactions that are looked at on either side, and of all that hang together; nodes let no more. */
const MOST_RELATIVES = 100;
/** Bytes of them that are read: as much as nodes let hang together, with room. */
const MOST_BYTES = 2_000_000;

/** Transactions that are mined together. */
export type TxPackage = { fee: bigint; weight: number; txs: readonly TxRecord[] };

/** What hangs together with a transaction of the mempool. Each is undefined where there is more than is looked at. */
export type TxFamily = {
  /** Nearest first, as are the descendants. */
  ancestors: readonly TxRecord[] | undefined;
  descendants: readonly TxRecord[] | undefined;
  /** What it would be mined with, itself included: by fee and weight of these its place among others goes. */
  package: TxPackage | undefined;
  /** All that was read. */
  read: readonly TxRecord[];
};

/** A transaction with those of the mempool that it spends from, and that spend from it. */
type Member = { record: TxRecord; parents: readonly TxRecord[]; children: readonly TxRecord[] };

/** Finds what hangs together with a transaction of the mempool. */
export async function findTxFamily(view: ChainView, record: TxRecord): Promise<TxFamily> {
  const members = new Map<string, Promise<Member>>();
  const find = (tx: TxRecord): Promise<Member> => {
    const key = bytesToHex(tx.txid);
    const member = members.get(key) ?? readMember(view, tx);
    members.set(key, member);
    return member;
  };
  /** All that can be reached, itself first. */
  const walk = async (listNext: (member: Member) => readonly TxRecord[]): Promise<Member[] | undefined> => {
    const seen = new Map([[bytesToHex(record.txid), record]]);
    const found: Member[] = [];
    let bytes = 0;
    for (const tx of seen.values()) {
      bytes += tx.raw.length;
      if (found.length > MOST_RELATIVES || bytes > MOST_BYTES) return undefined;
      const member = await find(tx);
      found.push(member);
      for (const next of listNext(member)) {
        const key = bytesToHex(next.txid);
        if (!seen.has(key)) seen.set(key, next);
      }
    }
    return found;
  };
  const ancestors = await walk(({ parents }) => parents);
  const descendants = await walk(({ children }) => children);
  const all = await walk(({ parents, children }) => [...parents, ...children]);
  return {
    ancestors: ancestors?.slice(1).map((member) => member.record),
    descendants: descendants?.slice(1).map((member) => member.record),
    package: all && findOwnPackage(all),
    read: (await Promise.all(members.values())).map((member) => member.record),
  };
}

async function readMember(view: ChainView, record: TxRecord): Promise<Member> {
  const [parents, children] = await Promise.all([
    view.listUnconfirmedParents(record, MOST_RELATIVES + 1),
    view.listUnconfirmedChildren(record, MOST_RELATIVES + 1),
  ]);
  return { record, parents, children };
}

/** The package of the first. */
function findOwnPackage(members: readonly Member[]): TxPackage {
  const places = new Map(members.map(({ record }, place) => [bytesToHex(record.txid), place]));
  const linked = members.map(({ record, parents }) => ({
    fee: record.fee ?? 0n,
    weight: record.weight,
    parents: parents.map(({ txid }) => places.get(bytesToHex(txid))!),
  }));
  const own = findPackages(linked)[0]!;
  return { fee: own.fee, weight: own.weight, txs: own.members.map((member) => members[member]!.record) };
}
