/** Codes of errors: those of JSON-RPC 2.0, and what Electrum servers have always added. Wallets go by some of the texts. */
export const rpcCodes = {
  notJson: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** What was asked for cannot be answered. */
  refused: 1,
  /** The node cannot be asked, or does not know it. */
  node: 2,
  tooMuch: -101,
  busy: -102,
} as const;

/** An error that a client is told. The message never repeats what was sent but hashes and numbers. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  /** Whether the session ends with it. */
  readonly closes: boolean;

  constructor(code: keyof typeof rpcCodes, message: string, { closes = false } = {}) {
    super(message);
    this.code = rpcCodes[code];
    this.closes = closes;
  }
}
