/** Why a signed log is not what it was, or is none. */
export const LOG_FAULTS = {
  checkpoint_malformed: 'What the service shows is no checkpoint of the log.',
  checkpoint_unsigned: 'The key that is trusted has not signed the checkpoint.',
  log_gone: 'There was a log, and the service shows none any more.',
  log_shorter: 'The log has fewer entries than it had.',
  log_forked: 'The log does not go on from what was seen of it: what it had was changed.',
} as const;
export type LogFault = keyof typeof LOG_FAULTS;

/**
 * A log that is refused. Keep both checkpoints. Two that the log has signed for as many entries, with different roots, prove to everybody that
 * it was changed; others show it only to who saw them, or who asks the log for the proof that it does not have. `log_shorter` may be an
 * answer of before: ask again.
 */
export class LogError extends Error {
  readonly code: LogFault;
  /** The checkpoint that was kept, as it was shown then. */
  readonly remembered: string | undefined;
  /** What the service shows now. */
  readonly shown: string | undefined;

  constructor(code: LogFault, heads: { remembered?: string | undefined; shown?: string | undefined } = {}) {
    super(LOG_FAULTS[code]);
    this.name = 'LogError';
    this.code = code;
    this.remembered = heads.remembered;
    this.shown = heads.shown;
  }
}
