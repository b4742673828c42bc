import { anchorDigest } from '@coinfront/sdk/proofs/anchor-digest.ts';
import { planAnchor } from '@coinfront/sdk/wallet/plan-anchor.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { confirm } from '../wallet/confirm.ts';
import { readDigest } from '../wallet/hash-path.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const proofAnchorCommand = defineCommand({
  name: 'proof anchor',
  summary: 'anchor a file’s digest, to prove later that it existed now',
  details: `The file is hashed on this machine; only its digest is sent. The service anchors it; with --own the wallet does, and
pays the fee. --calendar has it anchored together with others: the service answers at once, and takes many more.`,
  args: [{ name: 'file', summary: 'the file, or its SHA-256 digest', file: true }],
  options: {
    own: { summary: 'pay with coins of the wallet' },
    calendar: { summary: 'let the service anchor it together with others' },
    ...spendOptions,
  },
  async run(context, { args, options }) {
    const isOwn = options.own || options.psbt !== undefined;
    if (isOwn && options.calendar)
      throw misuse(
        '--calendar is anchored by the service, --own and --psbt by the wallet: give one of them.',
      );
    const sha256 = await readDigest(context, args.file);
    if (isOwn) {
      const purse = await openPurse(context);
      const intro = [`You anchor the digest ${sha256}`];
      const spending = { plan: planAnchor([sha256]), intro, facts: { sha256 } };
      return (await spend(context, purse, spending, options)).outcome;
    }
    const session = await connectWallet(context, await loadWallet(context));
    await confirm(context, [`${session.service} shall anchor the digest ${sha256}`], 'Send the digest?');
    const form = options.calendar ? 'calendar' : 'direct';
    const { result, reason, txid, leaf } = await anchorDigest(session.client, { sha256, form });
    if (result === 'script') {
      const detail = `The service does not anchor it (${reason}): anchor it with your own coins by --own.`;
      throw new CliError(reason ?? 'not_anchored', detail);
    }
    const where = txid === null ? '' : ` in transaction ${txid}`;
    if (leaf === null) return { json: { sha256, result, txid }, lines: [`${result}: ${sha256}${where}`] };
    return {
      json: { sha256, result, txid, accepted_at: leaf.accepted_at },
      lines: [
        `taken: ${sha256}${where}`,
        'It is anchored with others, and proven once they are in a block: "coin proof verify".',
      ],
    };
  },
});
