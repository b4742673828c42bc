import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { isNodeError } from '../node/node-error.ts';
import type { Asker } from './ask.ts';
import { describeAddress, type NodeAddress } from './find-nodes.ts';
import { lookAtNode, type NodeLook } from './look-at-node.ts';

export type ChosenNode = { address: NodeAddress; look: NodeLook };

/** The node that was named, that answers at one of the usual places, or that a person names. */
export async function chooseNode(
  named: NodeAddress | undefined,
  find: () => NodeAddress[],
  asker: Asker,
): Promise<Result<ChosenNode>> {
  if (named !== undefined) return tryNode(named);
  const tried = await Promise.all(find().map(tryNode));
  const found = tried.flatMap((each) => (each.ok ? [each.value] : []));
  if (found.length === 1 && !asker.isPresent) return ok(found[0]!);
  const lines = found.map(
    ({ address, look }, i) => `  ${i + 1}  ${describeAddress(address)}: ${describeLook(look)}`,
  );
  if (!asker.isPresent) {
    return fail(
      found.length === 0
        ? 'No node was found at the usual places. Name it: --node-url http://user:password@127.0.0.1:8332, or with --node-cookie.'
        : `There are several nodes. Name one with --node-url and --node-cookie:\n${lines.join('\n')}`,
    );
  }
  if (lines.length > 0) console.log(`Nodes that answer here:\n${lines.join('\n')}`);
  const question =
    lines.length > 0
      ? 'Which one, or the URL of another'
      : 'URL of the node, such as http://user:password@127.0.0.1:8332';
  for (;;) {
    const answer = await asker.ask(question, lines.length > 0 ? '1' : undefined);
    const chosen = found[Number(answer) - 1];
    if (chosen !== undefined) return ok(chosen);
    if (!/^https?:\/\//.test(answer) || !URL.canParse(answer)) continue;
    const cookie = new URL(answer).username === '' ? await asker.ask('Its .cookie file') : undefined;
    const looked = await tryNode({ url: answer, cookieFile: cookie || undefined });
    if (looked.ok) return looked;
    console.log(looked.reason);
  }
}

async function tryNode(address: NodeAddress): Promise<Result<ChosenNode>> {
  try {
    return ok({ address, look: await lookAtNode(address) });
  } catch (error) {
    if (isNodeError(error) || error instanceof TypeError) return fail(error.message);
    throw error;
  }
}

function describeLook({ facts }: NodeLook): string {
  return `${facts.subversion}, chain "${facts.chain}", block ${facts.blocks}`;
}
