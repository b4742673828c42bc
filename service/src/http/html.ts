/** HTML that is put together safely: what is not HTML already is escaped. */

/** A piece of HTML. Made by {@link html}, or of our own files by {@link trustHtml}. */
export type Html = { readonly html: string };

type Piece = Html | string | number | undefined | readonly Piece[];

/**
 * Puts HTML together. Values become text, in elements and in quoted attributes; a list is joined, undefined is nothing.
 *
 * @example html`<p title="${untrusted}">${untrusted}</p>`.html
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = strings[0]!;
  for (const [index, piece] of pieces.entries()) text += write(piece) + strings[index + 1];
  return { html: text };
}

/** Takes text for HTML as it is: for constants of this program, never for anything that came from outside. */
export function trustHtml(text: string): Html {
  return { html: text };
}

function write(piece: Piece): string {
  if (piece === undefined) return '';
  if (typeof piece === 'string') return escapeHtml(piece);
  if (typeof piece === 'number') return String(piece);
  return 'html' in piece ? piece.html : piece.map(write).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
