/** What `coin` ends with. Scripts may rely on these; `docs/wallet.md` has them as a table. */
export const exitCodes = {
  done: 0,
  /** The wallet or the service refused it; nothing was sent. */
  refused: 1,
  /** The command line was not understood. */
  misused: 2,
  /** A person did not confirm it, or nobody could be asked. */
  declined: 3,
  /** The service cannot be reached or cannot answer now, and nothing was sent: try again later. */
  unavailable: 4,
  /** The wallet's file or its passphrase. */
  locked: 5,
  /** Checked, and not valid: a signature, a proof. */
  invalid: 6,
  /** The service is of another chain than the wallet, or describes it otherwise. */
  foreign: 7,
  /** What was signed may have been sent or not: the same can be sent again, and nothing else should be. */
  unknown: 8,
  /** It was done, but its answer could not be written, such as to a disk that is full. */
  unwritten: 9,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
