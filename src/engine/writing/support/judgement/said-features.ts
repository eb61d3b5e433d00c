/** How much of a claim sentences say: its words by kind, and how they are related to theirs. */
import type { Candidate } from '../closest-sentences.ts';
import type { Reading } from '../reading/reading.ts';
import { isListed } from '../reading/word-relations.ts';

/** The features, and the number of content words of the claim, at least 1. */
export function saidFeatures(claim: Reading, candidate: Candidate): { row: number[]; content: number } {
  const { reading: source, alignment, context } = candidate;
  const { headings, before } = context;
  const { matches, substitutions } = alignment;
  const counts = {
    content: 0,
    light: 0,
    names: 0,
    missing: 0,
    missingLight: 0,
    missingNames: 0,
    missingListed: 0,
    known: 0,
    past: 0,
  };
  const relations = { same: 0, stem: 0, wider: 0, opposite: 0, converse: 0, rival: 0 };
  for (const at of claim.words) {
    const token = claim.tokens[at]!;
    const match = matches.get(at);
    if (claim.isName[at]) counts.names += 1;
    if (token.kind === 'light') counts.light += 1;
    else counts.content += 1;
    if (match === undefined) {
      if (headings.has(token.stem) || (claim.isName[at] && before.has(token.stem))) counts.known += 1;
      else if (token.kind === 'light') counts.missingLight += 1;
      else if (claim.isName[at]) counts.missingNames += 1;
      else {
        counts.missing += 1;
        if (isListed(token.stem)) counts.missingListed += 1;
        if (token.lower.endsWith('ed')) counts.past += 1;
      }
    } else if (token.kind !== 'light') {
      if (match.relation === 'same')
        token.stem === source.tokens[match.at]!.stem ? (relations.stem += 1) : (relations.same += 1);
      else relations[match.relation] += 1;
    }
  }
  const content = Math.max(1, counts.content);
  const namedSubstitutions = substitutions.filter(
    ({ said, found }) => claim.isName[said] || source.isName[found],
  ).length;
  const row = [
    ...Object.values(counts),
    ...Object.values(relations),
    counts.missing / content,
    relations.stem / content,
    (relations.same + relations.wider) / content,
    substitutions.length,
    namedSubstitutions,
    claim.quantities.length,
    claim.dates.length,
    source.quantities.length,
    source.dates.length,
    claim.tokens.length,
    source.tokens.length,
  ];
  return { row, content };
}
