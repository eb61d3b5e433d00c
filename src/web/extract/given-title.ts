/** Titles in the properties of documents, which programs fill in when their users do not. */
import { cleanLine, cutText } from '../../base/text/encoding/clean-text.ts';

/** The title that the author gave; empty if it is what a program wrote there: the name of a file, an address or a placeholder. */
export function givenTitle(title: unknown): string {
  const own = cleanLine(String(title ?? '')).replace(/^Microsoft (?:Word|Excel|PowerPoint) ?[-–] ?/i, '');
  const given = cutText(own, 500);
  return writtenByProgram.test(given) ? '' : given;
}

const writtenByProgram =
  /^(?:about:.*|(?:https?|file):.*|.*\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|pages|rtf|tex|dvi|indd|html?|md|txt)|(?:untitled|document|dokument|powerpoint presentation|powerpoint-präsentation|présentation powerpoint|presentación de powerpoint|presentazione (?:standard di )?powerpoint)[ -]?\d*)$/i;
