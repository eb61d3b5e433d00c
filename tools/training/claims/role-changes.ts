/** Other names and subjects in a true sentence, and causes, comparisons and roles the other way round. */
import { type Change, type Changed, lowerFirst, nameRun, namesIn, once, replaceAt } from './change.ts';

/** A name of the same page or article in the place of one. */
export const otherName: Change = (sentence, { names }, random) => {
  const own = namesIn(sentence);
  const others = names.filter((name) => !own.some((known) => shareWord(known, name)));
  if (others.length === 0) return [];
  return own.flatMap((name) => {
    const other = others[Math.floor(random() * others.length)]!;
    return Math.abs(other.split(' ').length - name.split(' ').length) > 1
      ? []
      : once('name', sentence, sentence.replace(name, other));
  });
};

/** Whether two names have a word in common, or words with the same first four letters. */
export function shareWord(one: string, other: string): boolean {
  const words = new Set(one.toLowerCase().split(/[ -]/));
  return other
    .toLowerCase()
    .split(/[ -]/)
    .some((word) => words.has(word) || [...words].some((own) => own.slice(0, 4) === word.slice(0, 4)));
}

const subject =
  /^((?:The |A |An )?(?:[\p{L}\d'’-]+ ){1,4}?)(?=(?:is|was|are|were|has|had|have|did|does|can|could|will|would|may|must|won|wrote|became|made|took|gave|led|began|[a-z]{3,}ed) )/u;

/** What another sentence of the page speaks of, as if this sentence spoke of it. */
export const otherSubject: Change = (sentence, { sentences }, random) => {
  const own = subject.exec(sentence)?.[1];
  if (own === undefined || !isNominal(own)) return [];
  const others = sentences.flatMap((other) => {
    const found = subject.exec(other)?.[1];
    return found === undefined || !isNominal(found) || shareWord(found.trim(), own.trim()) ? [] : [found];
  });
  const other = others[Math.floor(random() * others.length)];
  return other === undefined ? [] : once('subject', sentence, other + sentence.slice(own.length));
};

function isNominal(phrase: string): boolean {
  return !/^(?:It|He|She|They|This|These|That|There|In|On|At|As|By|For|While|When|After|Before|Since|If|What|Which|Who|Some|Many|Most|All|Both|Such|Also|But|And|His|Her|Its|Their|One|To|From|With|Although|Despite|During)\b/.test(
    phrase,
  );
}

/** Two names or noun phrases around a verb in each other's place. */
export const exchangedRoles: Change = (sentence) => {
  const found: Changed[] = [];
  const names = [...sentence.matchAll(nameRun)].flatMap(({ 0: found, index }) => {
    // The first word of a sentence has a capital, too.
    const first =
      /^(?:The|A|An|In|With|While|When|After|Before|On|At|As|By|It|He|She|They|This|These|That|Next|If|For|From|To|Their|His|Her|Its|Early|But|And|Both|Some|Many|Most|All|Of|Building|One|Also)\b ?/.exec(
        found,
      )?.[0] ?? '';
    const name = found.slice(first.length).trim();
    return name === '' ? [] : [{ name, index: index + first.length }];
  });
  for (const [at, one] of names.slice(0, -1).entries()) {
    const other = names[at + 1]!;
    const between = sentence.slice(one.index + one.name.length, other.index);
    // Something must be said between them, and they are not a list.
    if (
      !/[a-z]{3,}/.test(between) ||
      /^(?:,? and|,? or|,)/.test(between.trim()) ||
      /[,;]/.test(between) ||
      shareWord(one.name, other.name)
    )
      continue;
    if (/^\s*\(|-$|"/.test(between)) continue;
    if (
      !/\b(?:\w+ed|by|from|to|than|won|beat|wrote|sold|gave|led|made|became|took|over|after|before|is the|was the|succeed\w*|follow\w*)\b/.test(
        between,
      )
    )
      continue;
    if (/\b(?:with|met|married|between|near)\b/.test(between)) continue;
    const text =
      sentence.slice(0, one.index) + other.name + between + one.name + sentence.slice(other.index + other.name.length);
    found.push(...once('role', sentence, text));
  }
  const passive = /^(.{3,60}?) (was|were|is|are) (\w+(?:ed|en|wn|lt|nt|ld|de)) by (.{3,60}?)([.,].*)?$/.exec(sentence);
  if (passive !== null) {
    const [, one, be, verb, other, end] = passive;
    found.push(...once('role', sentence, `${other} ${be} ${verb} by ${one}${end ?? ''}`));
    // "A was founded by B" as "A founded B".
    if (verb!.endsWith('ed') && be!.startsWith('w'))
      found.push(...once('role', sentence, `${one} ${verb} ${other}${end ?? ''}`));
  }
  return found;
};

const linkWords =
  /^(.{15,120}?),? (because|because of|due to|as a result of|led to|caused|resulted in|which led to|owing to|before|after|following|prior to) (.{12,120}?)([.;].*)?$/;

/** Cause and effect, or earlier and later, in each other's place. */
export const exchangedCause: Change = (sentence) => {
  const found = linkWords.exec(sentence);
  if (found === null) return [];
  const [, one, link, other] = found;
  if (
    /^\d|^(?:he|she|it|they|being|the (?:age|turn|end)|which|that|leaving|[a-z]+ing\b)/.test(other!) ||
    /,/.test(one! + other!)
  )
    return [];
  const isOrder = /before|after|following|prior/.test(link!);
  return once(isOrder ? 'order' : 'cause', sentence, `${other} ${link} ${lowerFirst(one!)}`);
};

/** "A … than B" with both in each other's place, or the other degree. */
export const exchangedComparison: Change = (sentence) => {
  const degree: Readonly<Record<string, string>> = {
    more: 'less',
    less: 'more',
    larger: 'smaller',
    smaller: 'larger',
    higher: 'lower',
    lower: 'higher',
    greater: 'smaller',
    older: 'younger',
    longer: 'shorter',
    fewer: 'more',
    better: 'worse',
    earlier: 'later',
    later: 'earlier',
    faster: 'slower',
    over: 'under',
    exceeded: 'fell short of',
    above: 'below',
  };
  const hit =
    /\b(more|less|larger|smaller|higher|lower|greater|older|longer|fewer|better|earlier|later|faster)\b(?=(?: \w+){0,3} than\b)/.exec(
      sentence,
    );
  const found =
    hit === null ? [] : once('comparison', sentence, replaceAt(sentence, hit.index, hit[0].length, degree[hit[0]]!));
  const both = /^(.{3,50}?) ((?:is|was|are|were|has|had|have)\b.{2,60}? than) (.{3,40}?)([.,].*)?$/.exec(sentence);
  if (both !== null && !/\d|^(?:it|he|she|they|there)\b/i.test(both[3]! + both[1]!))
    found.push(...once('comparison', sentence, `${both[3]} ${both[2]} ${lowerFirst(both[1]!)}${both[4] ?? ''}`));
  return found;
};
