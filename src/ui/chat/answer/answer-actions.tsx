/** The actions below an answer: copy it in the form that is needed, copy a link to it, ask again. */
import { Button } from '../../components/button.tsx';
import { CopyIcon, RetryIcon } from '../../components/icons.tsx';
import { Menu, type MenuAction } from '../../components/menu.tsx';
import { toast } from '../../components/toast.tsx';
import { askAgain, linkTo } from '../thread/thread.ts';
import type { Turn } from '../thread/turn.ts';
import { asCurl, asJson, asMarkdown, asPlainText } from './export-formats.ts';
import { Thumbs } from './ratings.tsx';

export function AnswerActions({ turn }: { readonly turn: Turn }) {
  const search = turn.search.value;
  const { search_id, result } = search;
  const { request } = turn;
  const copyAs = (label: string, text: () => string, message = 'Copied.'): MenuAction => ({
    label,
    onChoose: () => void copy(text(), message),
  });
  const actions = [
    ...(result === undefined
      ? []
      : [
          copyAs('Markdown', () => asMarkdown(turn.prompt.value, search)),
          copyAs('Plain text', () => asPlainText(search)),
          copyAs('Plain text with sources', () => asPlainText(search, { sources: true })),
          copyAs('JSON', () => asJson(search)),
        ]),
    ...(request === undefined ? [] : [copyAs('curl command', () => asCurl(location.origin, request))]),
    ...(search_id === undefined
      ? []
      : [copyAs('Link', () => linkTo(search_id), 'Link copied. It opens only for this account.')]),
  ];
  return (
    <div class="copies" role="toolbar" aria-label="Answer actions">
      {actions.length > 0 && (
        <Menu label="Copy" text="Copy" class="menu-above" actions={actions}>
          <CopyIcon size={16} />
        </Menu>
      )}
      {search_id !== undefined && result !== undefined && (
        <Thumbs search_id={search_id} up="Good answer" down="Bad answer" />
      )}
      {request !== undefined && (
        <Button look="quiet" onClick={() => askAgain(turn)}>
          <RetryIcon size={16} /> Ask again
        </Button>
      )}
    </div>
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
