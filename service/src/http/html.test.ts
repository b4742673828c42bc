import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, trustHtml } from './html.ts';

test('what is put in becomes text, whatever it is; lists are joined, undefined is nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const made = html`<p title="${text}">${[text, html`<b>${text}</b>`, undefined, 7]}</p>`.html;
      const [attribute, ...rest] = made.slice('<p title="'.length).split('">');
      expect(rest).toHaveLength(1);
      expect(readEntities(attribute!)).toBe(text);
      expect(made.match(/[<>"']/g)?.join('')).toBe(`<"">${'<>'.repeat(3)}`);
    }),
  );
});

test('what is HTML already stays as it is', () => {
  expect(html`${html`<i>${'&'}</i>`}${trustHtml('<hr>')}`.html).toBe('<i>&amp;</i><hr>');
});

function readEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
