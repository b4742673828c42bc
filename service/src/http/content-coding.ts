/** Content codings (RFC 9110, 8.4.1) of answers, and which of them a client takes. */

/** Those that are made here, the preferred one first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** Whether `Accept-Encoding` (RFC 9110, 12.5.3) names this coding and does not refuse it. */
export function accepts(header: string | undefined, coding: string): boolean {
  return (header ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0{1,3})?$/.test(parameter));
  });
}

/** The coding of an answer; undefined where the client takes none of ours, or says nothing. */
export function chooseCoding(header: string | undefined): Coding | undefined {
  return header === undefined ? undefined : codings.find((coding) => accepts(header, coding));
}
