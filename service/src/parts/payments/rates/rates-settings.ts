/** The operator's file of rate sources (`COINFRONT_RATES`). */

import { describeFirstFault, showPath } from '@coinfront/protocol/schema-faults.ts';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AllowList } from '../../../outbound/allow-list.ts';
import { checkOutboundUrl, maxOutboundUrlLength } from '../../../outbound/check-url.ts';
import { isCurrency } from './price-rules.ts';
import { isJsonPath } from './read-json-path.ts';

const strict = { additionalProperties: false };
const name = Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,31}$' });

const FileSource = Type.Object({ name, file: Type.String({ minLength: 1, maxLength: 4_096 }) }, strict);
const UrlSource = Type.Object(
  {
    name,
    url: Type.String({ minLength: 1, maxLength: maxOutboundUrlLength }),
    currency: Type.String({ minLength: 3, maxLength: 3 }),
    path: Type.String({ minLength: 1, maxLength: 500 }),
    every: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400, default: 60 })),
    invert: Type.Optional(Type.Boolean({ default: false })),
  },
  strict,
);
const Settings = Type.Object(
  {
    max_age: Type.Optional(Type.Integer({ minimum: 1, maximum: 604_800, default: 600 })),
    max_deviation_percent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    max_change_percent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    sources: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), { maxItems: 32 }),
  },
  strict,
);
const checks = { settings: compile(Settings), file: compile(FileSource), url: compile(UrlSource) };

/** A file that something of the operator's writes. */
export type FileSourceSetting = Static<typeof FileSource>;
/** An address that is asked for a rate. `every` is in seconds. */
export type UrlSourceSetting = Required<Static<typeof UrlSource>>;
export type SourceSetting = FileSourceSetting | UrlSourceSetting;

/** The file, with what it leaves open filled in. */
export type RateSettings = {
  maxAgeMs: number;
  maxDeviationPercent: number;
  /** Undefined: a rate may change by anything. */
  maxChangePercent: number | undefined;
  sources: readonly SourceSetting[];
};

/**
 * Reads the file.
 *
 * @throws Error that says which field is wrong; it repeats no URL, which may hold a key
 */
export function parseRateSettings(text: string, allow: AllowList): RateSettings {
  const json = parse(text);
  checks.settings(json, '');
  const { max_age = 600, max_deviation_percent = 20, ...rest } = json as Static<typeof Settings>;
  const { max_change_percent: maxChangePercent, sources } = rest;
  const read = sources.map((source, index) => readSource(source, `/sources/${index}`, allow));
  const twice = read.find((source, index) => read.findIndex((each) => each.name === source.name) < index);
  if (twice !== undefined) throw new Error(`the name "${twice.name}" is there twice`);
  return {
    maxAgeMs: max_age * 1_000,
    maxDeviationPercent: max_deviation_percent,
    maxChangePercent,
    sources: read,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}

function readSource(source: Record<string, unknown>, at: string, allow: AllowList): SourceSetting {
  if ('file' in source) {
    checks.file(source, at);
    return source as FileSourceSetting;
  }
  checks.url(source, at);
  const setting = { every: 60, invert: false, ...(source as Static<typeof UrlSource>) };
  const url = checkOutboundUrl(setting.url, allow);
  if (!url.ok) throw new Error(`"${showPath(`${at}/url`)}" ${url.reason}`);
  if (!isCurrency(setting.currency))
    throw new Error(`"${showPath(`${at}/currency`)}" is not a code of ISO 4217 such as EUR`);
  if (!isJsonPath(setting.path))
    throw new Error(`"${showPath(`${at}/path`)}" is not a path such as data.0.price`);
  return { ...setting, url: url.value };
}

/** The check of a part of the file; `at` is where it stands. */
function compile(schema: TSchema): (value: unknown, at: string) => void {
  const validator = Compile(schema);
  return (value, at) => {
    if (validator.Check(value)) return;
    const telling = { quote: false, at };
    throw new Error(describeFirstFault(schema, value, validator.Errors(value), 'the document', telling));
  };
}
