/** The claim of a sentence: without the words that only lead to it ("According to the source, …", "However, …", "- "). */

const source =
  '(?:the |this |its |that )?(?:[a-z]+ )?(?:sources?|articles?|texts?|pages?|passages?|documents?|documentation|evidence|excerpts?|websites?|snippets?)(?: \\d{1,2})?';
const leads = new RegExp(
  `^(?:${[
    '[-*+•#>\\s]+',
    '\\d{1,3}[.)]\\s+',
    `(?:according to|per|based on|as (?:stated|noted|described|reported|mentioned) (?:in|by)|in) ${source}\\s*[,:]\\s*`,
    `${source} (?:also )?(?:says?|states?|notes?|mentions?|reports?|explains?|indicates?|confirms?|adds?|shows?|describes?)(?: that|:)\\s*`,
    `it is (?:also )?(?:stated|noted|mentioned|reported|said)(?: in ${source})? that\\s*`,
    '(?:yes|no|however|additionally|furthermore|moreover|also|in addition|for (?:example|instance)|specifically|notably|interestingly|finally|overall|in (?:short|summary|conclusion|fact|particular)|to summari[sz]e|as a result|thus|therefore|meanwhile|similarly|first|second|third|lastly|importantly|note that|please note that|answer)\\s*[,:]\\s*',
  ].join('|')})`,
  'i',
);

/** Where the claim starts in a text of at most a few sentences; an offset into it. */
export function claimStart(text: string): number {
  let start = 0;
  for (let rounds = 0; rounds < 4; rounds += 1) {
    const lead = leads.exec(text.slice(start, start + 200))?.[0].length ?? 0;
    if (lead === 0 || start + lead >= text.length) break;
    start += lead;
  }
  return start;
}
