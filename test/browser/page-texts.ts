import type { Page } from 'playwright-core';
import { german } from '../../explorer/src/language/german/german.ts';

/** What can be seen and heard of a page, but what comes from the chain, is a command or of the API, or says itself that it is English. */
export async function readTexts(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const outside = 'script, code, pre, bdi, body [lang=en], .reference, .mono, .foreign-line, .foreign-text, .brand';
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (parentElement.closest(outside) === null) texts.push(data);
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext'])
      for (const element of document.querySelectorAll('[' + name + ']'))
        if (element.closest(outside) === null) texts.push(element.getAttribute(name));
    return texts.map((text) => text.trim()).filter((text) => /\\p{L}{2}/u.test(text));
  })()`);
}

const sentences = Object.entries<string>(german.messages)
  .filter(([key, text]) => key !== text && /[A-Za-z]{2}/.test(key.replace(/\{\w+\}/g, '')))
  .map(([key]) => new RegExp(`^${key.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`));

/** Words that no German text has. */
const words =
  /\b(the|and|of|is|are|not|from|with|by|has|have|yet|none|unknown|this|that|which|every|transactions?|fees?|confirmed|waiting|ago|days|months|years|The|This|No|None)\b(?!-)/;

/** Whether it is a text of the explorer that its German has otherwise, or has words that German has not. */
export function isEnglish(text: string): boolean {
  return words.test(text) || sentences.some((sentence) => sentence.test(text));
}
