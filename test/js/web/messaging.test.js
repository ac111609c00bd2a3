'use strict';

/* global thrown, later */
const { AS_NODE, standard } = require('./support.js');

standard('MessageChannel', {
  'messages are clones, in order, one task each': [
    async () => {
      const { port1, port2 } = new MessageChannel();
      const log = [];
      const value = { x: 1 };
      port2.onmessage = ({ data }) => {
        log.push(data === value ? 'same' : data);
        Promise.resolve().then(() => log.push('microtask'));
      };
      port1.postMessage(value);
      port1.postMessage('two');
      log.push('sync');
      await later(10);
      port1.close();
      return log;
    },
    ['sync', { x: 1 }, 'microtask', 'two', 'microtask'],
  ],
  'a first listener starts a port': [
    async () => {
      const { port1, port2 } = new MessageChannel();
      const log = [];
      port2.addEventListener('message', ({ data }) => log.push(data));
      port1.postMessage(1);
      await later(5);
      log.push('-');
      port2.start();
      port2.start();
      await later(5);
      port1.close();
      return log;
    },
    AS_NODE,
  ],
  'the event': [
    async () => {
      const { port1, port2 } = new MessageChannel();
      const event = await new Promise((resolve) => {
        port2.onmessage = resolve;
        port1.postMessage(5);
      });
      port1.close();
      return [
        event instanceof MessageEvent,
        event.data,
        event.isTrusted,
        event.bubbles,
        event.cancelable,
        event.origin,
        event.lastEventId,
        event.source,
        event.ports.length,
        Object.isFrozen(event.ports),
        event.target === port2,
      ];
    },
    [true, 5, true, false, false, '', '', null, 0, true, true],
  ],
  'ports and buffers are transferred': [
    async () => {
      const one = new MessageChannel();
      const two = new MessageChannel();
      const bytes = new Uint8Array(4);
      const got = new Promise((resolve) => {
        one.port2.onmessage = resolve;
      });
      one.port1.postMessage({ port: two.port2, bytes }, [
        two.port2,
        bytes.buffer,
      ]);
      const { data, ports } = await got;
      const answer = new Promise((resolve) => {
        two.port1.onmessage = ({ data: text }) => resolve(text);
      });
      ports[0].postMessage('through');
      const result = [
        data.port === ports[0],
        data.bytes.length,
        bytes.length,
        await answer,
      ];
      one.port1.close();
      two.port1.close();
      return result;
    },
    [true, 4, 0, 'through'],
  ],
  'the options may be a dictionary': [
    () => {
      const { port1 } = new MessageChannel();
      const buffer = new ArrayBuffer(2);
      port1.postMessage(buffer, { transfer: [buffer] });
      const results = [
        buffer.byteLength,
        thrown(() => port1.postMessage(1, { transfer: [port1] })),
        thrown(() => port1.postMessage(1, [port1])),
        thrown(() => port1.postMessage(() => {})),
        thrown(() => port1.postMessage()),
        thrown(() => port1.postMessage(1, 5)),
        thrown(() => port1.postMessage(1, [5])),
        thrown(() => port1.postMessage(1, { transfer: 5 })),
        thrown(() => port1.postMessage(1, [{}])),
        thrown(() => new MessagePort()),
        thrown(() => MessageChannel()),
      ];
      port1.close();
      return results;
    },
    AS_NODE,
  ],
  'what was sent before close arrives, at a port that listens later too': [
    async () => {
      const first = new MessageChannel();
      const second = new MessageChannel();
      const log = [];
      const keep = ({ data }) => log.push(data);
      first.port1.onmessage = keep;
      for (const { port2 } of [first, second]) {
        port2.postMessage('sent');
        port2.close();
        port2.postMessage('late');
      }
      await later(5);
      log.push('-');
      second.port1.onmessage = keep;
      await later(5);
      return log;
    },
    ['sent', '-', 'sent'],
  ],
  'what had arrived before close is delivered all the same': [
    async () => {
      const { port1, port2 } = new MessageChannel();
      const log = [];
      port1.onmessage = ({ data }) => {
        log.push(data);
        port1.close();
      };
      port2.postMessage(1);
      port2.postMessage(2);
      await later(5);
      return log;
    },
    [1, 2],
  ],
  'setting onmessage starts it, whatever it is set to': [
    async () => {
      const log = [];
      for (const value of [null, {}, 5]) {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', ({ data }) => log.push(data));
        port1.onmessage = value;
        port2.postMessage(String(value));
      }
      await later(5);
      return log;
    },
    ['null', '[object Object]', '5'],
  ],
  'a port whose other end was closed can be transferred, a closed one not': [
    () => {
      const { port1, port2 } = new MessageChannel();
      port1.close();
      return [
        thrown(() => structuredClone(port1, { transfer: [port1] })),
        structuredClone(port2, { transfer: [port2] }) instanceof MessagePort,
      ];
    },
    ['DOM DataCloneError', true],
  ],
  'after close nothing arrives, and nothing throws': [
    async () => {
      const { port1, port2 } = new MessageChannel();
      const log = [];
      port2.onmessage = ({ data }) => log.push(data);
      port1.close();
      port1.postMessage(1);
      port2.postMessage(2);
      port2.close();
      await later(10);
      return log;
    },
    [],
  ],
});
