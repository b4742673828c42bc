import type { Finding } from './judge-machine.ts';
import type { NodeLook } from './look-at-node.ts';

/** The oldest Core whose calls are known, as the node counts versions; forks that began before (Dogecoin) count their own. */
const OLDEST_TRIED = 210_000;

/** What there is to know about a node before a first sync. */
export function judgeNode({ facts, rest, txindex }: NodeLook): Finding[] {
  const findings: Finding[] = [];
  const { subversion, version, blocks, headers, initialBlockDownload, pruned, pruneHeight } = facts;
  findings.push(
    version < OLDEST_TRIED && /Satoshi/.test(subversion)
      ? { level: 'note', text: `${subversion} is older than any that was tried (0.21).` }
      : { level: 'good', text: `${subversion}, chain "${facts.chain}", block ${blocks}.` },
  );
  if (initialBlockDownload && headers > blocks) {
    findings.push({
      level: 'note',
      text: `The node itself is still at block ${blocks} of ${headers}: what is served ends there until it is done.`,
    });
  }
  if (pruned && (pruneHeight ?? 0) > 0) {
    findings.push({
      level: 'bad',
      text: `The node is pruned: blocks below ${pruneHeight} are gone, and a first sync needs all of them. Begin beside one that has them; later a pruned one will do.`,
    });
  }
  findings.push(
    rest
      ? { level: 'good', text: 'REST is on: the first sync is faster with it.' }
      : { level: 'note', text: 'REST is off: rest=1 in its configuration makes the first sync faster.' },
  );
  if (txindex === true)
    findings.push({ level: 'note', text: 'It keeps a txindex, which Coinfront does not need.' });
  return findings;
}
