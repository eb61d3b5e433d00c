/**
 * Takes out what a reader of the page does not see: a short hidden text is a note to machines, a form's trap or an attack.
 * Hidden parts that scripts are there to show stay, for the chooser to judge: panels of tabs and accordions, and long ones,
 * which on pages streamed by a framework are the page itself.
 */
import { rawText } from './blocks.ts';
import { type HtmlElement, isHidden, nameOf } from './html-tree.ts';

const longText = 1_500;

export function pruneHidden(element: HtmlElement): void {
  const { children } = element;
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at]!;
    if (typeof child === 'string') continue;
    if (isHidden(child) && !isPanel(child) && rawText(child).length < longText) children.splice(at, 1);
    else pruneHidden(child);
  }
}

function isPanel(element: HtmlElement): boolean {
  return (
    element.attributes.role === 'tabpanel' || /tab|panel|accordion|collaps|faq|answer|^\s*s:\d/i.test(nameOf(element))
  );
}
