/** The editor of templates, loaded once it is needed: most questions ask for a text. */
import type { ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '../../template/template.css';
import type { TemplateEditor } from '../../template/template-editor.tsx';
import { FailureNotice } from '../thread/ending/failure-notice.tsx';
import { describeFailure } from '../thread/ending/failure-text.ts';

let Loaded: typeof TemplateEditor | undefined;

export function LoadedTemplateEditor(props: ComponentProps<typeof TemplateEditor>) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(Loaded === undefined ? 'loading' : 'loaded');
  const load = () =>
    import('../../template/template-editor.tsx').then(
      (module) => {
        Loaded = module.TemplateEditor;
        setState('loaded');
      },
      () => setState('failed'),
    );
  useEffect(() => {
    if (state === 'loading') void load();
  }, []);
  if (Loaded !== undefined) return <Loaded {...props} />;
  return state === 'failed' ? <FailureNotice failure={unreachable} onRetry={load} /> : null;
}

const unreachable = describeFailure({ code: 'connection_failed', message: '', retryable: true });
