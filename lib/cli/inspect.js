'use strict';
// The options of `run` and `map` for debuggers.

const { InvalidArgumentError, Option } = require('commander');

const { usageError } = require('./exit.js');
const {
  DEFAULT_PORT,
  LOOPBACK,
  parseAddress,
} = require('../inspector/address.js');
const { openEndpoint } = require('../inspector/open-inspector.js');

const ADDRESS = `${LOOPBACK}:${DEFAULT_PORT}`;
const INSPECT = [
  { flag: '--inspect', value: ADDRESS },
  { flag: '--inspect-brk', value: ADDRESS },
];

function addressOption(text) {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw new InvalidArgumentError(
    'It must be a port from 0 to 65535, or host:port.',
  );
}

/** Adds the options to a command. */
function addInspectOptions(command) {
  const option = (flag, text) =>
    new Option(`${flag} <address>`, text).argParser(addressOption);
  return command
    .addOption(option('--inspect', 'debuggers may attach at [host:]port'))
    .addOption(option('--inspect-brk', 'the same, and wait for one and pause'));
}

/**
 * Opens the endpoint that the options ask for.
 *
 * @param {{ inspect?: object, inspectBrk?: object }} options
 * @returns {Promise<{ close(): Promise<void> } | undefined>}
 * @throws as openInspector
 */
async function openForDebuggers({ inspect, inspectBrk }) {
  if (inspect !== undefined && inspectBrk !== undefined) {
    throw usageError('--inspect and --inspect-brk exclude each other');
  }
  const address = inspect ?? inspectBrk;
  if (address === undefined) return undefined;
  const waits = inspectBrk !== undefined;
  return openEndpoint({
    ...address,
    wait: waits,
    pausesAtCall: waits,
    mayMove: true,
  });
}

module.exports = { INSPECT, addInspectOptions, openForDebuggers };
