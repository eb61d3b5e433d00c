/**
 * Keeps bytes that may be needed again but probably are not: blocks of a file or of memory, written from the beginning again once
 * the end is reached, so that new blocks replace the oldest.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Ring {
  /** Resolves with where the bytes are; with undefined if they cannot be kept, as on a full disk. Never rejects. */
  write(bytes: Uint8Array): Promise<Block | undefined>;
  /** Resolves with undefined once newer blocks have replaced this one, or if it cannot be read. Never rejects. */
  read(block: Block): Promise<Buffer | undefined>;
  /** Whether no newer block has replaced it. */
  holds(block: Block): boolean;
  close(): Promise<void>;
}

export interface Block {
  /** Bytes that were written before this block since the ring was made. */
  readonly at: number;
  /** Bytes. */
  readonly length: number;
}

/** Where the blocks are. `position` is less than the capacity of the ring, and no block goes beyond that. */
interface Storage {
  write(bytes: Uint8Array, position: number): Promise<unknown>;
  read(into: Buffer, position: number): Promise<unknown>;
  close(): Promise<void>;
}

/** Blocks begin at multiples of this, as on most disks; so their number is bounded as well. Bytes. */
const blockSize = 4096;

function createRing(capacity: number, storage: Storage): Ring {
  let end = 0;
  let isClosed = false;
  const holds = ({ at }: Block) => at >= end - capacity;

  /** The place of the next block, which is not split. */
  function reserve(length: number): number {
    const left = capacity - (end % capacity);
    const at = length > left ? end + left : end;
    end = at + Math.ceil(length / blockSize) * blockSize;
    return at;
  }

  return {
    async write(bytes) {
      if (isClosed || bytes.length > capacity) return undefined;
      const block = { at: reserve(bytes.length), length: bytes.length };
      try {
        await storage.write(bytes, block.at % capacity);
        return block;
      } catch {
        return undefined;
      }
    },
    async read(block) {
      if (isClosed || !holds(block)) return undefined;
      const bytes = Buffer.allocUnsafeSlow(block.length);
      try {
        await storage.read(bytes, block.at % capacity);
      } catch {
        return undefined;
      }
      // It may have been replaced while it was read.
      return holds(block) ? bytes : undefined;
    },
    holds,
    async close() {
      isClosed = true;
      await storage.close();
    },
  };
}

/** A ring in memory. `capacity` in bytes, a multiple of 4,096; what has not been written takes no memory. */
export function createMemoryRing(capacity: number): Ring {
  const memory = Buffer.alloc(capacity);
  return createRing(capacity, {
    write: async (bytes, position) => memory.set(bytes, position),
    read: async (into, position) => memory.copy(into, 0, position, position + into.length),
    close: async () => {},
  });
}

/**
 * A ring in a file of this folder that only this process sees: it has no name and ends with the process. `capacity` in bytes, a
 * multiple of 4,096. Rejects when the file cannot be made.
 */
export async function openFileRing(folder: string, capacity: number): Promise<Ring> {
  const path = join(folder, `ring-${randomUUID()}.tmp`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return createRingIn(file, capacity);
}

/** The same in this file, which closes with the ring. */
export function createRingIn(file: FileHandle, capacity: number): Ring {
  return createRing(capacity, {
    async write(bytes, position) {
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, position);
      if (bytesWritten < bytes.length) throw new Error('the disk is full');
    },
    async read(into, position) {
      const { bytesRead } = await file.read(into, 0, into.length, position);
      if (bytesRead < into.length) throw new Error('the file is shorter than what was written to it');
    },
    close: () => file.close(),
  });
}
