'use strict';
// Words of a sandbox's process, as their bytes, and a conversation that reads them.

const { createCodec } = require('../../../../lib/protocol/codec.js');
const {
  Conversation,
} = require('../../../../lib/executors/sandbox/conversation.js');
const { Kind } = require('../../../../lib/executors/sandbox/kinds.js');
const { packPayload } = require('../../../../lib/wire/payload-bytes.js');

const codec = createCodec({
  defineShape: () => -1,
  shapeText: () => '',
  compileFunction: () => null,
});
const SETTINGS = { maxResultBytes: 2 ** 20, memoryLimitMb: 64 };
const HELLO = Buffer.alloc(40);
const NOTHING = Buffer.alloc(0);

const word = (...values) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value, at * 4);
  });
  return bytes;
};
const packed = (value) => packPayload(codec.encode(value, Infinity));
const done = (status, value) =>
  Buffer.concat([word(status, 0, 0), packed(value)]);
const message = (channel, value) =>
  Buffer.concat([word(channel), packed(value)]);

/** @returns {Conversation} with a process that has not greeted */
const fresh = (settings) =>
  new Conversation(codec, { ...SETTINGS, ...settings });

/** @returns {Conversation} with one that has */
function greeted() {
  const talk = fresh();
  talk.read(Kind.Hello, 0, HELLO);
  return talk;
}

/** @returns {Conversation} with one that runs the job 7 */
function running() {
  const talk = greeted();
  talk.starts();
  talk.read(Kind.Ready, 0, NOTHING);
  talk.begins(7);
  return talk;
}

module.exports = {
  HELLO,
  NOTHING,
  done,
  fresh,
  greeted,
  message,
  packed,
  running,
  word,
};
