import { bytesToHex, getHexBytes } from '../../bytes.ts';
import { CHAIN_START, hashEvents, hashState, nextChainHash } from '../../hash-chain.ts';
import { describeProtocolRules, findRulesId } from '../../rules-id.ts';
import { getShippedProfile } from '../../shipped-profiles.ts';

const EVENTS = [[], ['aabb'], ['aa', 'bb'], ['', ''], ['cc'.repeat(200)]];
const ROWS = [
  [],
  [{ kind: 2, key: 'aabb', value: 'cc' }],
  [
    { kind: 2, key: '00', value: '01' },
    { kind: 1, key: 'ff', value: '' },
    { kind: 1, key: 'ff00', value: '02' },
    { kind: 1, key: '0a', value: '03' },
  ],
];

/** The content of docs/protocols/vectors/hash-chain.json. */
export function makeHashChainVectors(): unknown {
  const bytes = (parts: readonly string[]) => parts.map(getHexBytes);
  let chain: Uint8Array = CHAIN_START;
  return {
    about:
      'Test vectors of docs/protocols/hash-chain.md: lists of event bytes, a chain over the same lists, rows of a state in any order, and the rules of the shipped profile `regtest`. Whole chains with hashes: names.json and tokens.json.',
    events: EVENTS.map((events) => ({ events, events_hash: bytesToHex(hashEvents(bytes(events))) })),
    chain: EVENTS.map((events, i) => {
      const blockHash = getHexBytes((i + 1).toString(16).padStart(2, '0').repeat(32));
      const eventsHash = hashEvents(bytes(events));
      chain = nextChainHash(chain, blockHash, eventsHash);
      return {
        block_hash: bytesToHex(blockHash),
        events_hash: bytesToHex(eventsHash),
        chain_hash: bytesToHex(chain),
      };
    }),
    states: ROWS.map((rows) => ({
      rows,
      state_hash: bytesToHex(
        hashState(
          rows.map(({ kind, key, value }) => ({ kind, key: getHexBytes(key), value: getHexBytes(value) })),
        ),
      ),
    })),
    rules: (['proofs', 'names', 'tokens'] as const).map((protocol) => ({
      protocol,
      text: describeProtocolRules(protocol, getShippedProfile('regtest')),
      rules_id: findRulesId(protocol, getShippedProfile('regtest')),
    })),
  };
}
