'use strict';

const { bareClass } = require('../base/bare.js');
const { freeze } = require('../base/primordials.js');

/**
 * Kinds of calls. All but `Object` may be plain jobs, see JobSlots.
 *
 * - `Small`: its value needs no encoder (lib/payload/small-values.js)
 * - `Encoded`: it has an encoded value and no options
 * - `Watched`: as `Encoded`, with a limit or a signal
 * - `Object`: anything else
 */
const CallKind = freeze({ Small: 0, Encoded: 1, Watched: 2, Object: 3 });

/**
 * Scratch record for the call being submitted, shared by all calls. It is valid
 * only until user code can run, see read-call.js.
 */
class Call {
  kind = CallKind.Small;
  /** The payload's encoding, see the codec. */
  encoding = null;
  // The limit of a watched call, or Infinity and 0; the limit's list and the
  // signal's hub, or null.
  expiresAt = Infinity;
  durationMs = 0;
  limits = null;
  hub = null;
  /** The job, for the kind `Object`. */
  job = null;
}

bareClass(Call);

module.exports = { Call, CallKind };
