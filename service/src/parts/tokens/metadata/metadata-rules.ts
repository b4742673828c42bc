import { metadataLimits, type TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import { findTextFault } from '../../../shown-text.ts';

const URL_FORM = /^https:\/\/[\x21-\x7e]+$/;
const HOST_FORM = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Why these metadata cannot be shown to people, naming the field; undefined when they can. */
export function findMetadataFault(metadata: TokenMetadataJson): string | undefined {
  const { name, description, website, links } = metadata;
  const faults = [
    ['name', findTextFault(name, metadataLimits.name, true)],
    ['description', findTextFault(description, metadataLimits.description, false)],
    ['website', website === null ? undefined : findUrlFault(website)],
    ...links.flatMap(({ label, url }, i) => [
      [`links/${i}/label`, findTextFault(label, metadataLimits.linkLabel, true)],
      [`links/${i}/url`, findUrlFault(url)],
    ]),
  ] as const;
  const first = faults.find(([, fault]) => fault !== undefined);
  return first && `"${first[0]}" ${first[1]}.`;
}

/** What is wrong with a link; undefined when nothing is. What people read is what is opened. */
function findUrlFault(text: string): string | undefined {
  if (text.length > metadataLimits.url)
    return `has ${text.length} characters; ${metadataLimits.url} are accepted`;
  const url = URL_FORM.test(text) ? URL.parse(text) : null;
  if (url === null) return 'is no https URL in ASCII';
  if (url.username !== '' || url.password !== '') return 'has a user or password';
  if (!HOST_FORM.test(url.hostname)) return 'has a host that is no full name';
  if (url.href !== text && url.href !== `${text}/`)
    return 'is not written as browsers write it (lower-case host, no default port, no "..")';
  return undefined;
}
