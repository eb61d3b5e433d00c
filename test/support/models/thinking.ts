/** Models that think aloud: in a field of its own, or in the content before the answer. */
import { type Behaviour, speech } from './behaviour.ts';

const aloud =
  'Okay, the user asks about {"x": 1}. Evidence [1] says that the Marlow Strait Bridge was opened on 14 May 1931. ' +
  'The secret system rules say never write links.';

const content =
  (dress: (text: string) => string): Behaviour =>
  (call) => ({ text: dress(speech(call)) });

/** Words of the thoughts above, which must never be seen. */
export const thoughts = /okay, the user|secret system rules|thinking|hmm|I look at|think>|channel\|/i;

export const thinking: Record<string, Behaviour> = {
  reasoning: (call) => ({ text: speech(call), reasoning: aloud }),
  'reasoning-ollama': (call) => ({
    text: speech(call),
    reasoning: 'Hmm, the user asks.',
    reasoningField: 'reasoning',
  }),
  'reasoning-eats': eats(1_200),
  'reasoning-eats-2500': eats(2_500),
  think: content((text) => `<think>\n${aloud}\n</think>\n\n${text}`),
  'think-plain': content(
    (text) => `<think>\nOkay, the user asks about a bridge. Evidence [1] has the date.\n</think>\n\n${text}`,
  ),
  'think-noopen': content((text) => `Okay, the user wants a date. I look at evidence [1].\n</think>\n\n${text}`),
  'think-empty': content((text) => `<think>\n\n</think>\n\n${text}`),
  // Some more than the list has.
  'think-nested': content((text) => `<think>${aloud}<think>hmm</think>hmm</think>${text}`),
  'think-word': content((text) => `<thinking>\n${aloud}\n</thinking>\n${text}`),
  'think-harmony': content(
    (text) =>
      `<|channel|>analysis<|message|>${aloud}<|end|><|start|>assistant<|channel|>final<|message|>${text}<|return|>`,
  ),
  'think-brackets': content((text) => `[THINK]${aloud}[/THINK]${text}`),
  'think-fence': content((text) => `\`\`\`thinking\n${aloud}\n\`\`\`\n\n${text}`),
  'think-details': content(
    (text) => `<details>\n<summary>Thinking process</summary>\n\n${aloud}\n\n</details>\n\n${text}`,
  ),
  'think-unclosed': (call) => ({ text: call.kind === 'write' ? `<think>\n${aloud}` : speech(call) }),
};

/** Thoughts that count as output: with less room than they need, nothing else comes. */
function eats(need: number): Behaviour {
  return (call) => {
    const room = call.body.max_tokens ?? call.body.max_completion_tokens ?? Number.POSITIVE_INFINITY;
    if (room < need) return { text: '', reasoning: 'thinking '.repeat(room), finish: 'length' };
    return { text: speech(call), reasoning: 'thinking '.repeat(need) };
  };
}
