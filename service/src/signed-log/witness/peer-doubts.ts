import type { Checkpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';

/** Polls after which what could be an answer of before, or a service that is starting, is neither. */
export const PATIENT_POLLS = 3;

/** A signed head that could not be compared with what was cosigned. Other answers meanwhile do not settle it. */
export type PendingHead = { checkpoint: Checkpoint; reason: 'no_proof' | 'shorter'; polls: number };

/** What does not look right of one log of one peer: a passing fault is forgotten, what stays is told. */
export type PeerDoubts = {
  pending: PendingHead | undefined;
  /** Says that a poll found this; true from the third in a row on that did. */
  persists(kind: string): boolean;
  /** Tells it, once until the peer is well again. As many kinds are remembered as there are. */
  alarm(kind: string, text: string): void;
  /** A poll found nothing wrong. */
  settle(): void;
};

/** Begins without a doubt. */
export function createPeerDoubts(onAlarm: (text: string) => void): PeerDoubts {
  const told = new Set<string>();
  let found = { kind: '', polls: 0 };
  return {
    pending: undefined,
    persists(kind) {
      found = { kind, polls: found.kind === kind ? found.polls + 1 : 1 };
      return found.polls >= PATIENT_POLLS;
    },
    alarm(kind, text) {
      if (told.has(kind)) return;
      told.add(kind);
      onAlarm(text);
    },
    settle() {
      told.clear();
      found = { kind: '', polls: 0 };
    },
  };
}
