'use strict';

const { WorkerPool } = require('../pool/worker-pool.js');

const ID = 'sandbox.layers';

function told({ layers }) {
  const names = Object.keys(layers);
  const holding = names.filter((name) => layers[name]);
  const missing = names.filter((name) => !layers[name]);
  const rest = missing.length === 0 ? '' : `; not ${missing.join(', ')}`;
  return `the option sandbox (experimental) has ${holding.join(', ')}${rest}`;
}

const row = (status, message) => ({ id: ID, status, message });

function missing(status, error) {
  const reason = error.cause?.message ?? error.message;
  return row(status, `the option sandbox (experimental) is missing: ${reason}`);
}

/** @returns {Promise<object>} the row of which layers a sandbox has here */
async function sandboxRow() {
  let pool;
  try {
    pool = WorkerPool.create('doctor', { runTimeoutMs: 1000, sandbox: true });
  } catch (error) {
    // This system has none.
    return missing('skipped', error);
  }
  try {
    return row('ok', told(await pool.sandbox()));
  } catch (error) {
    return missing('warn', error);
  } finally {
    await pool.stop({ drain: false });
  }
}

module.exports = { sandboxRow };
