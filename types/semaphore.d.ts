declare class Semaphore {
  /** Permits that are free at this moment. */
  readonly available: number;
  /** Takes a permit when one is free. */
  tryAcquire(): boolean;
  /** Takes a permit without blocking the thread. */
  acquireAsync(): Promise<void>;
  /** Gives a permit back and wakes one waiter. */
  release(): void;
  /** Runs a function while holding a permit. */
  use<T>(fn: () => T | PromiseLike<T>): Promise<Awaited<T>>;
}

/** A semaphore over shared memory: `acquire()` blocks its thread. */
export interface SharedCountingSemaphore extends Semaphore {
  readonly counter: Int32Array;
  acquire(): void;
}

/** A semaphore inside one thread: `acquire()` gives a promise. */
export interface LocalCountingSemaphore extends Semaphore {
  acquire(): Promise<void>;
}

export interface CountingSemaphoreConstructor {
  /** Writes the number of permits (default 1) into the buffer. */
  new (
    sharedBuffer: SharedArrayBuffer,
    threads?: number,
  ): SharedCountingSemaphore;
  new (permits: number): LocalCountingSemaphore;
  /** Takes a buffer that is set up already; leaves its count. */
  attach(sharedBuffer: SharedArrayBuffer): SharedCountingSemaphore;
}

export const CountingSemaphore: CountingSemaphoreConstructor;
export type CountingSemaphore =
  | SharedCountingSemaphore
  | LocalCountingSemaphore;
