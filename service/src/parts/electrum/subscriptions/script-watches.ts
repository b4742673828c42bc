import { electrumLimits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { ScriptState } from '../scripts/read-script.ts';
import type { Session } from '../session/session.ts';

/** A script that somebody watches, and what its watchers know of it. */
export type WatchedScript = {
  /** Its SHA-256, a character a byte. */
  readonly name: string;
  /** One, or several; nobody when the last has left. */
  watchers: Session | Set<Session> | undefined;
  status: string | null;
  topHeight: number;
  waiting: readonly number[] | undefined;
  /** Of the index, when this was read. */
  revision: number;
  /** Another one whose hash begins with the same 128 bits: somebody has made one up. */
  next: WatchedScript | undefined;
};

/** All scripts that sessions watch. */
export type ScriptWatches = {
  readonly subscriptions: number;
  readonly scripts: number;
  find(name: string): WatchedScript | undefined;
  /** Those whose hash begins with these 16 characters: mostly one. */
  findByKey(key: string): WatchedScript | undefined;
  all(): IterableIterator<WatchedScript>;
  /** Those that have transactions in the mempool, by the ids of these. */
  readonly byWaitingTx: ReadonlyMap<number, ReadonlySet<WatchedScript>>;
  /** @throws RpcError `tooMuch` where the session, its client or all have too many */
  checkRoom(session: Session): void;
  /** Has a session told of a script from now on. */
  add(session: Session, name: string, state: ScriptState, revision: number): WatchedScript;
  /** @returns whether it was watched */
  remove(session: Session, name: string): boolean;
  /** The session has ended. */
  removeAll(session: Session): void;
  /** Notes what a script is now. */
  update(script: WatchedScript, state: ScriptState, revision: number): void;
  isWatching(session: Session, script: WatchedScript): boolean;
};

const KEY_LENGTH = 16;

/** The sessions that watch a script. */
export function listWatchers({ watchers }: WatchedScript): Iterable<Session> {
  if (watchers === undefined) return [];
  return watchers instanceof Set ? watchers : [watchers];
}

/** @param boundsClients whether what a client has is bounded */
export function createScriptWatches(boundsClients: boolean): ScriptWatches {
  const byKey = new Map<string, WatchedScript>();
  const byWaitingTx = new Map<number, Set<WatchedScript>>();
  const ofClient = new Map<string, number>();
  let subscriptions = 0;
  let scripts = 0;

  const find = (name: string): WatchedScript | undefined => {
    let script = byKey.get(name.slice(0, KEY_LENGTH));
    while (script && script.name !== name) script = script.next;
    return script;
  };
  const insert = (name: string): WatchedScript => {
    const key = name.slice(0, KEY_LENGTH);
    const script: WatchedScript = {
      name,
      watchers: undefined,
      status: null,
      topHeight: -1,
      waiting: undefined,
      revision: -1,
      next: byKey.get(key),
    };
    byKey.set(key, script);
    scripts++;
    return script;
  };
  const forget = (script: WatchedScript): void => {
    noteWaiting(script, undefined);
    const key = script.name.slice(0, KEY_LENGTH);
    scripts--;
    let before = byKey.get(key)!;
    if (before === script) {
      if (script.next) byKey.set(key, script.next);
      else byKey.delete(key);
      return;
    }
    while (before.next !== script) before = before.next!;
    before.next = script.next;
  };
  const noteWaiting = (script: WatchedScript, waiting: readonly number[] | undefined): void => {
    for (const id of script.waiting ?? []) {
      const its = byWaitingTx.get(id);
      its?.delete(script);
      if (its?.size === 0) byWaitingTx.delete(id);
    }
    for (const id of waiting ?? []) {
      const its = byWaitingTx.get(id);
      if (its) its.add(script);
      else byWaitingTx.set(id, new Set([script]));
    }
    script.waiting = waiting;
  };
  const isWatching = (session: Session, { watchers }: WatchedScript): boolean =>
    watchers === session || (watchers instanceof Set && watchers.has(session));
  const count = (session: Session, change: 1 | -1): void => {
    subscriptions += change;
    if (!boundsClients) return;
    const { name } = session.client.networks[0];
    const after = (ofClient.get(name) ?? 0) + change;
    if (after === 0) ofClient.delete(name);
    else ofClient.set(name, after);
  };
  const leave = (session: Session, script: WatchedScript): void => {
    count(session, -1);
    if (script.watchers instanceof Set) {
      script.watchers.delete(session);
      if (script.watchers.size > 0) return;
    }
    script.watchers = undefined;
    forget(script);
  };
  const update: ScriptWatches['update'] = (script, { status, topHeight, waiting }, revision) => {
    script.status = status;
    script.topHeight = topHeight;
    script.revision = revision;
    if (waiting || script.waiting) noteWaiting(script, waiting);
  };

  return {
    get subscriptions() {
      return subscriptions;
    },
    get scripts() {
      return scripts;
    },
    byWaitingTx,
    find,
    findByKey: (key) => byKey.get(key),
    *all() {
      for (const first of byKey.values())
        for (let script: WatchedScript | undefined = first; script; script = script.next) yield script;
    },
    isWatching,
    checkRoom(session) {
      const { ofSession, ofClient: most, inAll } = electrumLimits.subscriptions;
      if (session.watched.length >= ofSession)
        throw new RpcError('tooMuch', `too many subscriptions: a session has ${ofSession} at most`);
      if (boundsClients && (ofClient.get(session.client.networks[0].name) ?? 0) >= most)
        throw new RpcError('tooMuch', `too many subscriptions: a client has ${most} at most`);
      if (subscriptions >= inAll)
        throw new RpcError('busy', 'server busy: it has as many subscriptions as it takes');
    },
    add(session, name, state, revision) {
      const script = find(name) ?? insert(name);
      if (!isWatching(session, script)) {
        const { watchers } = script;
        if (watchers === undefined) script.watchers = session;
        else if (watchers instanceof Set) watchers.add(session);
        else script.watchers = new Set([watchers, session]);
        session.watched.push(script);
        count(session, 1);
      }
      if (revision > script.revision) update(script, state, revision);
      return script;
    },
    remove(session, name) {
      const script = find(name);
      if (!script || !isWatching(session, script)) return false;
      const at = session.watched.indexOf(script);
      session.watched[at] = session.watched.at(-1)!;
      session.watched.pop();
      leave(session, script);
      return true;
    },
    removeAll(session) {
      for (const script of session.watched.splice(0)) leave(session, script);
    },
    update,
  };
}
