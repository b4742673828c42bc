/** Five tokens of the local chain: one with a hundred holders, one that was described and reviewed, and others that tell what tokens can do. */

import { createHash } from 'node:crypto';
import { challengeIssuer } from '@coinfront/sdk/tokens/challenge-issuer.ts';
import { encodeTokenBurn } from '@coinfront/sdk/tokens/encode-token-burn.ts';
import { encodeTokenCreate } from '@coinfront/sdk/tokens/encode-token-create.ts';
import { encodeTokenMint } from '@coinfront/sdk/tokens/encode-token-mint.ts';
import { encodeTokenSweep } from '@coinfront/sdk/tokens/encode-token-sweep.ts';
import { encodeTokenTransfer } from '@coinfront/sdk/tokens/encode-token-transfer.ts';
import { getToken } from '@coinfront/sdk/tokens/get-token.ts';
import { listTokenHolders } from '@coinfront/sdk/tokens/list-token-holders.ts';
import { listTokens } from '@coinfront/sdk/tokens/list-tokens.ts';
import { submitMetadata } from '@coinfront/sdk/tokens/submit-metadata.ts';
import sharp from 'sharp';
import { runAdmin } from './admin.ts';
import { giveCoins, PLAYER_FEE_RATE, play, type Stage, tryToPlay, waitFor } from './players.ts';

/** The token that README and docs speak of: the one with many holders. */
export const DEMO_TICKER = 'DEMO';

type Terms = { decimals: number; premine: string; mintable: boolean; cap?: string };

const tokens: Readonly<Record<string, Terms>> = {
  [DEMO_TICKER]: { decimals: 2, premine: '1000000.00', mintable: true },
  HARBOUR: { decimals: 0, premine: '5000', mintable: true, cap: '20000' },
  BEANS: { decimals: 3, premine: '21000.000', mintable: false },
  TRAM: { decimals: 0, premine: '0', mintable: true },
  OLIVE: { decimals: 8, premine: '12.50000000', mintable: true, cap: '100.00000000' },
};
const HOLDERS = 100;
/** As many as fit into a data carrier. */
const RECIPIENTS_AT_ONCE = 8;
/** Holders that go on giving some to each other. */
const TRADERS = 12;
const TRADER_COINS = 3;
const MANY = 60;
const AT_FIRST = 4;
const ISSUER_COINS = 20;
const SHARE = '250.00';

/** Makes those that are not there yet; takes some blocks. */
export async function makeTokens(stage: Stage): Promise<void> {
  const { client, chain } = stage;
  const known = new Set((await listTokens(client, { limit: 100 })).items.map(({ ticker }) => ticker));
  const missing = Object.keys(tokens).filter((ticker) => !known.has(ticker));
  if (missing.length === 0) return;
  const issuers = new Map<string, string>();
  // With an address of this kind the node's own wallet signs messages.
  for (const ticker of missing) {
    issuers.set(ticker, await chain.players.call<string>('getnewaddress', ['', 'legacy']));
  }
  await giveCoins(chain.main, [...issuers.values()], '1.5', 2);
  const demo = issuers.get(DEMO_TICKER);
  if (demo !== undefined) await giveCoins(chain.main, [demo], '0.05', ISSUER_COINS);
  chain.hurry(12);
  await Promise.all(
    [...issuers].map(async ([ticker, address]) => {
      const terms = tokens[ticker]!;
      await play(stage, `The token ${ticker}`, () =>
        encodeTokenCreate(client, { ticker, ...terms, address, fee_rate: PLAYER_FEE_RATE }),
      );
      const tokenId = await findTokenId(stage, ticker);
      await tellItsStory(stage, ticker, tokenId, address);
    }),
  );
}

