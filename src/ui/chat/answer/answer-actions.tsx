/** The actions below an answer: copy it in the form that is needed, copy a link to it, ask again. */
import { Button } from '../../components/button.tsx';
import { copyToClipboard } from '../../components/clipboard.ts';
import { CopyIcon, RetryIcon } from '../../components/icons.tsx';
import { Menu, type MenuAction } from '../../components/menu.tsx';
import { t } from '../../language/text.ts';
import { askAgain, linkTo } from '../thread/thread.ts';
import type { Turn } from '../thread/turn.ts';
import { asCurl, asJson, asMarkdown, asPlainText } from './export-formats.ts';
import { Thumbs } from './ratings.tsx';

export function AnswerActions({ turn }: { readonly turn: Turn }) {
  const search = turn.search.value;
  const { search_id, result } = search;
  const { request } = turn;
  const copyAs = (label: string, text: () => string, message: string = t.copy.copied): MenuAction => ({
    label,
    onChoose: () => void copyToClipboard(text(), message),
  });
  const actions = [
    ...(result === undefined
      ? []
      : [
          copyAs(t.answer.markdown, () => asMarkdown(turn.prompt.value, search)),
          copyAs(t.answer.plainText, () => asPlainText(search)),
          copyAs(t.answer.plainTextSources, () => asPlainText(search, { sources: true })),
          copyAs(t.answer.json, () => asJson(search)),
        ]),
    ...(request === undefined ? [] : [copyAs(t.answer.curl, () => asCurl(location.origin, request))]),
    ...(search_id === undefined ? [] : [copyAs(t.answer.link, () => linkTo(search_id), t.copy.ownLinkCopied)]),
  ];
  return (
    <div class="copies" role="toolbar" aria-label={t.answer.actions}>
      {actions.length > 0 && (
        <Menu label={t.copy.copy} text={t.copy.copy} class="menu-above" actions={actions}>
          <CopyIcon size={16} />
        </Menu>
      )}
      {search_id !== undefined && result !== undefined && (
        <Thumbs search_id={search_id} up={t.answer.good} down={t.answer.bad} />
      )}
      {request !== undefined && (
        <Button look="quiet" onClick={() => askAgain(turn)}>
          <RetryIcon size={16} /> {t.answer.again}
        </Button>
      )}
    </div>
  );
}
