import { AppError } from '../../../errors.ts';
import type { ElectrumContext } from '../electrum-context.ts';
import { electrumCosts, electrumLimits } from '../electrum-limits.ts';
import { allMethods } from '../methods/all-methods.ts';
import { type Method, orderParameters } from '../methods/method.ts';
import { type Call, internalError, readCall, readId, writeError, writeResult } from '../rpc/messages.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Session } from './session.ts';

/** An answer, and whether the session ends with it. */
export type Answer = { readonly text: string | undefined; readonly closes: boolean };

/** Is told of what was not foreseen. */
export type OnUnforeseen = (error: unknown, method: string) => void;

/** Answers one call; no text for a notification. Never rejects. */
export async function answerCall(
  context: ElectrumContext,
  session: Session,
  call: Call,
  onUnforeseen: OnUnforeseen,
): Promise<Answer> {
  const { id } = call;
  try {
    const method = findMethod(call, session);
    context.charge.before(session, method?.cost ?? electrumCosts.call);
    if (method === undefined)
      throw new RpcError(
        'unknownMethod',
        `unknown method: protocol ${session.version.text} has none of this name`,
      );
    const given = orderParameters(method, call);
    const pending = method.answer(context, session, given);
    session.hasCalled = true;
    const result = typeof pending === 'string' ? pending : await pending;
    // Also of a notification, whose answer nobody gets: it was made all the same.
    context.charge.after(session, result.length / electrumCosts.bytesOfUnit);
    if (id === undefined) return { text: undefined, closes: false };
    return { text: writeResult(id, result), closes: false };
  } catch (thrown) {
    session.hasCalled = true;
    const error = toRpcError(thrown);
    if (error === undefined) onUnforeseen(thrown, call.method);
    const text = id === undefined ? undefined : writeError(id, error ?? internalError);
    return { text, closes: error?.closes ?? false };
  }
}

/** Answers an array of calls by an array, in their order. Never rejects. */
export async function answerBatch(
  context: ElectrumContext,
  session: Session,
  batch: readonly unknown[],
  onUnforeseen: OnUnforeseen,
): Promise<Answer> {
  const { batchCalls, batchAnswer, callsAtOnce, callsOfTurn } = electrumLimits;
  if (batch.length === 0 || batch.length > batchCalls) {
    const error = new RpcError(
      'invalidRequest',
      `an array has 1 to ${batchCalls} calls, not ${batch.length}`,
    );
    return { text: writeError('null', error), closes: false };
  }
  const texts: (string | undefined)[] = new Array(batch.length);
  let length = 0;
  let closes = false;
  let next = 0;
  // What is in memory, and what is refused, is answered without a turn of the event loop, so all who work on an array wait together: one that
  // went on while another gives way would answer the rest of it. Hundreds of arrays may have come at once.
  let turn = batch.length > callsOfTurn ? context.takeTurn() : undefined;
  const work = async (): Promise<void> => {
    for (;;) {
      while (turn !== undefined) {
        const awaited = turn;
        await awaited;
        if (turn === awaited) turn = undefined;
      }
      if (next >= batch.length || session.isClosed) return;
      const at = next++;
      if (at % callsOfTurn === callsOfTurn - 1 && next < batch.length) turn = context.takeTurn();
      const answer =
        length > batchAnswer
          ? { text: refuse(batch[at], batchTooLarge), closes: false }
          : await answerOne(context, session, batch[at], onUnforeseen);
      texts[at] = answer.text;
      length += answer.text?.length ?? 0;
      closes ||= answer.closes;
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, work));
  const present = texts.filter((text) => text !== undefined);
  return { text: present.length === 0 ? undefined : `[${present.join(',')}]`, closes };
}

const batchTooLarge = new RpcError(
  'tooMuch',
  'response too large: the answers before this one fill the message; ask again for the rest',
);

async function answerOne(
  context: ElectrumContext,
  session: Session,
  value: unknown,
  onUnforeseen: OnUnforeseen,
): Promise<Answer> {
  let call: Call;
  try {
    call = readCall(value);
  } catch (error) {
    return { text: refuse(value, chargeRefused(context, session, error as RpcError)), closes: false };
  }
  return await answerCall(context, session, call, onUnforeseen);
}

/** Each is answered with many times its bytes, so it is paid for like a call. @returns what its sender is told */
function chargeRefused({ charge }: ElectrumContext, session: Session, error: RpcError): RpcError {
  try {
    charge.before(session, electrumCosts.call);
    return error;
  } catch (unpaid) {
    return unpaid as RpcError;
  }
}

/** The answer to what may be no call at all. */
export function refuse(value: unknown, error: RpcError): string {
  let id: string | undefined;
  try {
    id = readId(value);
  } catch {
    // Its id is no better than the rest of it.
  }
  return writeError(id ?? 'null', error);
}

function findMethod({ method }: Call, { version }: Session): Method | undefined {
  const found = allMethods.get(method);
  const { since = 0, until = Number.POSITIVE_INFINITY } = found ?? {};
  return since <= version.rank && version.rank < until ? found : undefined;
}

function toRpcError(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof AppError)) return undefined;
  if (error.code === 'rate_limited')
    return new RpcError('tooMuch', `excessive resource usage: ${error.message}`);
  if (error.status === 503) return new RpcError('busy', `server busy: ${error.message}`);
  return new RpcError('refused', error.message);
}
