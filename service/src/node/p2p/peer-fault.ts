/** Why a peer did not do what its protocol asks; a closed set that receipts use, too. */
export const peerFaults = {
  unreachable: 'No connection could be made.',
  closed: 'It closed the connection.',
  timeout: 'It did not answer in time.',
  wrong_magic: 'It speaks for another network.',
  malformed: 'A message of it cannot be read.',
  bad_checksum: 'A message of it has another checksum.',
  too_large: 'A message of it is larger than any that was asked for.',
  too_much: 'It sends more messages or bytes than are read.',
  too_old: 'Its protocol version is too old.',
  not_full: 'It does not serve the whole chain.',
  lagging: 'It is more than 4 blocks behind.',
  wrong_chain: 'Its headers are of another chain.',
  block_missing: 'It does not have the block.',
  wrong_block: 'It sent another block.',
} as const;

/** A key of {@link peerFaults}. */
export type PeerFaultCode = keyof typeof peerFaults;

/** A peer that failed. */
export class PeerFaultError extends Error {
  override readonly name = 'PeerFaultError';
  readonly code: PeerFaultCode;

  constructor(code: PeerFaultCode) {
    super(peerFaults[code]);
    this.code = code;
  }
}
