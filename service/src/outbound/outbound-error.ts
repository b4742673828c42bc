/** Why a request to somebody else's address got no answer, in words that say nothing about the network it came from. */
export class OutboundError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

/** The address is not one to talk to: nothing was sent there. */
export class AddressRefusedError extends OutboundError {}

const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before there was an answer.',
  EPIPE: 'The connection was closed before there was an answer.',
  UND_ERR_SOCKET: 'The connection was closed before there was an answer.',
  ETIMEDOUT: 'No connection could be made in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  EADDRNOTAVAIL: 'The host cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  CERT_REVOKED: 'The certificate was revoked.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is of an authority that is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT: 'The chain of certificates is not complete.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate is of an authority that is not trusted, or its chain is not complete.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate is of an authority that is not trusted, or its chain is not complete.',
};

/** Any failure of the transport as an {@link OutboundError}. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError(describe(error), { cause: error });
}

function describe(error: unknown): string {
  const { code, errors } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    errors?: unknown;
  };
  const name = typeof code === 'string' ? code : '';
  const known = texts[name];
  if (known !== undefined) return known;
  // Several addresses were tried: the first says as much as all of them.
  if (Array.isArray(errors) && errors.length > 0) return describe(errors[0]);
  if (name.startsWith('HPE_') || (error as Error).name === 'HTTPParserError')
    return 'The answer is not valid HTTP.';
  if (name.startsWith('ERR_SSL') || name.startsWith('ERR_TLS') || name.startsWith('EPROTO'))
    return 'No encrypted connection could be agreed on.';
  if (/CERT|SIGNATURE/.test(name)) return 'The certificate is not valid.';
  return 'The connection failed.';
}
