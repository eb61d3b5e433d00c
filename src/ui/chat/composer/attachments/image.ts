/** The image attached to a question: sent as it is if it is small enough, otherwise scaled down. */
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';

/** The server accepts 10 MiB. */
const maxBytes = 9 * 1024 * 1024;
const maxPixels = 2048;
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** A data: URL. Rejects with an Error to show when the file cannot be sent. */
export async function readImage(file: File): Promise<string> {
  if (!isImage(file)) throw new Error(fill(t.composer.notImage, { name: file.name || t.composer.otherFile }));
  // Its type is that of its name: what it contains may be no image.
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(fill(t.composer.badImage, { name: file.name || t.composer.thisFile }));
  });
  const isSentAsIs = types.includes(file.type) && file.size <= maxBytes;
  const sent = isSentAsIs ? file : await scaleDown(bitmap);
  bitmap.close();
  return toDataUrl(sent);
}

async function scaleDown(bitmap: ImageBitmap): Promise<Blob> {
  const scale = Math.min(1, maxPixels / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(t.composer.unreadable));
    reader.readAsDataURL(blob);
  });
}

export function isImage({ type }: File): boolean {
  return type.startsWith('image/');
}
