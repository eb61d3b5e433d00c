/** The port to the image that may come with a request. */

/** An image whose format has been checked. */
export interface Image {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** An image that may take megabytes; a server holds only a limited number of them. */
export interface HeldImage {
  /** Undefined once released. */
  image(): Image | undefined;
  /** Must be called when the image is no longer needed; any further call does nothing. */
  release(): void;
}

/** Opens the image of a request. */
export interface ImageReader {
  /**
   * `image` is base64, a data URL or an http(s) URL; `owner` is the account that sends it. Undefined if the URL cannot be
   * reached, or if no model could look at the image. Rejects with an `AppError`: `validation_error` if the content is not a
   * supported image, `overloaded` while too many images are held; or with the signal's reason.
   */
  open(image: string, owner: string, signal: AbortSignal): Promise<HeldImage | undefined>;
}
