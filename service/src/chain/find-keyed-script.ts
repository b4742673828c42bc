import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { equalRanges } from '@coinfront/protocol/bytes.ts';
import { listRawOutputs } from '@coinfront/protocol/raw-outputs.ts';
import { hashTogether, MAX_LANE_MESSAGE_BYTES } from '@coinfront/protocol/sha256-lanes.ts';
import { sha256 } from '../indexer/encoding/hashes.ts';

/** Hashed before it is looked whether the script was among them. */
const AT_ONCE = 256;

/**
 * The first script that a transaction pays whose SHA-256 begins like this key. Scripts are hashed four at a time: a transaction may pay a
 * hundred thousand. Measured with 30,000, one after the other took two to three times as long.
 */
export function findKeyedScript(raw: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  const scripts = listRawOutputs(raw).map(({ script }) => script);
  for (let first = 0; first < scripts.length; first += AT_ONCE) {
    const found = findFirst(scripts.slice(first, first + AT_ONCE), key);
    if (found) return found;
  }
  return undefined;
}

function findFirst(scripts: readonly Uint8Array[], key: Uint8Array): Uint8Array | undefined {
  let found = scripts.length;
  const compare = (index: number, hashes: Uint8Array, at: number): void => {
    if (index < found && equalRanges(hashes, at, key, 0, SCRIPT_KEY_BYTES)) found = index;
  };
  hashTogether({ twice: false, take: compare }, (messages, reserve) => {
    for (const [i, script] of scripts.entries()) {
      if (script.length > MAX_LANE_MESSAGE_BYTES) compare(i, sha256(script), 0);
      else messages.set(script, reserve(i, script.length));
    }
  });
  return scripts[found];
}
