/**
 * The searches in flight of each key over all processes, the port of the backend between them. Each search has a place.
 * A place that its process no longer renews is free again after a while.
 */
export interface SharedPlaces {
  /**
   * Resolves with the function that frees the place, or with undefined if `limit` places of this name are taken. Rejects
   * when the backend does not answer.
   */
  take(name: string, limit: number): Promise<(() => void) | undefined>;
  close(): void;
}
