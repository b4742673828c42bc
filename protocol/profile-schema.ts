import Type from 'typebox';

// The coin profile as JSON; docs/coin-profile.md describes every field. Amounts are decimal strings in coins.

const strict = { additionalProperties: false };
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const amount = Type.String({ minLength: 1, maxLength: 40 });
const height = Type.Integer({ minimum: 0, maximum: 0x7fffffff });
const blocks = Type.Integer({ minimum: 1, maximum: 0x7fffffff });
const port = Type.Integer({ minimum: 1, maximum: 65535 });
const versionByte = Type.Integer({ minimum: 0, maximum: 255 });
const uint32 = Type.Integer({ minimum: 0, maximum: 0xffffffff });
const percent = Type.Integer({ minimum: 0, maximum: 100 });
const marker = Type.String({ pattern: '^[0-9a-f]{8}$' });
const scriptHex = Type.String({ pattern: '^([0-9a-f]{2}){1,10000}$', maxLength: 20_000 });
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const subsidySchema = Type.Union([
  Type.Object({ kind: Type.Literal('halving'), initial: amount, interval_blocks: blocks }, strict),
  Type.Object(
    {
      kind: Type.Literal('table'),
      steps: Type.Array(Type.Object({ from_height: height, subsidy: orNull(amount) }, strict), {
        minItems: 1,
        maxItems: 1000,
      }),
    },
    strict,
  ),
]);

const priceSchema = Type.Object(
  {
    from_height: height,
    by_length: Type.Array(
      Type.Object({ max_length: Type.Integer({ minimum: 3, maximum: 32 }), per_period: amount }, strict),
      { minItems: 1, maxItems: 30 },
    ),
  },
  strict,
);

const namesSchema = Type.Object(
  {
    marker,
    activation_height: height,
    fee_script: scriptHex,
    tlds: Type.Array(Type.String({ pattern: '^[a-z0-9]{2,16}$' }), { minItems: 1, maxItems: 32 }),
    min_label_length: Type.Integer({ minimum: 3, maximum: 32 }),
    commit_maturity_blocks: blocks,
    commit_lifetime_blocks: blocks,
    period_blocks: blocks,
    max_periods: Type.Integer({ minimum: 1, maximum: 100 }),
    grace_blocks: blocks,
    premium_blocks: blocks,
    premium_start: amount,
    prices: Type.Array(priceSchema, { minItems: 1, maxItems: 100 }),
    reverse_activation_height: Type.Optional(height),
    records_activation_height: Type.Optional(height),
  },
  strict,
);

const tokensSchema = Type.Object(
  {
    marker,
    activation_height: height,
    fee_script: scriptHex,
    create_fees: Type.Array(Type.Object({ from_height: height, fee: amount }, strict), {
      minItems: 1,
      maxItems: 100,
    }),
    sweep_activation_height: Type.Optional(height),
  },
  strict,
);

const paymentsSchema = Type.Object(
  { zero_conf_max: amount, zero_conf_replaceable: Type.Optional(Type.Boolean()) },
  strict,
);

const treasurySchema = Type.Object(
  {
    marker,
    address: text(120),
    confirmations: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    other_addresses: Type.Optional(Type.Array(text(120), { maxItems: 100 })),
    account: Type.Optional(
      Type.Object(
        { key: text(4_000), gap_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) },
        strict,
      ),
    ),
  },
  strict,
);

const poolSchema = Type.Object(
  {
    tag: text(64),
    payout_scripts: Type.Array(scriptHex, { maxItems: 32 }),
    miner_percent: percent,
    operator_percent: percent,
    stratum_host: text(253),
    stratum_port: port,
  },
  strict,
);

/**
 * The coin profile file. Everything but `payments`, its `zero_conf_replaceable`, `dust_limit`, what `treasury` has beside marker and address, and
 * the heights of operations that names got later is required; what a coin does not have is null.
 */
export const profileSchema = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
    name: text(64),
    ticker: Type.String({ pattern: '^[A-Z0-9]{1,12}$' }),
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
    chain: Type.String({ pattern: '^[a-z0-9]{1,16}$' }),
    genesis_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    uri_scheme: Type.String({ pattern: '^[a-z][a-z0-9+.-]{0,31}$' }),
    p2pkh_versions: Type.Array(versionByte, { minItems: 1, maxItems: 4, uniqueItems: true }),
    p2sh_versions: Type.Array(versionByte, { minItems: 1, maxItems: 4, uniqueItems: true }),
    bech32_hrp: orNull(Type.String({ pattern: '^[a-z][a-z0-9]{0,15}$' })),
    wif_version: versionByte,
    extended_public_version: uint32,
    extended_private_version: uint32,
    bip44_coin_type: Type.Integer({ minimum: 0, maximum: 0x7fffffff }),
    message_magic: text(64),
    p2p_magic: marker,
    p2p_port: port,
    rpc_port: port,
    block_interval_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    subsidy: subsidySchema,
    coinbase_maturity: blocks,
    dust_limit: Type.Optional(amount),
    auxpow: Type.Boolean(),
    proofs: Type.Object({ marker, final_confirmations: blocks }, strict),
    names: orNull(namesSchema),
    tokens: orNull(tokensSchema),
    treasury: orNull(treasurySchema),
    payments: Type.Optional(orNull(paymentsSchema)),
    pool: orNull(poolSchema),
    releases_manifest: orNull(text(1024)),
  },
  strict,
);

/** The profile file's content once it fits the schema. */
export type ProfileJson = Type.Static<typeof profileSchema>;
