import type { NewIntentJson } from '@coinfront/api/treasury.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { createIntent } from '@coinfront/sdk/treasury/create-intent.ts';
import { registerContributor } from '@coinfront/sdk/treasury/register-contributor.ts';
import { formatAmountShort } from '../format/amount.ts';
import { t } from '../language/messages.ts';

/** Who gives: whoever is new joins first. */
export type Giver = { secret: string; join: { nickname: string; isPublic: boolean } | undefined };

/**
 * Registers who gives, where that is to be, and asks for what to pay.
 *
 * @param onJoined called as soon as the giver is registered, whatever becomes of the contribution: from then on the secret is all that
 *   shows whose the nickname is. Another try with it registers nobody again
 * @throws CoinfrontError
 */
export async function beginContribution(
  client: Client,
  { secret, join }: Giver,
  amount: string,
  onJoined: () => void,
): Promise<NewIntentJson> {
  if (join !== undefined) {
    const { nickname, isPublic } = join;
    const shown = { public_display: isPublic, ...(nickname === '' ? {} : { nickname }) };
    try {
      await registerContributor(client, { contributor_secret: secret, ...shown });
    } catch (error) {
      // The answer to an earlier try was lost.
      if (!isCoinfrontError(error) || error.code !== 'contributor_exists') throw error;
    }
    onJoined();
  }
  return await createIntent(client, { contributor_secret: secret, amount });
}

/** What is wrong with an amount, before anybody is registered for it; amounts are in coins. */
export function findAmountFault(
  amount: string,
  { minimum, decimals }: { minimum: string; decimals: number },
): string | undefined {
  const parsed = parseAmount(amount, decimals);
  if (!parsed.ok) return parsed.reason;
  const least = parseAmount(minimum, decimals);
  return least.ok && parsed.value < least.value
    ? t('at least {minimum}', { minimum: formatAmountShort(minimum) })
    : undefined;
}
