/** What the service itself says of a page: to search engines, to those who share a link, and to browsers without scripts. */

import { type Html, html } from '../../http/html.ts';
import { cardSize } from './picture/draw-card.ts';

/** The words of one page. */
export type PageWords = {
  /** Without the name of the coin. */
  title: string;
  description: string;
};

/**
 * Title, description, Open Graph tags (ogp.me) and the kind of card. `url` is undefined when the service does not know its own
 * address, and so is `pictureUrl`, which has to be a whole one.
 */
export function renderHead(
  words: PageWords,
  {
    coinName,
    url,
    pictureUrl,
    isIndexed,
    scripts,
  }: {
    coinName: string;
    url: string | undefined;
    pictureUrl: string | undefined;
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
${
  pictureUrl === undefined
    ? html`<meta name="twitter:card" content="summary">`
    : html`<meta property="og:image" content="${pictureUrl}">
<meta property="og:image:width" content="${cardSize.width}"><meta property="og:image:height" content="${cardSize.height}">
<meta name="twitter:card" content="summary_large_image">`
}
${scripts.map((script) => html`<link rel="modulepreload" href="/assets/${script}">`)}
${isIndexed ? undefined : html`<meta name="robots" content="noindex">`}`;
}

/** What stands in the page until its script has run, and all there is where none runs. */
export function renderFirstContent(words: PageWords): Html {
  return html`<main class="first"><h1>${words.title}</h1><p>${words.description}</p>
<noscript><p>This page shows more with JavaScript. The same data can be read from the API: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></noscript></main>`;
}
