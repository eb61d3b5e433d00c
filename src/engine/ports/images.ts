/** The port to the image that may come with a request. */

/** An image whose format has been checked. */
export interface Image {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** Opens the image of a request. */
export interface ImageReader {
  /**
   * `image` is base64, a data URL or an http(s) URL. Undefined if the URL cannot be reached, or if no model could look at
   * the image. Rejects with an `AppError` (`validation_error`) if the content is not a supported image, or with the signal's reason.
   */
  open(image: string, signal: AbortSignal): Promise<Image | undefined>;
}
