/** Puts addresses into a merchant's pool: each is checked, and told what became of it. */

import type {
  ImportRefusal,
  PoolImportItemJson,
  PoolImportJson,
  PoolImportResultJson,
} from '@coinfront/api/merchants.ts';
import type { Result } from '@coinfront/protocol/result.ts';
import { AppError } from '../../../errors.ts';
import { parseAccountKey } from '../../../wallets/account-key.ts';
import { hasNoHistory } from '../chain/list-earlier-outputs.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import { listPaidScripts } from '../requests/payment-store.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { deriveAddresses } from './derive-addresses.ts';
import { type PayableAddress, parsePayableAddress } from './parse-recipient.ts';
import { addToPool, holdPoolsAlone, listPooledScripts } from './pool-store.ts';

/** Addresses whose history is looked up in one snapshot: others get their turn in between. */
const LOOKED_UP_AT_ONCE = 50;

const refusalTexts: Readonly<Record<ImportRefusal, string>> = {
  address_invalid: 'It is no address of this network that can be paid.',
  duplicate: 'It is in this list twice; the first one counts.',
  already_imported: 'It is in an address pool already.',
  address_in_use: 'A payment of yours has, or had, this address.',
  address_has_history: 'The chain or the mempool has seen it; only fresh addresses are taken.',
};

type Candidate = { text: string; path: string | null; parsed: Result<PayableAddress> };
type Verdict = { code: ImportRefusal; detail: string } | undefined;

/**
 * Imports addresses, or those that are derived from a public key.
 *
 * @throws AppError `invalid_body`, `extended_key_invalid`, `private_key_refused`, `not_ready`
 */
export async function importAddresses(
  context: PaymentRouteContext,
  merchantId: string,
  body: PoolImportJson,
): Promise<PoolImportResultJson> {
  const candidates = await listCandidates(context, body);
  const verdicts = checkForm(candidates);
  await checkHistory(context, candidates, verdicts);
  await context.precious.transaction<PaymentTables, void>(async (trx) => {
    await holdPoolsAlone(trx, context.precious.engine);
    await checkKnown(trx, merchantId, candidates, verdicts);
    const fresh = candidates.flatMap(({ parsed, path }, i) =>
      verdicts[i] === undefined && parsed.ok ? [{ ...parsed.value, path }] : [],
    );
    await addToPool(trx, merchantId, fresh, context.now());
  });
  const results = candidates.map((candidate, i) => describe(candidate, verdicts[i]));
  const refused = verdicts.filter((verdict) => verdict !== undefined).length;
  return { imported: results.length - refused, refused, results };
}

async function listCandidates(
  { profile }: PaymentRouteContext,
  { addresses, xpub, from, count, script_type: scriptType }: PoolImportJson,
): Promise<Candidate[]> {
  const isList = addresses !== undefined;
  const asksForKey = [xpub, from, count, scriptType].some((field) => field !== undefined);
  if (isList === asksForKey) {
    throw new AppError('invalid_body', 'Give either "addresses", or "xpub" with "count" and "from".');
  }
  const read = (text: string, path: string | null): Candidate => ({
    text,
    path,
    parsed: parsePayableAddress(text, profile),
  });
  if (isList) return addresses.map((text) => read(text, null));
  if (xpub === undefined || count === undefined) {
    throw new AppError('invalid_body', '"xpub" and "count" belong together.');
  }
  const first = from ?? 0;
  if (first + count > 2 ** 31) {
    throw new AppError('invalid_body', '"from" + "count" goes beyond the last index, 2147483647.');
  }
  const key = parseAccountKey(xpub, scriptType, profile);
  if (!key.ok) {
    if (key.problem.kind === 'invalid')
      throw new AppError('extended_key_invalid', `"xpub" cannot be used: ${key.problem.reason}.`);
    const detail = '"xpub" is a private key. It was not kept; treat it as exposed and move its coins.';
    throw new AppError('private_key_refused', detail);
  }
  const derived = await deriveAddresses(key.value, first, count, profile);
  if (!derived.ok) throw new AppError('extended_key_invalid', `"xpub" cannot be used: ${derived.reason}.`);
  return derived.value.map(({ address, path }) => read(address, path));
}

function refuse(code: ImportRefusal): Verdict {
  return { code, detail: refusalTexts[code] };
}

function checkForm(candidates: readonly Candidate[]): Verdict[] {
  const seen = new Set<string>();
  return candidates.map(({ parsed }) => {
    if (!parsed.ok) {
      const { reason } = parsed;
      return { code: 'address_invalid', detail: `${reason[0]!.toUpperCase()}${reason.slice(1)}.` };
    }
    if (seen.has(parsed.value.scriptHash)) return refuse('duplicate');
    seen.add(parsed.value.scriptHash);
    return undefined;
  });
}

async function checkHistory(
  { readChain }: PaymentRouteContext,
  candidates: readonly Candidate[],
  verdicts: Verdict[],
): Promise<void> {
  for (let start = 0; start < candidates.length; start += LOOKED_UP_AT_ONCE) {
    await readChain(async (view) => {
      if (view.tip === undefined) {
        throw new AppError('not_ready', 'No block is indexed yet. See /api/v1/health.', {
          'retry-after': '5',
        });
      }
      for (let i = start; i < Math.min(start + LOOKED_UP_AT_ONCE, candidates.length); i++) {
        const { parsed } = candidates[i]!;
        if (verdicts[i] !== undefined || !parsed.ok) continue;
        if (!(await hasNoHistory(view, parsed.value.script))) verdicts[i] = refuse('address_has_history');
      }
    });
  }
}

/** What the tables know of an address weighs more than its history: it says why it has one. */
async function checkKnown(
  trx: PaymentQuery,
  merchantId: string,
  candidates: readonly Candidate[],
  verdicts: Verdict[],
): Promise<void> {
  const scripts = candidates.flatMap(({ parsed }) => (parsed.ok ? [parsed.value.scriptHash] : []));
  const [pooled, paid] = [
    await listPooledScripts(trx, scripts),
    await listPaidScripts(trx, merchantId, scripts),
  ];
  for (const [i, { parsed }] of candidates.entries()) {
    if (!parsed.ok || verdicts[i]?.code === 'duplicate') continue;
    if (pooled.has(parsed.value.scriptHash)) verdicts[i] = refuse('already_imported');
    else if (paid.has(parsed.value.scriptHash)) verdicts[i] = refuse('address_in_use');
  }
}

function describe({ text, path, parsed }: Candidate, verdict: Verdict): PoolImportItemJson {
  return {
    address: parsed.ok ? parsed.value.address : text,
    path,
    result: verdict === undefined ? 'imported' : 'refused',
    code: verdict?.code ?? null,
    detail: verdict?.detail ?? null,
  };
}
