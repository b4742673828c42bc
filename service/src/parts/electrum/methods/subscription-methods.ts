import type { ChainView } from '../../../chain/chain-view.ts';
import { readFor } from '../electrum-context.ts';
import { electrumCosts } from '../electrum-limits.ts';
import { readScriptState } from '../scripts/read-script.ts';
import { nameOfScript } from '../scripts/script-name.ts';
import { showStatus } from '../scripts/status-rules.ts';
import { readInTurn } from '../session/long-reads.ts';
import type { Method, Methods } from './method.ts';
import { readHash } from './read-parameters.ts';

const subscribe: Method = {
  parameters: ['scripthash'],
  required: 1,
  cost: electrumCosts.subscription,
  async answer(context, session, [scripthash]) {
    const { watches, follower, charge } = context;
    const hash = readHash(scripthash, 'scripthash');
    const name = nameOfScript(hash);
    watches.checkRoom(session);
    const findKnown = async (view: ChainView) => {
      const known = watches.find(name);
      return known && follower.isCurrent(known, view.mempool.version)
        ? { state: { ...known }, revision: known.revision, rows: 0 }
        : undefined;
    };
    const read = async (view: ChainView, mayBeLong: boolean) => {
      const known = await findKnown(view);
      if (known) return known;
      const revision = view.mempool.version;
      const state = await readScriptState(view, hash, context, mayBeLong);
      return { state, revision, rows: state.rows };
    };
    const watch = async ({ state, revision, rows }: Awaited<ReturnType<typeof read>>, paid = 0) => {
      charge.after(session, rows / electrumCosts.historyRows - paid);
      if (session.isClosed) return 'null';
      watches.checkRoom(session);
      const script = watches.add(session, name, state, revision);
      follower.noteAdded(script);
      return showStatus(script.status);
    };
    // Of a script that somebody watches already nothing is read, however long it is.
    const known = watches.find(name) && (await readFor(context, session, findKnown));
    return known
      ? await watch(known)
      : await readInTurn(context, session, { kind: 'history', hash }, read, watch);
  },
};

const unsubscribe: Method = {
  parameters: ['scripthash'],
  required: 1,
  cost: electrumCosts.call,
  answer({ watches }, session, [scripthash]) {
    return String(watches.remove(session, nameOfScript(readHash(scripthash, 'scripthash'))));
  },
};

/** Methods by which wallets are told of scripts. */
export const subscriptionMethods: Methods = {
  'blockchain.scripthash.subscribe': subscribe,
  'blockchain.scripthash.unsubscribe': unsubscribe,
};
