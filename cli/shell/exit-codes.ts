/** What `coin` ends with. Scripts may rely on these; `docs/wallet.md` has them as a table. */
export const exitCodes = {
  done: 0,
  /** The wallet or the service refused it; nothing was sent unless the message says so. */
  refused: 1,
  /** The command line was not understood. */
  misused: 2,
  /** A person did not confirm it, or nobody could be asked. */
  declined: 3,
  /** The service cannot be reached or cannot answer now: try again later. */
  unavailable: 4,
  /** The wallet's file or its passphrase. */
  locked: 5,
  /** Checked, and not valid: a signature, a proof. */
  invalid: 6,
  /** The service is of another chain than the wallet, or describes it otherwise. */
  foreign: 7,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
