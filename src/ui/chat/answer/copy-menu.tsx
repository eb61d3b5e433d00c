/** What can be done with an answer: copied in three forms, linked to, asked again. */
import { Button } from '../../components/button.tsx';
import { AgainIcon, CopyIcon, LinkIcon } from '../../components/icons.tsx';
import { toast } from '../../components/toast.tsx';
import { askAgain, linkTo } from '../thread/thread.ts';
import type { Turn } from '../thread/turn.ts';
import { asCurl, asJson, asMarkdown } from './copies.ts';

export function CopyMenu({ turn }: { readonly turn: Turn }) {
  const search = turn.search.value;
  const { search_id } = search;
  const hasResult = search.result !== undefined;
  const { request } = turn;
  return (
    <div class="copies" role="toolbar" aria-label="This answer">
      {hasResult && (
        <>
          <Copy name="Markdown" text={() => asMarkdown(turn.prompt.value, search)} />
          <Copy name="JSON" text={() => asJson(search)} />
        </>
      )}
      {request !== undefined && <Copy name="curl" text={() => asCurl(location.origin, request)} />}
      {search_id !== undefined && (
        <Button
          look="quiet"
          onClick={() => copy(linkTo(search_id), 'The link is copied. It opens for keys of this account.')}
        >
          <LinkIcon size={16} /> Link
        </Button>
      )}
      {request !== undefined && (
        <Button look="quiet" onClick={() => askAgain(turn)}>
          <AgainIcon size={16} /> Ask again
        </Button>
      )}
    </div>
  );
}

function Copy({ name, text }: { readonly name: string; readonly text: () => string }) {
  return (
    <Button look="quiet" aria-label={`Copy as ${name}`} onClick={() => copy(text(), `Copied as ${name}.`)}>
      <CopyIcon size={16} /> {name}
    </Button>
  );
}

async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast('This browser does not let the page copy.');
  }
}
