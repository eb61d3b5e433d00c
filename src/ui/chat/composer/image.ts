/** A picture of the reader's, as it is sent: as it is where it is small enough, else drawn again, smaller. */

/** The server takes 10 MiB; base64 makes a third more of them. */
const mostBytes = 9 * 1024 * 1024;
const mostPixels = 2048;
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** A data: address. Rejects with an Error that says why it cannot be sent. */
export async function readPicture(file: File): Promise<string> {
  if (!file.type.startsWith('image/')) throw new Error(`Expected a picture; got ${file.name || 'something else'}.`);
  if (types.includes(file.type) && file.size <= mostBytes) return asAddress(file);
  return asAddress(await drawnSmaller(file));
}

async function drawnSmaller(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`Expected a PNG, JPEG, WebP or GIF; ${file.name || 'this'} cannot be opened.`);
  });
  const scale = Math.min(1, mostPixels / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

function asAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('The picture could not be read.'));
    reader.readAsDataURL(blob);
  });
}

export function pictureIn(files: FileList | undefined): File | undefined {
  return [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
}
