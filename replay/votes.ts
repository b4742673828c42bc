/** Judges a node by what vantage points have signed: `docs/protocols/registry.md`, "Vantage points". */

import { sha256, toHex } from './bytes.ts';
import type { Comparable } from './difference.ts';
import type { Json } from './list-new.ts';
import { hashText, isSigned } from './signed-log.ts';

const LOOKS = 'node registry looks, version 1';
const MOST_LOOKS = 11_000;
/** What only the registry itself can say. */
const OF_PLACES = ['unresolved', 'address_refused', 'endpoint_taken', 'network_full', 'endpoint_refused'];
/** What a vantage point can say of a look, by its result. */
const WORDS: Readonly<Record<string, readonly (string | null)[]>> = {
  pass: [null],
  fail: [
    ...[
      'bad_checksum',
      'block_missing',
      'closed',
      'lagging',
      'malformed',
      'not_full',
      'timeout',
      'too_large',
    ],
    ...['too_much', 'too_old', 'unreachable', 'wrong_block', 'wrong_chain', 'wrong_magic'],
  ],
  void: [
    ...['no_name_server', 'no_proxy', 'no_route', 'own_node_behind', 'own_node_unavailable', 'registry_busy'],
    ...['registry_down', 'registry_isolated', 'registry_outvoted', 'registry_outworked'],
  ],
};

type Same = (what: string, ours: Comparable, theirs: Comparable) => void;
type Voice = { key: string; result: string; reason: string | null; proven: boolean };

/**
 * Works the verdict of a receipt out anew, and compares it.
 *
 * @param statements - by hash, as the service shows them
 */
export function checkVotes(receipt: Json, statements: ReadonlyMap<string, Json>, same: Same): void {
  const at = `receipt ${receipt.sequence}`;
  const keys: string[] = receipt.votes.map(({ vantage }: Json) => vantage);
  same(`version of ${at}`, 2, receipt.version);
  same(`order of the votes of ${at}`, [...new Set(keys)].sort().join(), keys.join());
  const own = receipt.votes.find(({ vantage }: Json) => vantage === receipt.registry_key);
  same(`whether ${at} has the vote of its registry`, true, own !== undefined);
  const token = tokenOf(receipt);
  const voices: Voice[] = receipt.votes.map((vote: Json) => {
    const said = { key: vote.vantage, result: vote.result, reason: vote.reason, proven: vote.proven };
    const looks = vote.statements.map((hash: string) =>
      readLooks(hash, vote.vantage, receipt, statements, same),
    );
    const isOwnWord = vote === own && (OF_PLACES.includes(vote.reason) || looks.length === 0);
    if (isOwnWord) return said;
    const heard = hear(vote.vantage, looks, receipt.endpoint, token);
    for (const name of ['result', 'reason', 'proven'] as const)
      same(`${name} of the vote of ${vote.vantage} in ${at}`, heard[name], said[name]);
    return heard;
  });
  const { verdict, reason, proven } = judge(voices, receipt.registry_key);
  same(`verdict of ${at}`, verdict, receipt.verdict);
  same(`reason of ${at}`, reason, receipt.reason);
  if (verdict === 'pass') same(`endpoint_proven of ${at}`, proven, receipt.observed?.endpoint_proven);
}

/** A statement is of this key, chain and slot, and in order; gives its looks. */
function readLooks(
  hash: string,
  key: string,
  receipt: Json,
  statements: ReadonlyMap<string, Json>,
  same: Same,
): Json[] {
  const at = `statement ${hash}`;
  const shown = statements.get(hash);
  same(`whether there is the ${at}`, true, shown !== undefined);
  const { statement, signature } = shown;
  same(`hash of the ${at}`, hashText(statement), hash);
  same(`key of the ${at}`, key, statement.registry_key);
  same(`network of the ${at}`, receipt.network, statement.network);
  same(`end of the slot of the ${at}`, receipt.slots.to, statement.slot.to);
  same(`whether the signature of the ${at} is that of its key`, true, isSigned(LOOKS, hash, signature, key));
  const places: string[] = statement.looks.map(({ endpoint }: Json) => endpoint);
  same(
    `endpoints of the ${at}`,
    [...new Set(places)].sort().join().slice(0, 400),
    places.join().slice(0, 400),
  );
  same(`whether the ${at} has not too many looks`, true, places.length <= MOST_LOOKS);
  same(
    `whether the looks of the ${at} have only reasons of their results`,
    true,
    statement.looks.every(({ result, reason }: Json) => WORDS[result]?.includes(reason) === true),
  );
  return statement.looks;
}

function hear(key: string, statements: readonly Json[][], endpoint: string, token: string): Voice {
  const silent = (reason: string): Voice => ({ key, result: 'void', reason, proven: false });
  if (statements.length === 0) return silent('vantage_missing');
  if (statements.length > 1) return silent('vantage_equivocal');
  const look = statements[0]!.find((each) => each.endpoint === endpoint);
  if (look === undefined) return silent('vantage_silent');
  return { key, result: look.result, reason: look.reason, proven: look.tokens.includes(token) };
}

function judge(
  voices: readonly Voice[],
  ownKey: string,
): { verdict: string; reason: string | null; proven: boolean } {
  const own = voices.find(({ key }) => key === ownKey)!;
  const good = voices.filter(({ result }) => result === 'pass');
  const bad = voices.filter(({ result }) => result === 'fail');
  if (OF_PLACES.includes(String(own.reason)) || good.length + bad.length < 3)
    return { verdict: own.result, reason: own.reason, proven: own.proven };
  if (good.length === bad.length) return { verdict: 'void', reason: 'vantages_tied', proven: false };
  if (good.length < bad.length) {
    const { reason } = own.result === 'fail' ? own : bad[0]!;
    return { verdict: 'fail', reason, proven: false };
  }
  return {
    verdict: 'pass',
    reason: null,
    proven: good.filter(({ proven }) => proven).length * 2 > good.length,
  };
}

/** What the node of a receipt shows, where its owner has said so. */
function tokenOf({ registry_key, network, node_key, payout_address }: Json): string {
  const text = ['node registry endpoint, version 1', registry_key, network, node_key, payout_address].join(
    '\n',
  );
  return `nodeproof-${toHex(sha256(Buffer.from(text)).subarray(0, 16))}`;
}
