/** JSON as models write it, and what they write instead. The answer in text is a good one. */
import { type Behaviour, question, says, speech } from './behaviour.ts';

/** Plans, reflections and forms in this dress. */
const dressed =
  (dress: (json: string) => string): Behaviour =>
  (call) => ({ text: call.kind === 'write' ? speech(call) : dress(speech(call)) });

const python = (json: string) =>
  json.replace(/"/g, "'").replace(/null/g, 'None').replace(/true/g, 'True').replace(/false/g, 'False');

export const json: Record<string, Behaviour> = {
  fenced: dressed((text) => `Sure, here it is:\n\`\`\`json\n${text}\n\`\`\`\nHope this helps!`),
  fencedbrace: dressed((text) => `Using the form {value, evidence, quote}:\n\`\`\`json\n${text}\n\`\`\``),
  trailing: dressed((text) =>
    text.replace(/\}/g, ',}').replace(/\]/g, ',]').replace(/\[,\]/g, '[]').replace(/\{,\}/g, '{}'),
  ),
  comments: dressed((text) => text.replace(/^\{/, '{ // the answer\n').replace(/,"/g, ', /* next */ "')),
  single: dressed(python),
  array: dressed((text) => `[${text}]`),
  arrayplan: says({ plan: (call) => JSON.stringify([question(call), 'Marlow bridge']) }),
  badjson: dressed(() => 'I would look for the Marlow bridge and its engineer.'),
  // Some more than the list has.
  'json-unquoted': dressed((text) => text.replace(/"(\w+)":/g, '$1:')),
  'json-think': dressed((text) => `<think>The form is {"queries": ["wrong"]}.</think>${text}`),
  'json-wrapped': dressed((text) => JSON.stringify(text)),
  'json-cut': dressed((text) => text.replace(/\}$/, '')),
};
