/** What a new user may do next: shown below the first question until it is dismissed, which this browser remembers. */
import { useSignal } from '@preact/signals';
import { IconButton } from '../../components/button.tsx';
import { commandName } from '../../components/command-name.ts';
import { CloseIcon } from '../../components/icons.tsx';

const storageKey = 'citewire.first-steps';

/** Also hidden where the browser blocks storage: otherwise it would come back with every visit. */
function wasDismissed(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return true;
  }
}

interface FirstStepsProps {
  /** Whether the server has a language model; then nothing is said about connecting one. */
  readonly hasModel: boolean;
}

export function FirstSteps({ hasModel }: FirstStepsProps) {
  const isHidden = useSignal(wasDismissed());
  if (isHidden.value) return null;
  const dismiss = () => {
    isHidden.value = true;
    try {
      localStorage.setItem(storageKey, 'dismissed');
    } catch {
      // Then it is hidden for this visit only.
    }
    document.querySelector('textarea')?.focus();
  };
  return (
    <section class="first-steps" aria-labelledby="first-steps-title">
      <div class="first-steps-head">
        <h2 id="first-steps-title">First steps</h2>
        <IconButton label="Hide first steps" onClick={dismiss}>
          <CloseIcon />
        </IconButton>
      </div>
      <ol>
        <li>
          <h3>Ask your own documents</h3>
          <p>
            Upload a PDF or another document as one of your <a href="/dashboard/sources">sources</a>, or index a folder
            or a website on the server:
          </p>
          <code>{commandName} index ~/Documents</code>
        </li>
        {!hasModel && (
          <li>
            <h3>Connect a model</h3>
            <p>Without one, answers are quotes. Any endpoint will do, also a local one:</p>
            <code>MODEL=… OPENAI_BASE_URL=… {commandName} serve</code>
          </li>
        )}
        <li>
          <h3>Call it from programs</h3>
          <p>
            Make a key in the <a href="/dashboard">dashboard</a>, for HTTP, clients of OpenAI, or agents over MCP.
          </p>
        </li>
      </ol>
    </section>
  );
}
