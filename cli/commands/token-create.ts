import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import { parseHex } from '@coinfront/protocol/bytes.ts';
import type { TokenTerms } from '@coinfront/protocol/tokens/token-operation.ts';
import { getTokenStatus } from '@coinfront/sdk/tokens/get-token-status.ts';
import { createdTokenId, planTokenCreate } from '@coinfront/sdk/wallet/plan-tokens.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { readCoins, readWhole, showCoins } from '../wallet/amounts.ts';
import { choosePayer } from '../wallet/choose-payer.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { type Purse, spendOptions } from '../wallet/spend.ts';
import { spendToken } from '../wallet/spend-token.ts';

export const tokenCreateCommand = defineCommand({
  name: 'token create',
  summary: 'create a token, whose terms never change',
  details: `The address that pays becomes the issuer: only coins of that address can mint later. Tickers are not unique; a token is identified
by its id, which is printed.`,
  args: [{ name: 'ticker', summary: '1 to 12 of A-Z and 0-9' }],
  options: {
    decimals: { value: '<number>', summary: 'decimals of its amounts, 0 to 18 (default: 0)' },
    premine: { value: '<amount>', summary: 'what the issuer gets at once (default: none)' },
    mintable: { summary: 'the issuer may mint later' },
    cap: { value: '<amount>', summary: 'maximum supply' },
    'metadata-hash': { value: '<sha256>', summary: 'hash of a description stored elsewhere' },
    issuer: {
      value: '<address>',
      summary: 'an address of the wallet with coins (default: the one with the most)',
    },
    'at-most': { value: '<coins>', summary: 'refuse to pay more for the creation' },
    ...spendOptions,
  },
  async run(context, { args: { ticker }, options }) {
    const purse = await openPurse(context);
    const { network } = purse.file.watch;
    const terms = readTerms(ticker, options);
    const issuer = choosePayer(purse.scan, options.issuer);
    const fee = await readCreateFee(purse, options['at-most']);
    const shown = (value: bigint) => formatAmount(value, terms.decimals);
    const most = terms.cap === undefined ? 'without a cap' : `up to ${shown(terms.cap)}`;
    const intro = [
      `You create ${ticker} as ${issuer.address}`,
      `  at once    ${shown(terms.premine)} ${ticker}`,
      `  later      ${terms.mintable ? `can be minted, ${most}` : 'never more'}`,
      `  costs      ${showCoins(fee.amount, network)} and the fee below`,
    ];
    const facts = { ticker, decimals: terms.decimals, issuer: issuer.address };
    const plan = planTokenCreate({ terms, issuer, fee });
    const { review, outcome } = await spendToken(context, purse, { plan, intro, facts }, options);
    const token_id = createdTokenId(review, network);
    return {
      ...outcome,
      json: { token_id, ...outcome.json },
      lines: [...outcome.lines, `Token: ${token_id}`],
    };
  },
});

type TermOptions = Readonly<Record<'decimals' | 'premine' | 'cap' | 'metadata-hash', string | undefined>> & {
  readonly mintable: boolean | undefined;
};

function readTerms(ticker: string, options: TermOptions): TokenTerms {
  if (!/^[A-Z0-9]{1,12}$/.test(ticker))
    throw misuse(`A ticker is 1 to 12 of A-Z and 0-9; received "${ticker}".`);
  const decimals = readWhole('--decimals', options.decimals ?? '0', { min: 0, max: 18 });
  const read = (name: 'premine' | 'cap') => {
    const amount = parseAmount(options[name] ?? '0', decimals);
    if (!amount.ok) throw misuse(`--${name}: ${amount.reason}.`);
    return amount.value;
  };
  const hash = options['metadata-hash'];
  const metadataHash = hash === undefined ? undefined : parseHex(hash.toLowerCase());
  if (metadataHash !== undefined && !(metadataHash.ok && metadataHash.value.length === 32)) {
    throw misuse('--metadata-hash is 64 hex digits.');
  }
  return {
    ticker,
    decimals,
    premine: read('premine'),
    cap: options.cap === undefined ? undefined : read('cap'),
    mintable: options.mintable === true,
    metadataHash: metadataHash?.ok ? metadataHash.value : undefined,
  };
}

/** What the rules ask for a creation, as the service has it; it is an output of what is shown. */
async function readCreateFee(
  { session, file }: Purse,
  most: string | undefined,
): Promise<{ amount: bigint; script: Uint8Array }> {
  const { create_fee } = await getTokenStatus(session.client);
  if (create_fee.amount === null) {
    throw new CliError('tokens_inactive', 'Tokens have not begun on this chain yet.');
  }
  const amount = parseAmount(create_fee.amount, file.watch.network.decimals);
  const script = parseHex(create_fee.script);
  if (amount.ok && script.ok && script.value.length > 0) {
    if (most === undefined || amount.value <= readCoins(most, file.watch.network))
      return { amount: amount.value, script: script.value };
    const detail = `The service asks for ${showCoins(amount.value, file.watch.network)}, more than was allowed.`;
    throw new CliError('amount_invalid', detail);
  }
  throw new CliError('answer_invalid', 'The service did not say what a creation costs.');
}
