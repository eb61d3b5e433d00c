/** The actions below an answer: copy it in three formats, copy a link, ask again. */
import { Button } from '../../components/button.tsx';
import { CopyIcon, LinkIcon, RetryIcon } from '../../components/icons.tsx';
import { toast } from '../../components/toast.tsx';
import { askAgain, linkTo } from '../thread/thread.ts';
import type { Turn } from '../thread/turn.ts';
import { asCurl, asJson, asMarkdown } from './export-formats.ts';

export function AnswerActions({ turn }: { readonly turn: Turn }) {
  const search = turn.search.value;
  const { search_id } = search;
  const hasResult = search.result !== undefined;
  const { request } = turn;
  return (
    <div class="copies" role="toolbar" aria-label="Answer actions">
      {hasResult && (
        <>
          <CopyButton name="Markdown" text={() => asMarkdown(turn.prompt.value, search)} />
          <CopyButton name="JSON" text={() => asJson(search)} />
        </>
      )}
      {request !== undefined && <CopyButton name="curl" text={() => asCurl(location.origin, request)} />}
      {search_id !== undefined && (
        <Button look="quiet" onClick={() => copy(linkTo(search_id), 'Link copied. It opens only for this account.')}>
          <LinkIcon size={16} /> Link
        </Button>
      )}
      {request !== undefined && (
        <Button look="quiet" onClick={() => askAgain(turn)}>
          <RetryIcon size={16} /> Ask again
        </Button>
      )}
    </div>
  );
}

function CopyButton({ name, text }: { readonly name: string; readonly text: () => string }) {
  return (
    <Button look="quiet" aria-label={`Copy as ${name}`} onClick={() => copy(text(), `Copied as ${name}.`)}>
      <CopyIcon size={16} /> {name}
    </Button>
  );
}

async function copy(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(message);
  } catch {
    toast('The browser blocked copying.');
  }
}
