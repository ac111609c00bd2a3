'use strict';

// Streams that are transferred: the old one is locked for ever, and the new
// one has clones of its chunks and errors. Both live in this isolate, so no
// channel is needed between them.

/**
 * @param {object} streams the bundle
 * @param {(value: unknown) => unknown} clone
 */
function createTransfer(streams, clone) {
  const { ReadableStream, TransformStream, WritableStream } = streams;

  // A reason that cannot be cloned is replaced by the error that says so.
  function reasonOf(error) {
    try {
      return clone(error);
    } catch (failure) {
      return failure;
    }
  }

  async function copied(work) {
    try {
      return await work;
    } catch (error) {
      throw reasonOf(error);
    }
  }

  function readable(from) {
    const reader = from.getReader();
    return new ReadableStream(
      {
        async pull(controller) {
          const { done, value } = await copied(reader.read());
          if (done) {
            controller.close();
            return;
          }
          try {
            controller.enqueue(clone(value));
          } catch (error) {
            reader.cancel(error).catch(() => {});
            throw error;
          }
        },
        cancel: (reason) => copied(reader.cancel(reasonOf(reason))),
      },
      { highWaterMark: 0 },
    );
  }

  function writable(from) {
    const writer = from.getWriter();
    return new WritableStream({
      start(controller) {
        writer.closed.catch((error) => controller.error(reasonOf(error)));
      },
      async write(chunk) {
        await copied(writer.ready);
        try {
          await copied(writer.write(clone(chunk)));
        } catch (error) {
          writer.abort(error).catch(() => {});
          throw error;
        }
      },
      close: () => copied(writer.close()),
      abort: (reason) => copied(writer.abort(reasonOf(reason))),
    });
  }

  function transform(from) {
    const input = writable(from.writable).getWriter();
    const output = readable(from.readable).getReader();
    return new TransformStream({
      start(controller) {
        const pump = async () => {
          for (;;) {
            const { done, value } = await output.read();
            if (done) break;
            controller.enqueue(value);
          }
          controller.terminate();
        };
        pump().catch((error) => controller.error(error));
      },
      transform: (chunk) => input.write(chunk),
      async flush() {
        await input.close();
        await output.closed;
      },
      cancel: (reason) =>
        Promise.all([input.abort(reason), output.cancel(reason)]),
    });
  }

  const KINDS = [
    [ReadableStream, readable, (stream) => stream.locked],
    [WritableStream, writable, (stream) => stream.locked],
    [
      TransformStream,
      transform,
      (stream) => stream.readable.locked || stream.writable.locked,
    ],
  ];

  /** @returns how it is transferred; undefined for what is no stream */
  return function transferOf(value) {
    const kind = KINDS.find(([Class]) => value instanceof Class);
    if (kind === undefined) return undefined;
    const [, move, isLocked] = kind;
    return { isTransferable: !isLocked(value), move: () => move(value) };
  };
}

module.exports = { createTransfer };
