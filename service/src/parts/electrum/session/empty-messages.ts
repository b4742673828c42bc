import type { ElectrumContext } from '../electrum-context.ts';
import { electrumCosts, electrumLimits as limits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { WireEnd } from '../wire/wire.ts';
import type { Session } from './session.ts';
import type { UnfinishedMessages } from './unfinished-messages.ts';

/** Notes that so many messages without a text came, see {@link WireEnd.skip}: each costs what a call does, and many in a row end the session. */
export type SkipMessages = (session: Session, messages: number, bytes: number) => void;

/** @param endUnread ends a session with a last message, and reads no more of it */
export function createSkipMessages(
  { charge }: Pick<ElectrumContext, 'charge'>,
  unfinished: UnfinishedMessages,
  endUnread: (session: Session, error: RpcError) => void,
): SkipMessages {
  return (session, messages, bytes) => {
    if (session.isEnding || session.isClosed) return;
    session.skipped += messages;
    // Those behind the last one that is taken cost next to nothing.
    charge.after(session, Math.min(messages, limits.emptyMessages) * electrumCosts.call);
    try {
      if (bytes > 0) unfinished.payForRest(session, bytes);
      if (session.skipped > limits.emptyMessages)
        throw new RpcError('invalidRequest', `more than ${limits.emptyMessages} empty messages in a row`);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      endUnread(session, error);
    }
  };
}
