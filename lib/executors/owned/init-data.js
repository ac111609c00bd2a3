'use strict';

const { marked } = require('../../payload/buffer-marks.js');
const { cloneMeasured, measureClone } = require('../../payload/clone-value.js');
const { copyPayload } = require('../../payload/copy-payload.js');
const { Carry } = require('../../protocol/codec/grammar.js');

/** @returns {unknown} a copy of `init.data` of a pool, for one worker */
function initDataOf({ carry, init }) {
  return carry === Carry.CLONED
    ? cloneMeasured(measureClone(init.data, Infinity))
    : marked(copyPayload(init.data));
}

module.exports = { initDataOf };
