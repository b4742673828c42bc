import type { ElectrumContext } from '../electrum-context.ts';
import { electrumCosts, electrumLimits as limits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Session } from './session.ts';

/** Messages that are not whole yet: what is held of them, in all and of each session. */
export type UnfinishedMessages = {
  /** Notes how many bytes of a message a session holds; 0 when it is whole. */
  hold(session: Session, bytes: number): void;
  /** Forgets what a session holds. */
  forget(session: Session): void;
  /**
   * Charges for a whole message what its bytes cost and was not paid while it came. It is not held any more: what is held after that
   * began only now.
   * @throws RpcError
   */
  payForRest(session: Session, length: number): void;
};

/** @param endUnread ends a session with a last message, and reads no more of it: what it goes on to send stays where it is */
export function createUnfinishedMessages(
  { charge }: Pick<ElectrumContext, 'charge'>,
  endUnread: (session: Session, error: RpcError) => void,
): UnfinishedMessages {
  let heldInAll = 0;

  /** Its first unit has to be there, so that nothing more is read from whoever has none; the rest is owed. */
  const chargeUnits = (session: Session, units: number, paid: number): void => {
    if (paid === 0) charge.before(session, 1);
    charge.after(session, units - Math.max(1, paid));
  };

  const payForHeld = (session: Session): void => {
    const units = Math.floor(session.held / electrumCosts.bytesOfUnit);
    if (units <= session.heldPaid || session.isEnding) return;
    try {
      chargeUnits(session, units, session.heldPaid);
      session.heldPaid = units;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      endUnread(session, error);
    }
  };

  const forget = (session: Session): void => {
    heldInAll -= session.held;
    session.held = 0;
  };

  return {
    hold(session, bytes) {
      // What waited to be read may be read when its session is gone.
      if (bytes === session.held || session.isClosed) return;
      heldInAll += bytes - session.held;
      if (session.held === 0) session.heldSinceMs = Date.now();
      session.held = bytes;
      payForHeld(session);
      if (bytes > 0 && heldInAll > limits.unfinishedBytes)
        endUnread(
          session,
          new RpcError('busy', 'server busy: too many messages are unfinished', { closes: true }),
        );
    },
    forget,
    payForRest(session, length) {
      const units = length / electrumCosts.bytesOfUnit;
      const { heldPaid } = session;
      session.heldPaid = 0;
      forget(session);
      if (units >= 1) chargeUnits(session, units, heldPaid);
    },
  };
}
