/** The same in other words, where that is certain: shorter, with a date in another form, or in the other voice. */
import { type Change, type Changed, lowerFirst, months, once, replaceAt } from './change.ts';
import { smallWords } from './figure-changes.ts';

/** Without what is in parentheses, without a last clause that adds something, or without a first adjunct. */
const shortened: Change = (sentence) => {
  const found: Changed[] = [];
  if (/ \([^)]*\)/.test(sentence)) found.push(...once('shorter', sentence, sentence.replace(/ \([^)]*\)/g, '')));
  const tail = /^([^,]{30,}), (?:and|while|although|which|who|where|with|including|but|making|as well as) .{15,}$/.exec(
    sentence,
  );
  if (
    tail !== null &&
    !/\b(?:if|unless|may|might|could|either|not|no|said|claim\w*|belie\w+|argu\w+|between|both)\b/.test(sentence)
  )
    found.push(...once('shorter', sentence, tail[1]));
  const lead =
    /^(?:However|Moreover|In addition|Furthermore|Additionally|Also|For example|As a result|Today|Similarly|Therefore|Thus|Meanwhile), (.{20,})$/.exec(
      sentence,
    );
  if (lead !== null) found.push(...once('shorter', sentence, lead[1]));
  return found;
};

/** The same date or number in another form, or less of it. */
const otherForm: Change = (sentence) => {
  const found: Changed[] = [];
  const american = new RegExp(`\\b(${months.join('|')}) (\\d{1,2}), (\\d{4})\\b`).exec(sentence);
  if (american !== null) {
    found.push(
      ...once(
        'date',
        sentence,
        replaceAt(sentence, american.index, american[0].length, `${american[2]} ${american[1]} ${american[3]}`),
      ),
    );
    found.push(...once('date', sentence, sentence.replace(`on ${american[0]}`, `in ${american[1]} ${american[3]}`)));
  }
  const british = new RegExp(`\\b(\\d{1,2}) (${months.join('|')}) (\\d{4})\\b`).exec(sentence);
  if (british !== null) {
    found.push(
      ...once(
        'date',
        sentence,
        replaceAt(sentence, british.index, british[0].length, `${british[2]} ${british[1]}, ${british[3]}`),
      ),
    );
    found.push(...once('date', sentence, sentence.replace(`on ${british[0]}`, `in ${british[3]}`)));
  }
  const word = /\b(two|three|four|five|six|seven|eight|nine|ten)\b/.exec(sentence);
  if (word !== null)
    found.push(
      ...once(
        'number',
        sentence,
        replaceAt(sentence, word.index, word[0].length, String(smallWords.indexOf(word[0]) + 2)),
      ),
    );
  const large = /\b(\d{1,3}),000,000\b/.exec(sentence);
  if (large !== null)
    found.push(...once('number', sentence, replaceAt(sentence, large.index, large[0].length, `${large[1]} million`)));
  return found;
};

/** The other voice, where the participle is also the past. */
const otherVoice: Change = (sentence) => {
  const passive =
    /^([^,]{3,60}?) (?:was|were) ([a-z]+ed|built|made|found|won|led|held|bought|sold) by ((?:the |a |an )?[\p{L} '’-]{3,50}?)((?: (?:in|on|for|at|from|during|after) .*)?[.])$/u.exec(
      sentence,
    );
  return passive === null
    ? []
    : once('passive', sentence, `${passive[3]} ${passive[2]} ${lowerFirst(passive[1]!)}${passive[4]}`);
};

/** What a negated opposite says: "was not accepted" for "was rejected". */
const doubleNegation: Change = (sentence) => {
  const hit =
    /\b(is|are|was|were) (rejected|accepted|open|closed|included|excluded|allowed|banned|legal|illegal|successful|unsuccessful|possible|impossible|known|unknown)\b/.exec(
      sentence,
    );
  const turned: Readonly<Record<string, string>> = {
    rejected: 'not accepted',
    accepted: 'not rejected',
    open: 'not closed',
    closed: 'not open',
    included: 'not excluded',
    excluded: 'not included',
    allowed: 'not banned',
    banned: 'not allowed',
    legal: 'not illegal',
    illegal: 'not legal',
    successful: 'not unsuccessful',
    unsuccessful: 'not successful',
    possible: 'not impossible',
    impossible: 'not possible',
    known: 'not unknown',
    unknown: 'not known',
  };
  return hit === null
    ? []
    : once('antonym', sentence, replaceAt(sentence, hit.index, hit[0].length, `${hit[1]} ${turned[hit[2]!]}`));
};

/** Keeps the speaker: what a source reports may be reported. */
const reported: Change = (sentence) => {
  const that =
    /^([A-Z][\w .'’-]{2,50}?) (argued|claimed|believed|insisted|said|stated|suggested|believes|argues|claims|says) that (.{20,})$/.exec(
      sentence,
    );
  return that === null ? [] : once('opinion', sentence, `According to ${that[1]}, ${that[3]}`);
};

/** Every change that keeps a sentence true. */
export const trueChanges: readonly Change[] = [shortened, otherForm, otherVoice, doubleNegation, reported];
