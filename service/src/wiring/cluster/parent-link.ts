import cluster from 'node:cluster';
import type { Channel } from '../../db/postgres-channel.ts';
import type { ChildMessage, News, ParentMessage, ProcessMetrics } from './messages.ts';

/** The process that has started this one to answer requests beside others. */
export type ParentLink = {
  nameSent(txid: string): void;
  tell(what: News): void;
  answerMetrics(read: () => ProcessMetrics): void;
};

/** Undefined where this process was not started by another one of the service. */
export function findParent(): ParentLink | undefined {
  if (!cluster.isWorker) return undefined;
  return {
    nameSent: (txid) => send({ kind: 'sent', txid }),
    tell: (what) => send({ kind: 'news', what }),
    answerMetrics: (read) =>
      process.on('message', (message: ParentMessage) => {
        if (message.kind === 'metrics') send({ kind: 'metrics', number: message.number, metrics: read() });
      }),
  };
}

/** A channel to the other processes of the same start; undefined where there are none. */
export function openSiblingChannel(
  channel: string,
  onMessage: (message: string) => void,
): Channel | undefined {
  if (!cluster.isWorker) return undefined;
  const hear = (said: ParentMessage): void => {
    if (said.kind === 'say' && said.channel === channel) onMessage(said.message);
  };
  process.on('message', hear);
  return {
    send: (message) => send({ kind: 'say', channel, message }),
    async close() {
      process.off('message', hear);
    },
  };
}

/** A parent that is gone needs no word: this process ends with it. */
function send(message: ChildMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}
