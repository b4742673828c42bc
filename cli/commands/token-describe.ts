import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import { challengeIssuer } from '@coinfront/sdk/tokens/challenge-issuer.ts';
import { submitMetadata } from '@coinfront/sdk/tokens/submit-metadata.ts';
import { signTokenMetadata } from '@coinfront/sdk/wallet/sign-token-metadata.ts';
import { unlockWallet } from '../keystore/open-wallet-file.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { chooseIssuer } from '../wallet/choose-holder.ts';
import { confirm } from '../wallet/confirm.ts';
import { findToken } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';

export const tokenDescribeCommand = defineCommand({
  name: 'token describe',
  summary: 'submit a description of a token that the wallet issued, for review',
  details: `The file is JSON: {"name", "description", "website", "links": [{"label", "url"}]}; missing fields are empty. The issuer's address signs
a text that is built on this machine from it. The operator reviews it before it is shown.`,
  args: [
    { name: 'token', summary: 'its id, or its ticker' },
    { name: 'file', summary: 'the description, JSON', file: true },
  ],
  options: {
    logo: { value: '<file>', summary: 'a PNG, JPEG or WebP of at most 256 KiB', file: true },
    domain: { value: '<host>', summary: "the service's public host (default: that of its URL)" },
  },
  async run(context, { args, options }) {
    const metadata = await readMetadata(args.file);
    const logo = options.logo === undefined ? undefined : await readFile(options.logo);
    const logoSha256 = logo && createHash('sha256').update(logo).digest('hex');
    const purse = await openPurse(context);
    const { session, file } = purse;
    const token = await findToken(args.token, purse);
    const issuer = chooseIssuer(purse, token);
    await confirm(
      context,
      [
        `You describe ${token.terms.ticker} (${token.tokenId}) as`,
        ...JSON.stringify(metadata, null, 2).split('\n'),
        ...(logoSha256 === undefined ? [] : [`with the logo ${options.logo}`]),
      ],
      `Sign it as ${issuer.address} and submit it?`,
    );
    const challenge = await challengeIssuer(session.client, {
      token_id: token.tokenId,
      metadata,
      logo_sha256: logoSha256 ?? null,
    });
    const domain = options.domain ?? new URL(session.service).host;
    const keys = await unlockWallet(context, file);
    try {
      const intent = { domain, tokenId: token.tokenId, issuer, metadata, logoSha256 };
      const submission = await submitMetadata(session.client, {
        token_id: token.tokenId,
        nonce: challenge.nonce,
        signature: signTokenMetadata(keys, intent, challenge),
        metadata,
        logo: logo?.toString('base64') ?? null,
      });
      return { json: submission, lines: [`${submission.state}: submission ${submission.id} awaits review`] };
    } finally {
      keys.wipe();
    }
  },
});

/** @throws CliError `misused` */
async function readMetadata(path: string): Promise<TokenMetadataJson> {
  try {
    const { name, description = '', website = null, links = [] } = JSON.parse(await readFile(path, 'utf8'));
    if (typeof name === 'string') return { name, description, website, links };
  } catch (error) {
    throw misuse(`${path} cannot be read: ${(error as Error).message}`);
  }
  throw misuse(`${path} is JSON with a "name" at least.`);
}
