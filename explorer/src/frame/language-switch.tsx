import { chooseLanguage, languageNames } from '../language/choose-language.ts';
import { language } from '../language/messages.ts';

/** Leads to the other language, named in its own words. */
export function LanguageSwitch() {
  const other = language.id === 'en' ? 'de' : 'en';
  return (
    <button type="button" lang={other} onClick={() => chooseLanguage(other)}>
      {languageNames[other]}
    </button>
  );
}
