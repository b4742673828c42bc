import { utf8ToBytes } from '@noble/hashes/utils.js';

/** First four bytes of the payloads of the protocols (docs/protocols). */
export const MARKERS = {
  proof: utf8ToBytes('VPF1'),
  name: utf8ToBytes('VNS1'),
  token: utf8ToBytes('VTK1'),
  treasury: utf8ToBytes('VTR1'),
} as const;
