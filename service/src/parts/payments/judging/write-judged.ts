import { CompiledQuery } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';

/** What a judgement changes of a payment's row; other columns are left alone, and with them their indexes. */
const columns = {
  status: 'text',
  reason: 'text',
  seen: 'text',
  mined: 'text',
  deep: 'text',
  late: 'text',
  held: 'bigint',
  settled: 'bigint',
  final: 'bigint',
  accepted_at: 'bigint',
  accepted_amount: 'text',
  lost_at: 'bigint',
  paid_at: 'bigint',
  settled_at: 'bigint',
  check_height: 'bigint',
  check_at: 'bigint',
  resolved: 'text',
  is_due: 'bigint',
  updated_at: 'bigint',
  sequence: 'bigint',
} as const satisfies Partial<Record<keyof PaymentTable, 'text' | 'bigint'>>;

const names = Object.keys(columns) as (keyof typeof columns)[];
const assignments = names.map((name) => `${name} = j.${name}`).join(', ');

/** One statement for all rows, handed over as JSON: a block can change thousands. */
const statements: Readonly<Record<Precious['engine'], string>> = {
  sqlite: `update payment set ${assignments} from (
    select ${['id', ...names].map((name) => `value ->> '$.${name}' as ${name}`).join(', ')} from json_each(?)
  ) as j where payment.id = j.id`,
  postgres: `update payment set ${assignments} from jsonb_to_recordset($1::jsonb) as j (
    id text, ${names.map((name) => `${name} ${columns[name]}`).join(', ')}
  ) where payment.id = j.id`,
};

/** Writes the rows of judged payments. */
export async function writeJudged(
  trx: PaymentQuery,
  engine: Precious['engine'],
  payments: readonly PaymentTable[],
): Promise<void> {
  if (payments.length === 0) return;
  const rows = payments.map((payment) =>
    Object.fromEntries([['id', payment.id], ...names.map((name) => [name, payment[name]] as const)]),
  );
  await trx.executeQuery(CompiledQuery.raw(statements[engine], [JSON.stringify(rows)]));
}
