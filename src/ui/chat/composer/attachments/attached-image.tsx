/** The image of the question that is being written. */
import { IconButton } from '../../../components/button.tsx';
import { CloseIcon } from '../../../components/icons.tsx';
import { t } from '../../../language/text.ts';

export function AttachedImage({ image, onRemove }: { readonly image: string; readonly onRemove: () => void }) {
  return (
    <div class="composer-image">
      <img src={image} alt={t.composer.attached} />
      <IconButton label={t.composer.removeImage} onClick={onRemove}>
        <CloseIcon size={14} />
      </IconButton>
    </div>
  );
}
