import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { WalletError } from '@coinfront/sdk/wallet/wallet-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Something that ends a command, with a code for programs and a text for people. */
export class CliError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  /** More for programs, beside code and message. */
  readonly facts: object;

  constructor(
    code: string,
    message: string,
    exitCode: ExitCode = exitCodes.refused,
    { facts = {}, ...options }: ErrorOptions & { facts?: object } = {},
  ) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
    this.exitCode = exitCode;
    this.facts = facts;
  }
}

/** The command line was not understood. */
export function misuse(message: string): CliError {
  return new CliError('misused', message, exitCodes.misused);
}

/** What is told about any failure. Errors of files and the like say their own message; they hold no secret. */
export type Failure = {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  readonly facts?: object;
};

/** Any thrown value as a failure. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CliError) return error;
  if (error instanceof WalletError) {
    const isForeign = error.code === 'network_mismatch' || error.code === 'network_changed';
    return {
      code: error.code,
      message: error.message,
      exitCode: isForeign ? exitCodes.foreign : exitCodes.refused,
    };
  }
  if (isCoinfrontError(error)) {
    const mayPass =
      ['network_error', 'timeout'].includes(error.code) || error.status === 429 || (error.status ?? 0) >= 500;
    const found = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
    return {
      code: error.code,
      message: error.detail + found,
      exitCode: mayPass ? exitCodes.unavailable : exitCodes.refused,
    };
  }
  const { code } = error as { code?: unknown };
  return {
    code: typeof code === 'string' ? code.toLowerCase() : 'failed',
    message: error instanceof Error ? error.message : String(error),
    exitCode: exitCodes.refused,
  };
}