async function tellItsStory(stage: Stage, ticker: string, tokenId: string, issuer: string): Promise<void> {
  const { client, chain } = stage;
  const common = { token_id: tokenId, address: issuer, fee_rate: PLAYER_FEE_RATE };
  const newAddress = () => chain.players.call<string>('getnewaddress', ['', 'bech32']);
  const give = async (amounts: readonly string[]) => {
    const recipients: { to: string; amount: string }[] = [];
    for (const amount of amounts) recipients.push({ to: await newAddress(), amount });
    await play(stage, `A transfer of ${ticker}`, () =>
      encodeTokenTransfer(client, { recipients, ...common }),
    );
    return recipients.map(({ to }) => to);
  };
  switch (ticker) {
    case DEMO_TICKER: {
      const holders: string[] = [];
      while (holders.length < HOLDERS) {
        const left = Math.min(RECIPIENTS_AT_ONCE, HOLDERS - holders.length);
        holders.push(...(await give(Array(left).fill(SHARE))));
      }
      return;
    }
    case 'HARBOUR':
      await give(['120', '75', '40']);
      await describeToken(stage, tokenId, issuer);
      return;
    case 'BEANS':
      await give(['210.500', '99.250', '1.125']);
      await play(stage, 'A burn of BEANS', () => encodeTokenBurn(client, { amount: '1000.000', ...common }));
      return;
    case 'TRAM':
      await play(stage, 'A mint of TRAM', () =>
        encodeTokenMint(client, { amount: '480', to: issuer, close: true, ...common }),
      );
      return;
    default: {
      // One holder moves to another wallet, with all that it has.
      const [holder] = await give(['0.12500000', '1.00000001']);
      await giveCoins(chain.main, [holder!], '0.05');
      const to = await newAddress();
      await play(stage, 'A sweep', () =>
        encodeTokenSweep(client, { to, address: holder!, fee_rate: PLAYER_FEE_RATE }),
      );
    }
  }
}

/** Describes a token as its issuer, and approves that as the operator. */
async function describeToken(stage: Stage, tokenId: string, issuer: string): Promise<void> {
  const { client, chain, env } = stage;
  const logo = await drawLogo();
  const metadata = {
    name: 'Harbour points',
    description: 'One for each cup of coffee at the harbour. Ten of them are the next cup.',
    website: 'https://harbour.example/',
    links: [{ label: 'Opening hours', url: 'https://harbour.example/hours' }],
  };
  const logo_sha256 = createHash('sha256').update(logo).digest('hex');
  const challenge = await challengeIssuer(client, { token_id: tokenId, metadata, logo_sha256 });
  const signature = await chain.players.call<string>('signmessage', [issuer, challenge.message]);
  const { id } = await submitMetadata(client, {
    token_id: tokenId,
    nonce: challenge.nonce,
    signature,
    metadata,
    logo: logo.toString('base64'),
  });
  await runAdmin(env, 'tokens', 'review', 'approve', id);
}

/** An anchor on blue. */
async function drawLogo(): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128">
<rect width="128" height="128" rx="64" fill="#16425b"/>
<g fill="none" stroke="#f4f1de" stroke-width="9" stroke-linecap="round">
<circle cx="64" cy="34" r="9"/><path d="M64 44V102M44 58H84M28 78C32 96 46 102 64 102S96 96 100 78"/></g></svg>`;
  return await sharp(Buffer.from(drawing)).png().toBuffer();
}

/** Has the holders of the one token go on giving some to each other. */
export async function keepTokensMoving(stage: Stage): Promise<void> {
  const { client, chain } = stage;
  const token_id = await findTokenId(stage, DEMO_TICKER);
  let holders: string[] = [];
  let traders: string[] = [];
  /** They are holders when a block says so. */
  const findTraders = async () => {
    const { items } = await listTokenHolders(client, { token_id, limit: HOLDERS });
    if (items.length <= TRADERS) return;
    holders = items.flatMap(({ address }) => address ?? []);
    // The largest one is the issuer.
    traders = holders.slice(1, 1 + TRADERS);
    await giveCoins(chain.main, traders, '0.01', TRADER_COINS);
  };
  let sent = 0;
  const moveSome = async () => {
    const address = traders[sent % traders.length];
    const to = holders[(7 * sent + 3) % holders.length];
    sent += 1;
    if (address === undefined || to === undefined || to === address) return;
    const amount = `${1 + (sent % 9)}.${String((37 * sent) % 100).padStart(2, '0')}`;
    const txid = await tryToPlay(stage, () =>
      encodeTokenTransfer(client, {
        token_id,
        recipients: [{ to, amount }],
        address,
        fee_rate: PLAYER_FEE_RATE,
      }),
    );
    // Without coins nobody can send.
    if (txid === undefined) await giveCoins(chain.main, [address], '0.02');
  };
  // Once there have been many, one a block will do.
  chain.onTurn(async () => {
    if (traders.length === 0) return await findTraders();
    for (let left = sent < MANY ? AT_FIRST : 1; left > 0; left -= 1) await moveSome();
  });
}

async function findTokenId(stage: Stage, ticker: string): Promise<string> {
  return await waitFor(stage, `The token ${ticker}`, async () => {
    // The one that was made first: anybody can make another one of this name.
    const { items } = await listTokens(stage.client, { q: ticker, sort: 'oldest' });
    const found = items.find((token) => token.ticker === ticker);
    return found && (await getToken(stage.client, { token_id: found.token_id })).token.token_id;
  });
}
