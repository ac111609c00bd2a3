'use strict';
// Everything of `sloppy`, `sloppy/workers` and `sloppy/time`.

module.exports = {
  ...require('./workers.js'),
  ...require('./time.js'),
  ...require('./app.js'),
  ...require('./prewarm.js'),
};
