/** The chain API: schema of the operator's manifest of releases. */

import Type, { type Static } from 'typebox';
import { Nullable, Strict, Time } from './common.ts';

/** One file of a release. */
export const ReleaseFile = Strict(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^/\\\\\\x00-\\x1f]+$',
      description: 'Name of the file.',
    }),
    url: Type.String({
      maxLength: 2000,
      pattern: '^https://[^\\s]+$',
      description: 'Where to get it; HTTPS only.',
    }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file, hex.' }),
    size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Bytes of the file.' }),
    platform: Type.Optional(
      Type.String({ maxLength: 60, description: 'System that it is for, such as linux-x86_64.' }),
    ),
    signature_url: Type.Optional(
      Type.String({ maxLength: 2000, pattern: '^https://[^\\s]+$', description: 'Detached signature.' }),
    ),
  },
  { title: 'ReleaseFile' },
);

/** One release. */
export const Release = Strict(
  {
    product: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What is released, such as node or wallet.',
    }),
    version: Type.String({ minLength: 1, maxLength: 60, description: 'Its version.' }),
    published_at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$',
      description: 'When it was published; UTC, ISO 8601.',
    }),
    notes: Type.Optional(Type.String({ maxLength: 20_000, description: 'What is new.' })),
    files: Type.Array(ReleaseFile, { minItems: 1, maxItems: 100, description: 'Its files.' }),
  },
  { title: 'Release' },
);

/** The operator's manifest file. */
export const ReleaseManifest = Strict({
  items: Type.Array(Release, { maxItems: 200, description: 'Newest first.' }),
});

/** Answer of /releases. */
export const ReleaseList = Strict(
  {
    configured: Type.Boolean({ description: 'Whether the operator publishes a manifest.' }),
    as_of: Nullable(Time('When the manifest was last changed.')),
    items: Type.Array(Release, { description: 'Newest first.' }),
  },
  { title: 'ReleaseList' },
);

export type ReleaseListJson = Static<typeof ReleaseList>;
export type ReleaseJson = Static<typeof Release>;
