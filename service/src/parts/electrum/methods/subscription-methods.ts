import { readFor } from '../electrum-context.ts';
import { electrumCosts } from '../electrum-limits.ts';
import { readScriptState } from '../scripts/read-script.ts';
import { showStatus } from '../scripts/status-rules.ts';
import { nameOfScript } from '../subscriptions/script-watches.ts';
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
    const { state, revision, rows } = await readFor(context, session, async (view) => {
      const revision = view.mempool.version;
      const known = watches.find(name);
      if (known && follower.isCurrent(known, revision))
        return { state: { ...known }, revision: known.revision, rows: 0 };
      const state = await readScriptState(view, hash, context.giveWay);
      return { state, revision, rows: state.txs };
    });
    charge.after(session, rows / electrumCosts.historyRows);
    if (session.isClosed) return 'null';
    watches.checkRoom(session);
    const script = watches.add(session, name, state, revision);
    follower.noteAdded(script);
    return showStatus(script.status);
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
