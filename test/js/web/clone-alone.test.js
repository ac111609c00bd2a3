'use strict';

/* global collect */
const { standard } = require('./support.js');

// A realm of its own has no ports yet.
standard('structuredClone of streams', {
  'a stream is transferred where no port was made': [
    () => {
      const stream = ReadableStream.from(['a', 'b']);
      return collect(structuredClone(stream, { transfer: [stream] }));
    },
    ['a', 'b'],
  ],
});
