/** What the Electrum interface takes, holds and gives at most. `docs/configuration.md` lists these. */
export const electrumLimits = {
  /** Bytes of a message: a transaction of 1,000,000 bytes in hex, and what is around it. */
  messageBytes: 2_100_000,
  /** Commas and brackets of a message: an array of 1,000 calls has some 10,000. */
  messageParts: 32_768,
  /** Pieces of a message over WebSocket, as the system hands them over and as frames: each takes some hundred bytes beside its own. */
  messagePieces: 4_096,
  /** Empty lines, or messages, pings and pongs of a WebSocket, between two messages that have a text: a ping each second until idle. */
  emptyMessages: 600,
  /** Bytes of unfinished messages, of all sessions together. */
  unfinishedBytes: 64 * 2 ** 20,
  /** Calls in one array. */
  batchCalls: 1_000,
  /** Characters of the answer to an array: what comes after them is refused, call by call. */
  batchAnswer: 8 * 2 ** 20,
  /** Calls of a session that are answered at once, and that wait for these before no more of it is read. */
  callsAtOnce: 8,
  waitingCalls: 256,
  /** Calls of a session that are begun in one turn of the event loop, and milliseconds of a turn in which calls are begun. */
  callsOfTurn: 32,
  turnMs: 4,
  /** Bytes that a session has not read, beyond which none of its calls is begun. */
  unreadBytes: 2 ** 20,
  /** Bytes that a session has not read, beyond which it is cut. */
  unreadCutBytes: 64 * 2 ** 20,
  sessions: { ofClient: 100, inAll: 20_000 },
  /** TLS handshakes under way. */
  handshakes: { ofClient: 20, inAll: 500 },
  handshakeMs: 10_000,
  /** Without a message. */
  idleMs: 600_000,
  /** For the first message, and for the rest of one that has begun. */
  messageMs: 60_000,
  sweepMs: 15_000,
  /** Messages that were no calls at all. */
  malformedMessages: 20,
  /** Transactions of a script that is watched, or whose history is asked for: about 5 MB of text. */
  historyTxs: 50_000,
  /** Unspent outputs of a list. */
  unspentOutputs: 50_000,
  headers: 2_016,
  subscriptions: { ofSession: 20_000, ofClient: 75_000, inAll: 4_000_000 },
} as const;

/** Units of calls, of which a client has so many a minute as on HTTP: see `docs/configuration.md`. */
export const electrumCosts = {
  /** A look-up takes a twentieth of what a request over HTTP does, and less. */
  call: 0.02,
  subscription: 0.04,
  transaction: 0.04,
  proof: 0.1,
  headers: 0.5,
  broadcast: 10,
  handshake: 0.2,
  /** Rows that make one unit. */
  historyRows: 1_000,
  unspentRows: 500,
  /** What has to be there before a long list is read; the rest is owed. */
  longList: 10,
  /** To find out that a list is longer than any that is given. */
  tooLong: 0.5,
  /** Bytes of an answer, or of a message, that make one unit. */
  bytesOfUnit: 65_536,
} as const;
