'use strict';

/* global natives */
module.exports = { fileURLToPath: (url) => natives.filePath(`${url}`) };
