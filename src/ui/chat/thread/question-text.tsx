/** A question as the heading of its answer. Of a long one, such as a pasted text, the first lines are shown until more is wanted. */
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { t } from '../../language/text.ts';

/** What fits about six lines of the page. Set by hand. */
const maxCharacters = 500;
const maxLines = 6;

export function QuestionText({ prompt }: { readonly prompt: string }) {
  const [isOpen, setOpen] = useState(false);
  if (prompt.length <= maxCharacters && prompt.split('\n').length <= maxLines) {
    return (
      <h2 class="question" dir="auto">
        {prompt}
      </h2>
    );
  }
  return (
    <div class="question-long">
      <h2 class={isOpen ? 'question' : 'question question-cut'} dir="auto">
        {prompt}
      </h2>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t.thread.showLess : t.thread.showAll}
      </Button>
    </div>
  );
}
