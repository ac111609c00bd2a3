'use strict';

const { bareClass } = require('../base/bare.js');
const { freeze } = require('../base/primordials.js');

/**
 * What a call comes to. All but `Object` may be plain jobs: see JobSlots.
 *
 * - `Small`: its value needs no encoder (lib/payload/small-values.js)
 * - `Encoded`: it asks for no more than a result
 * - `Watched`: perhaps in time, or unless a signal is cancelled
 * - `Object`: anything else
 */
const CallKind = freeze({ Small: 0, Encoded: 1, Watched: 2, Object: 3 });

/**
 * A call that is being submitted. There is one record for all of them, which
 * is good until anybody else's code runs: see read-call.js.
 */
class Call {
  kind = CallKind.Small;
  /** Of its payload: see the codec. */
  encoding = null;
  // Of a watched call: its limit, or Infinity and 0; where that is waited for
  // and where its signal is heard of, or null.
  expiresAt = Infinity;
  durationMs = 0;
  limits = null;
  hub = null;
  /** Of the kind `Object`. */
  job = null;
}

bareClass(Call);

module.exports = { Call, CallKind };
