import type { TokenJson } from '@coinfront/api/tokens.ts';
import { t } from '../language/messages.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Section } from '../ui/page.tsx';
import { When } from '../ui/when.tsx';

/** Kept below any width of a page: a picture of the service itself, made anew from the issuer's. */
const LOGO_PIXELS = 48;

/** What the issuer says, where a person has looked at it; otherwise that nobody did. */
export function TokenMetadata({ token: { metadata } }: { token: TokenJson }) {
  if (metadata === null) {
    return <p class="note">{t('No metadata was signed by the issuer and approved.')}</p>;
  }
  return (
    <Section title="Issuer metadata" aside={t('signed by the issuer, reviewed by the operator')}>
      <div class="said">
        {metadata.logo !== null && (
          <img
            class="logo"
            src={metadata.logo.path}
            width={LOGO_PIXELS}
            height={LOGO_PIXELS}
            alt=""
            loading="lazy"
          />
        )}
        <div>
          <p>
            <bdi class="foreign">{metadata.name}</bdi>
          </p>
          {metadata.description !== '' && <bdi class="foreign quiet">{metadata.description}</bdi>}
        </div>
      </div>
      <Facts>
        {metadata.website !== null && (
          <Fact name="Website">
            <ForeignLink url={metadata.website} />
          </Fact>
        )}
        {metadata.links.map(({ label, url }) => (
          <Fact key={url} name="Link">
            <bdi class="foreign-line">{label}</bdi> <ForeignLink url={url} />
          </Fact>
        ))}
        <Fact name="Approved">
          <When at={metadata.approved_at} />
        </Fact>
      </Facts>
    </Section>
  );
}

/** A link that leads elsewhere: shown as what it is, and nothing but https. */
function ForeignLink({ url }: { url: string }) {
  if (!url.startsWith('https://')) return <bdi>{url}</bdi>;
  return (
    <a href={url} rel="noopener noreferrer nofollow ugc" target="_blank">
      <bdi>{url}</bdi>
    </a>
  );
}
