/** Puts a page of the explorer together: the built document, the words about the page, and the answers it begins with. */

import { createHash } from 'node:crypto';
import type { Page } from '../../http/operation.ts';
import type { FaceFiles } from './face/face-files.ts';
import { type PageWords, renderFirstContent, renderHead } from './page-head.ts';

/** An answer that comes with the page, as the client would have got it. */
export type PreloadedAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string };

/** What went wrong, for a page that says so. */
export type PageProblem = { status: number; code: string; detail: string; request_id: string };

/** What a page shows. */
export type PageContent = {
  words: PageWords;
  /** By path and query. */
  answers: Readonly<Record<string, PreloadedAnswer>>;
  problem?: PageProblem | undefined;
  /** The address that the page is known by. */
  url: string | undefined;
  /** The picture that goes with a link to it. */
  pictureUrl?: string | undefined;
  isIndexed: boolean;
  /** Names of the scripts that the page needs besides the first; they are fetched beside it. */
  scripts: readonly string[];
  /** The visitor's choice; undefined follows the system. */
  theme: 'light' | 'dark' | undefined;
};

/** The policy of pages: files of this origin and nothing else. */
export const pageHeaders: Page['headers'] = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
};

/** Creates the function that writes pages into a built shell. */
export function createPageRenderer(
  shell: string,
  coinName: string,
  { face, lacks = [] }: { face?: FaceFiles | undefined; lacks?: readonly string[] } = {},
): (content: PageContent) => string {
  const more = lacks.length === 0 ? '' : ` data-lacks="${lacks.join(' ')}"`;
  // A mark of the coin's own takes the place of the icon, and its style comes behind that of the pages.
  const page = face?.hasMark === true ? shell.replace(/<link rel="icon"[^>]*>\n?/, '') : shell;
  return ({ words, answers, problem, url, pictureUrl, isIndexed, scripts, theme }) => {
    const places: Readonly<Record<string, string>> = {
      '<!--head-->': renderHead(words, { coinName, url, pictureUrl, isIndexed, scripts }).html,
      '</head>': `${face?.head?.html ?? ''}</head>`,
      '<!--content-->': renderFirstContent(words).html,
      '<!--data-->': `<script type="application/json" id="data">${writeData({ answers, problem })}</script>${face?.foot?.html ?? ''}`,
      '<html lang="en">': `<html lang="en"${more}${theme === undefined ? '' : ` data-theme="${theme}"`}>`,
    };
    return page.replace(
      /<!--(?:head|content|data)-->|<\/head>|<html lang="en">/g,
      (place) => places[place] ?? place,
    );
  };
}

/** JSON that can stand in an element: nothing in it can end the element or begin a comment. */
function writeData(data: unknown): string {
  return JSON.stringify(data).replace(/</g, '\\u003c');
}

/** A strong validator (RFC 9110, 8.8.3) of a document in one encoding. */
export function etagOf(text: string, encoding: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}-${encoding}"`;
}
