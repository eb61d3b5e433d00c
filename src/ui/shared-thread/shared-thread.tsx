/** A thread as a share link shows it: its questions and answers, with the quotes to check, for readers without an account. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import '../components/index.css';
import '../chat/chat.css';
import './shared-thread.css';
import { CitewireError, createClient, type SharedThread, stateOfRecord } from '../../client/client.ts';
import { AnswerText } from '../chat/answer/answer-text.tsx';
import { Reader } from '../chat/answer/quotes/page-reader.tsx';
import { QuoteCard } from '../chat/answer/quotes/quote-card.tsx';
import { SourceCards } from '../chat/answer/source-cards.tsx';
import { StructuredAnswer } from '../chat/answer/structured-answer.tsx';
import { narrow } from '../chat/narrow.ts';
import { describeCaveat, describeEnding, describeFailure } from '../chat/thread/ending/failure-text.ts';
import { AnswerAround, inOrder, loadPage, openPage } from '../chat/thread/overlays.ts';
import { QuestionText } from '../chat/thread/question-text.tsx';
import { Button } from '../components/button.tsx';
import { formatDay, formatList } from '../components/format.ts';
import { ThemeSwitch } from '../components/theme-switch.tsx';
import { Toasts } from '../components/toast.tsx';
import { TopBar } from '../components/top-bar.tsx';
import { LanguageMenu } from '../language/language-menu.tsx';
import { counted, fill } from '../language/message.ts';
import { loadServerTexts } from '../language/server-text.ts';
import { t } from '../language/text.ts';
import { warmMarkdown } from '../markdown/warm-up.ts';

const thread = signal<SharedThread | CitewireError | undefined>(undefined);

function Shared() {
  const shown = thread.value;
  const isCovered = narrow.value && openPage.value !== undefined;
  return (
    <div class={openPage.value ? 'page has-reader' : 'page'}>
      <TopBar skip={t.shell.skip} isCovered={isCovered}>
        <LanguageMenu />
        <ThemeSwitch />
      </TopBar>
      <main id="main" class="main" tabIndex={-1} inert={isCovered}>
        {shown === undefined && (
          <p class="opening" role="status">
            {t.shell.opening}
          </p>
        )}
        {shown !== undefined && ('turns' in shown ? <Conversation thread={shown} /> : <Failure failure={shown} />)}
      </main>
      <Reader />
      <QuoteCard />
      <Toasts />
    </div>
  );
}

function Conversation({ thread: { title, created_at, expires_at, turns } }: { readonly thread: SharedThread }) {
  return (
    <>
      <div class="shared-head">
        <h1 class={title === turns[0]?.prompt ? 'visually-hidden' : ''}>{title}</h1>
        <p>{fill(t.shared.about, { made: formatDay(created_at), end: formatDay(expires_at) })}</p>
      </div>
      <div class="turns">
        {turns.map((turn) => (
          <Turn key={turn.search_id} turn={turn} />
        ))}
        {turns.length === 0 && <p class="opening">{t.shared.nothing}</p>}
      </div>
    </>
  );
}

function Turn({ turn }: { readonly turn: SharedThread['turns'][number] }) {
  const search = stateOfRecord(turn);
  const { sources, blocks, output } = search;
  const uncited = (turn.result as { uncited?: never[] } | undefined)?.uncited ?? [];
  const ending = describeEnding(search);
  const caveat = describeCaveat(search);
  const restricted = (turn.collections ?? []).map((name) => name ?? t.composer.deletedCollection);
  return (
    <article class="turn">
      <QuestionText prompt={turn.prompt} />
      {turn.documents !== undefined && (
        <p class="question-note">
          {fill(t.documents.askedOf, { names: formatList([...turn.documents, ...(turn.sites ?? [])]) })}
        </p>
      )}
      {restricted.length > 0 && (
        <p class="question-note">
          {counted(t.composer.askedOfCollections, restricted.length, { names: formatList(restricted) })}
        </p>
      )}
      <SourceCards sources={sources} isOpen={false} cited={new Set(search.citations.map((each) => each.source_id))} />
      <AnswerAround.Provider value={{ citations: inOrder(search.citations) }}>
        {blocks.map((block) => (
          <AnswerText key={block.id} block={block} sources={sources} uncited={uncited} />
        ))}
        {Object.keys(output).length > 0 && <StructuredAnswer search={search} />}
      </AnswerAround.Provider>
      {ending !== undefined && (
        <div class="notice notice-plain">
          <p class="notice-title">{ending.title}</p>
          <p>{ending.text}</p>
        </div>
      )}
      {caveat !== undefined && <p class="notice">{caveat}</p>}
    </article>
  );
}

function Failure({ failure }: { readonly failure: CitewireError }) {
  const { title, text, canRetry } =
    failure.code === 'not_found'
      ? {
          title: t.shared.badLink,
          text: failure === incomplete ? t.shared.incomplete : t.shared.ended,
          canRetry: false,
        }
      : describeFailure(failure);
  return (
    <div class="welcome" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        {canRetry ? (
          <Button look="main" onClick={() => void open()}>
            {t.failures.retry}
          </Button>
        ) : (
          <a class="button button-main" href="/">
            {t.notFound.home}
          </a>
        )}
      </p>
    </div>
  );
}

/** The link has no secret, so that nothing can be asked for. */
const incomplete = new CitewireError('not_found', t.shared.incomplete);

/** The secret is in the fragment, which browsers do not send. Another link in the same tab is another thread. */
async function open(): Promise<void> {
  const token = location.hash.slice(1);
  openPage.value = undefined;
  thread.value = undefined;
  loadPage.value = (snapshot, signal) => client.shared.snapshot(token, snapshot, { signal });
  thread.value = token === '' ? incomplete : await client.shared.get(token).catch((error: CitewireError) => error);
  if ('title' in thread.value) document.title = `${thread.value.title} – Citewire`;
}

const client = createClient({ baseUrl: location.origin, maxRetries: 3 });
addEventListener('hashchange', () => void open());
render(<Shared />, document.body);
void loadServerTexts();
void open();
warmMarkdown();
