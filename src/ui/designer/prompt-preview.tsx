/** The prompt of a run: the template with the current input values filled in. */

import { readPromptTemplate } from '../../../protocol/prompt-template.ts';
import { t } from '../language/designer/text.ts';
import { issueSentence } from '../language/server-text.ts';
import type { RawValues } from './input-values.ts';

export function PromptPreview({ prompt, values }: { readonly prompt: string; readonly values: RawValues }) {
  const { pieces, faults } = readPromptTemplate(prompt);
  if (prompt.trim() === '') return <p class="page-about">{t.try.promptEmpty}</p>;
  if (faults.length > 0) return <p class="field-error">{issueSentence(faults[0]!)}</p>;
  return (
    <p class="prompt-preview">
      {pieces.map((piece, at) =>
        'text' in piece ? (
          piece.text
        ) : (
          <Filled key={`${at} ${piece.input}`} name={piece.input} value={values[piece.input] ?? ''} />
        ),
      )}
    </p>
  );
}

function Filled({ name, value }: { readonly name: string; readonly value: string }) {
  if (value.trim() === '') return <span class="prompt-gap">{name}</span>;
  return <mark>{value}</mark>;
}
