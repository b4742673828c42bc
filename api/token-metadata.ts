/** Descriptions and logos of tokens: what an issuer submits, and what is shown once it was reviewed. */

import Type, { type Static } from 'typebox';
import { Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';

/** Bounds of a description, in characters (Unicode code points), and of a logo. */
export const metadataLimits = {
  name: 64,
  description: 1_000,
  url: 256,
  linkLabel: 32,
  links: 8,
  logoBytes: 262_144,
  logoPixels: 4_096,
  shownLogoPixels: 256,
  signature: 16_384,
} as const;

const textRules =
  'One line in Unicode NFC, without control, format or direction characters, without white space at the ends.';
const urlRules =
  'An https URL in ASCII, as browsers write it (names in punycode), of a host with a name, without user or password.';

/** A description of a token. */
export const TokenMetadataView = Strict(
  {
    name: Type.String({
      minLength: 1,
      maxLength: metadataLimits.name,
      description: `Name of the token or project. ${textRules}`,
    }),
    description: Type.String({
      maxLength: metadataLimits.description,
      description: `What it is; may be empty. ${textRules}`,
    }),
    website: Nullable(
      Type.String({ maxLength: metadataLimits.url, description: `Its website. ${urlRules}` }),
    ),
    links: Type.Array(
      Strict({
        label: Type.String({
          minLength: 1,
          maxLength: metadataLimits.linkLabel,
          description: `What the link leads to. ${textRules}`,
        }),
        url: Type.String({ maxLength: metadataLimits.url, description: urlRules }),
      }),
      { maxItems: metadataLimits.links, description: 'Further links; may be empty.' },
    ),
  },
  { title: 'TokenMetadata' },
);
export type TokenMetadataJson = Static<typeof TokenMetadataView>;

/** A token in a path: 64 hex digits, as they stand. */
export const TokenIdParams = Strict({ token_id: Hash('Id of a token: 64 hex digits.') });

const Digest = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', minLength: 64, maxLength: 64, description });

/** Body of POST /tokens/{token_id}/metadata/challenge. */
export const MetadataChallengeBody = Strict(
  {
    metadata: TokenMetadataView,
    logo_sha256: Nullable(Digest('SHA-256 of the file of the logo that will be sent; null for none.')),
  },
  { title: 'MetadataChallengeRequest' },
);

/** What the issuer has to sign. */
export const MetadataChallengeView = Strict(
  {
    token_id: Hex('The token.'),
    nonce: Hex('Names this challenge when it is answered; good for one submission.'),
    issuer: Type.String({ description: "The address of the token's issuer, which has to sign." }),
    message: Type.String({
      description:
        'The exact text to sign, as UTF-8, with line feeds and none at the end: by BIP-322, or by BIP-137 for P2PKH. docs/protocols/token-metadata.md says how a wallet makes it anew to compare.',
    }),
    metadata_sha256: Hex('SHA-256 of the metadata as RFC 8785 writes them.'),
    logo_sha256: Nullable(Hex('As it was sent.')),
    issued_at: Time('When it was made.'),
    expires_at: Time('Until when the signed submission has to be here.'),
  },
  { title: 'MetadataChallenge' },
);
export type MetadataChallengeJson = Static<typeof MetadataChallengeView>;

/** Body of POST /tokens/{token_id}/metadata/submissions. */
export const MetadataSubmissionBody = Strict(
  {
    nonce: Digest('The nonce of the challenge.'),
    signature: Type.String({
      minLength: 1,
      maxLength: metadataLimits.signature,
      description:
        "The issuer's signature of the message: see docs/protocols/signed-messages.md for its forms.",
    }),
    metadata: TokenMetadataView,
    logo: Nullable(
      Type.String({
        minLength: 1,
        maxLength: Math.ceil(metadataLimits.logoBytes / 3) * 4,
        description: `The file of the logo in base64; null for none. A still PNG, JPEG or WebP of at most ${metadataLimits.logoBytes} bytes and ${metadataLimits.logoPixels} pixels a side. It is shown as a PNG of at most ${metadataLimits.shownLogoPixels} pixels a side, made anew from its pixels.`,
      }),
    ),
  },
  { title: 'MetadataSubmissionRequest' },
);

/** `replaced`: a later submission was approved. */
export const submissionStates = ['pending', 'approved', 'rejected', 'replaced'] as const;
export type SubmissionState = (typeof submissionStates)[number];

/** What became of a submission; never what was submitted. */
export const MetadataSubmissionView = Strict(
  {
    id: Type.String({ description: 'Names the submission; nobody can guess it.' }),
    token_id: Hex('The token.'),
    state: OneOf(submissionStates, {
      description:
        '`pending`: held for review by a person. `approved`: shown with the token. `rejected`: not shown. `replaced`: a later one was approved.',
    }),
    reason: Nullable(Type.String({ description: 'Why it was rejected.' })),
    submitted_at: Time('When it came.'),
    decided_at: Nullable(Time('When it was approved or rejected.')),
  },
  { title: 'MetadataSubmission' },
);
export type MetadataSubmissionJson = Static<typeof MetadataSubmissionView>;

/** Path of one submission. */
export const SubmissionParams = Strict({
  token_id: Hash('Id of a token: 64 hex digits.'),
  submission_id: Type.String({
    pattern: '^tms_[A-Za-z0-9_-]{22}$',
    maxLength: 26,
    description: 'Id of the submission.',
  }),
});

/** Query of a logo. */
export const LogoQuery = Strict({
  sha256: Type.Optional(
    Digest(
      'The hash that the metadata give. With it the answer may be kept for a year; 404 if it is another.',
    ),
  ),
});

/** What is shown of a token's description: only after the issuer proved to be it, and a person approved. */
export const ReviewedMetadataView = Strict(
  {
    ...TokenMetadataView.properties,
    logo: Nullable(
      Strict({
        path: Type.String({ description: 'Where this service has it.' }),
        sha256: Hex('SHA-256 of the PNG there.'),
        width: Count('Pixels.'),
        height: Count('Pixels.'),
      }),
    ),
    metadata_sha256: Hex('SHA-256 of the four fields that the issuer signed, as RFC 8785 writes them.'),
    approved_at: Time('When the operator approved it.'),
  },
  { title: 'ReviewedTokenMetadata' },
);
export type ReviewedMetadataJson = Static<typeof ReviewedMetadataView>;
