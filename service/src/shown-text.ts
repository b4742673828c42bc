/** Which texts of strangers can be shown to people as they are: what is read is what is there. */

/**
 * Characters that show nothing, or change how others are shown: controls, formats (directions, zero-width and tag
 * characters), line and paragraph separators, private use, unassigned, surrogates. The two joiners stay: scripts and
 * emoji need them.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u;
/** Blank though no white space: fillers of Hangul and Khmer, blank Braille, selectors of Mongolian, joiner of graphemes. */
const BLANK = /[\u115f\u1160\u3164\uffa0\u2800]|[\u17b4\u17b5]|[\u180b-\u180f]|\u034f/u;
/** More marks on one character than any script writes: they would run over the lines around. */
const STACKED = /\p{M}{5,}/u;
const UNUSUAL_SPACE = /(?! )\p{Zs}|^ | $|^\u200c|^\u200d/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** What is wrong with one line of text; undefined when nothing is. It continues the name of the field. */
export function findTextFault(text: string, maxCharacters: number, isRequired: boolean): string | undefined {
  const length = [...text].length;
  if (length > maxCharacters) return `has ${length} characters; ${maxCharacters} are accepted`;
  if (!text.isWellFormed()) return 'is not well-formed Unicode';
  const hidden = (HIDDEN.exec(text) ?? BLANK.exec(text))?.[0];
  if (hidden !== undefined) {
    const code = hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `has the character U+${code}, which is a control, a line break, blank or changes the direction of text`;
  }
  if (text.normalize('NFC') !== text) return 'is not in Unicode normalisation form C';
  if (STACKED.test(text)) return 'has more marks on one character than any script has';
  if (UNUSUAL_SPACE.test(text)) return 'begins or ends with a space, or has one that is not U+0020';
  if (isRequired && !VISIBLE.test(text)) return 'shows nothing';
  return undefined;
}
