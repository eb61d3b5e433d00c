/**
 * What a search has found as the output of a task run: the answer, and for each of its fields the basis. A field has only the
 * citations of its own values.
 */
import type {
  AnswerStatus,
  Citation,
  CompletedEvent,
  LeafEvidence,
  ParallelFieldBasis,
  ParallelOutput,
  Source,
  StructuredObject,
} from '../../../../protocol/index.ts';
import { answerText, sourcesBlock } from '../../answer-text.ts';

type Confidence = ParallelFieldBasis['confidence'];

/** The output of a search that has completed. */
export function outputOf(ended: CompletedEvent): ParallelOutput {
  const { result, evidence, citations, sources, status } = ended;
  if (evidence !== undefined) {
    const content = result as StructuredObject;
    return { type: 'json', content, basis: basisOf(content, evidence, citations, sources) };
  }
  const text = answerText(ended);
  return {
    type: 'text',
    content: text + sourcesBlock(text, sources),
    basis: [{ field: 'output', ...textBasis[status], citations: shown(citations, sources) }],
  };
}

const textBasis: Readonly<Record<AnswerStatus, { readonly reasoning: string; readonly confidence: Confidence }>> = {
  answered: { reasoning: 'The pages in the citations say so, word for word in their excerpts.', confidence: 'high' },
  partial: { reasoning: 'The pages in the citations say a part of it.', confidence: 'medium' },
  conflicting: { reasoning: 'The pages in the citations disagree.', confidence: 'low' },
  not_found: { reasoning: 'No page that was read says it.', confidence: null },
};

/** A row for each field at the top, followed by those of the elements of a list. */
function basisOf(
  content: StructuredObject,
  evidence: readonly LeafEvidence[],
  citations: readonly Citation[],
  sources: readonly Source[],
): ParallelFieldBasis[] {
  const rowOf = (keys: readonly string[]): ParallelFieldBasis => {
    const path = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    const leaves = evidence.filter((leaf) => leaf.path === path || leaf.path.startsWith(`${path}/`));
    const ids = new Set(leaves.flatMap((leaf) => leaf.citations));
    const own = citations.filter(({ id }) => ids.has(id));
    return { field: keys.join('.'), ...judged(leaves), citations: shown(own, sources) };
  };
  return Object.entries(content).flatMap(([name, value]) => {
    const elements = Array.isArray(value) ? value.map((_, at) => rowOf([name, String(at)])) : [];
    return [rowOf([name]), ...elements];
  });
}

/** The least certain of several values counts. */
function judged(leaves: readonly LeafEvidence[]): Pick<ParallelFieldBasis, 'reasoning' | 'confidence'> {
  const found = leaves.filter(({ status }) => status !== 'not_found');
  const least = Math.min(...found.map(({ confidence }) => confidence));
  if (found.length === 0) {
    const reasons = new Set(leaves.flatMap(({ reason }) => (reason === undefined ? [] : [reason])));
    return { reasoning: [...reasons].join(' ') || textBasis.not_found.reasoning, confidence: null };
  }
  const confidence = least >= 0.8 ? 'high' : least >= 0.5 ? 'medium' : 'low';
  if (found.some(({ status }) => status === 'conflict'))
    return { reasoning: textBasis.conflicting.reasoning, confidence };
  if (found.length < leaves.length) return { reasoning: textBasis.partial.reasoning, confidence };
  if (found.some(({ status }) => status === 'inferred')) return { reasoning: inferred, confidence };
  return { reasoning: textBasis.answered.reasoning, confidence };
}

const inferred = 'The pages in the citations suggest it, but do not state it.';

/** The pages of citations, in order, each once with its quotes. */
function shown(citations: readonly Citation[], sources: readonly Source[]): ParallelFieldBasis['citations'] {
  const numbers = [...new Set(citations.map(({ n }) => n))].sort((a, b) => a - b);
  return numbers.flatMap((n) => {
    const source = sources.find((each) => each.n === n);
    if (source === undefined) return [];
    const excerpts = citations.filter((each) => each.n === n).map(({ quote }) => quote);
    return [{ url: source.url, title: source.title || source.url, excerpts: [...new Set(excerpts)] }];
  });
}
