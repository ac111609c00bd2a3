'use strict';

/**
 * Runs `work` over a source with a bounded number of items under way, and
 * yields the results, in the order of the source or of completion.
 *
 * 1. At most `running` items are worked on, and `held` are taken from the
 *    source whose results were not consumed yet.
 * 2. A result does not wait for the source to give the next item.
 * 3. After `signal` nothing more is read; items under way are still yielded.
 *
 * @param {AsyncGenerator} source
 * @param {(item: unknown) => Promise<unknown>} work
 * @param {{ running: number, held: number, ordered: boolean,
 *   signal: AbortSignal }} options
 */
async function* mapWindow(source, work, options) {
  const { running, held, ordered, signal } = options;
  const entries = [];
  let active = 0;
  let isReading = false;
  let isOver = false;
  let failure = null;
  let sourceFailure = null;
  let wake = () => {};

  const start = (item) => {
    const entry = { isReady: false, value: undefined };
    entries.push(entry);
    active += 1;
    const settle = () => {
      active -= 1;
      entry.isReady = true;
      wake();
    };
    work(item).then(
      (value) => {
        entry.value = value;
        settle();
      },
      (error) => {
        failure ??= { error };
        settle();
      },
    );
  };

  const read = () => {
    isReading = true;
    source.next().then(
      ({ done, value }) => {
        isReading = false;
        if (done) isOver = true;
        else if (!signal.aborted) start(value);
        wake();
      },
      (error) => {
        // Reported after the results of the items read before.
        isReading = false;
        isOver = true;
        sourceFailure = { error };
        wake();
      },
    );
  };

  const next = () => {
    const at = ordered ? 0 : entries.findIndex(({ isReady }) => isReady);
    return entries[at]?.isReady ? entries.splice(at, 1)[0] : undefined;
  };

  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      // Made before the check, so that no change after it is missed.
      const changed = new Promise((resolve) => {
        wake = resolve;
      });
      if (failure) throw failure.error;
      const ready = next();
      if (ready !== undefined) {
        yield ready.value;
        continue;
      }
      if ((isOver || signal.aborted) && entries.length === 0) {
        if (sourceFailure) throw sourceFailure.error;
        return;
      }
      const hasRoom = active < running && entries.length < held;
      if (hasRoom && !isReading && !isOver && !signal.aborted) read();
      await changed;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // A pending read, on a terminal for instance, must not be awaited, and an
    // error of the end must not replace the one before it.
    if (!isReading) await source.return().catch(() => {});
  }
}

module.exports = { mapWindow };
