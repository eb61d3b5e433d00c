/** What a new user can do next: shown below the first question until it is dismissed, which this browser remembers. */
import { useSignal } from '@preact/signals';
import { IconButton } from '../../components/button.tsx';
import { commandName } from '../../components/command-name.ts';
import { CloseIcon } from '../../components/icons.tsx';
import { rich } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { chooseDocuments } from './attachments/documents.ts';

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
  /** Whether the server has a language model; the step of connecting one is then left out. */
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
        <h2 id="first-steps-title">{t.firstSteps.title}</h2>
        <IconButton label={t.firstSteps.hide} onClick={dismiss}>
          <CloseIcon />
        </IconButton>
      </div>
      <ol>
        <li>
          <h3>{t.firstSteps.ownTitle}</h3>
          <p>
            {rich(t.firstSteps.own, {
              choose: (words) => (
                <button type="button" class="link" onClick={chooseDocuments}>
                  {words}
                </button>
              ),
            })}
          </p>
          <code>{commandName} index ~/Documents</code>
        </li>
        {!hasModel && (
          <li>
            <h3>{t.firstSteps.modelTitle}</h3>
            <p>{t.firstSteps.model}</p>
            <code>MODEL=… OPENAI_BASE_URL=… {commandName} serve</code>
          </li>
        )}
        <li>
          <h3>{t.firstSteps.programsTitle}</h3>
          <p>
            {rich(t.firstSteps.programs, {
              dashboard: (words) => <a href="/dashboard">{words}</a>,
            })}
          </p>
        </li>
      </ol>
    </section>
  );
}
