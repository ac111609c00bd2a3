'use strict';

/* global collect */
const { standard } = require('./support.js');

// In a realm of its own, which has no ports yet.
standard('structuredClone of streams', {
  'a stream is transferred where no port was made': [
    () => {
      const stream = ReadableStream.from(['a', 'b']);
      return collect(structuredClone(stream, { transfer: [stream] }));
    },
    ['a', 'b'],
  ],
});
