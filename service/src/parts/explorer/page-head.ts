/** What the service itself says of a page: to search engines, to those who share a link, and to browsers without scripts. */

import { type Html, html } from '../../http/html.ts';

/** The words of one page. */
export type PageWords = {
  /** Without the name of the coin. */
  title: string;
  description: string;
};

/** Title, description and Open Graph tags (ogp.me). `url` is undefined when the service does not know its own address. */
export function renderHead(
  words: PageWords,
  {
    coinName,
    url,
    isIndexed,
    scripts,
  }: {
    coinName: string;
    url: string | undefined;
    isIndexed: boolean;
    scripts: readonly string[];
  },
): Html {
  const title = `${words.title} · ${coinName}`;
  return html`<title>${title}</title>
<meta name="description" content="${words.description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${coinName}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${words.description}">
${url === undefined ? undefined : html`<meta property="og:url" content="${url}"><link rel="canonical" href="${url}">`}
${scripts.map((script) => html`<link rel="modulepreload" href="/assets/${script}">`)}
${isIndexed ? undefined : html`<meta name="robots" content="noindex">`}`;
}

/** What stands in the page until its script has run, and all there is where none runs. */
export function renderFirstContent(words: PageWords): Html {
  return html`<main class="first"><h1>${words.title}</h1><p>${words.description}</p>
<noscript><p>This page shows more with JavaScript. The same data can be read from the API: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></noscript></main>`;
}
