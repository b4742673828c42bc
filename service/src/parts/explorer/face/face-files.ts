import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../../../http/html.ts';
import { cacheControls } from '../../../http/snapshot.ts';
import type { Accent, Face } from './read-face.ts';

/** The files of a face by their paths, which have their hashes, and what pages have of it. */
export type FaceFiles = {
  files: ReadonlyMap<string, { type: string; bytes: Buffer }>;
  hasMark: boolean;
  /** In the head, behind the style of the pages. */
  head: Html | undefined;
  /** Behind the page. */
  foot: Html | undefined;
};

/** Makes them. */
export function makeFaceFiles({ colours, mark, links }: Face, coinName: string): FaceFiles {
  const files = new Map<string, { type: string; bytes: Buffer }>();
  const add = (bytes: Buffer, extension: string, type: string): string => {
    const name = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
    const path = `/face/${name}.${extension}`;
    files.set(path, { type, bytes });
    return path;
  };
  const markPath = mark && add(mark, 'png', 'image/png');
  const css = [
    ...(colours === undefined ? [] : writeColours(colours)),
    ...(markPath === undefined ? [] : writeMark(markPath)),
  ];
  const cssPath =
    css.length === 0 ? undefined : add(Buffer.from(css.join('\n')), 'css', 'text/css; charset=utf-8');
  return {
    files,
    hasMark: mark !== undefined,
    head: html`${markPath === undefined ? undefined : html`<link rel="icon" href="${markPath}" type="image/png">`}
${cssPath === undefined ? undefined : html`<link rel="stylesheet" href="${cssPath}">`}`,
    foot:
      links.length === 0
        ? undefined
        : html`<nav class="face-links" aria-label="${coinName}">${links.map(
            ({ name, url }) => html`<a href="${url}" rel="noreferrer">${name}</a>`,
          )}</nav>`,
  };
}

/** Registers `/face/{file}`: named by their hashes, so a browser asks once a year. */
export function registerFaceFiles(app: FastifyInstance, { files }: FaceFiles): void {
  for (const [path, { type, bytes }] of files) {
    app.get(path, { config: { cost: 0 } }, (_, reply) =>
      reply
        .header('cache-control', cacheControls.fixed)
        .header('cross-origin-resource-policy', 'same-origin')
        .type(type)
        .send(bytes),
    );
  }
}

function writeColours({ light, dark }: NonNullable<Face['colours']>): string[] {
  const rule = ({ accent, onAccent }: Accent) => `--accent:${accent};--on-accent:${onAccent}`;
  return [
    `:root{${rule(light)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${rule(dark)}}}`,
    `:root[data-theme="dark"]{${rule(dark)}}`,
  ];
}

/** In the place of the mark that pages have of their own. */
function writeMark(path: string): string[] {
  return [`.brand svg{visibility:hidden}`, `.brand{background:url("${path}") no-repeat left center/1.5rem}`];
}
