import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { WorkerPool } from 'sloppy-workers';

/** One for the process, because Nest makes a provider once. */
@Injectable()
export class UploadPool implements OnApplicationShutdown {
  readonly #pool = WorkerPool.create<typeof import('./tasks')>('uploads', {
    module: join(__dirname, 'tasks.js'),
    workers: availableParallelism(),
    maxQueued: Number(process.env.QUEUED ?? 32),
  });

  sha256(bytes: Buffer<ArrayBuffer>, signal: AbortSignal) {
    const options = { transfer: [bytes.buffer], signal, timeoutMs: 10_000 };
    return this.#pool.tasks.sha256(bytes, options);
  }

  /** Nest calls it when the last request has its answer. */
  onApplicationShutdown() {
    return this.#pool.stop();
  }
}
