'use strict';
// The patterns of hidden scripts that a worker's session gets.

const { hidingOwnFrames } = require('../../../lib/inspector/own-frames.js');

const OWN = '^node:internal/sloppy-workers/';
const METHOD = 'Debugger.setBlackboxPatterns';
const text = (method, params) => JSON.stringify({ id: 1, method, params });
const patternsOf = (messages) =>
  messages
    .map((each) => JSON.parse(each))
    .filter(({ method }) => method === METHOD)
    .map(({ params }) => params.patterns);

test('ours come with the debugger, and before its own', () => {
  const messagesOf = hidingOwnFrames();
  const enable = text('Debugger.enable');
  const [first, ...rest] = messagesOf(enable);
  expect(first).toBe(enable);
  expect(patternsOf(rest)).toEqual([[OWN]]);
  const own = text(METHOD, { patterns: ['/a/'], skipAnonymous: true });
  const sent = messagesOf(own).map((each) => JSON.parse(each));
  expect(sent).toEqual([
    {
      id: 1,
      method: METHOD,
      params: { patterns: [OWN, '/a/'], skipAnonymous: true },
    },
  ]);
});

test('enabling again keeps its own, disabling ends them', () => {
  const messagesOf = hidingOwnFrames();
  const enable = text('Debugger.enable');
  messagesOf(text(METHOD, { patterns: ['/a/'] }));
  expect(patternsOf(messagesOf(enable))).toEqual([[OWN, '/a/']]);
  expect(messagesOf(text('Debugger.disable'))).toHaveLength(1);
  expect(patternsOf(messagesOf(enable))).toEqual([[OWN]]);
});

test.each([
  'no JSON Debugger.enable',
  'null',
  '"Debugger.enable"',
  text(METHOD, { patterns: 'x' }),
  text(METHOD),
  text('Runtime.evaluate', { expression: 'Debugger.enable' }),
])('%s is passed on as it is', (message) => {
  expect(hidingOwnFrames()(message)).toEqual([message]);
});
