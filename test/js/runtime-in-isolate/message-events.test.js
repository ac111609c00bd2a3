'use strict';

// MessageEvent and ports: what their members and functions refuse, and how.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'a MessageEvent asks of its members': async () => {
    const { port1 } = new MessageChannel();
    port1.close();
    const values = [
      ...[undefined, 5, 'x', Symbol('s'), {}, [], true, 5n],
      ...[[5], [null], new Set([5]), 'ab', { length: 1 }],
    ];
    const { get } = Object.getOwnPropertyDescriptor(
      MessageEvent.prototype,
      'data',
    );
    // Node 20 takes texts for lists, and makes an event of nothing.
    const isLate = globalThis.process.versions.node >= '22';
    const works = [
      () => get.call({}),
      () => new MessageEvent('x', () => {}).data,
      () => new MessageEvent('x', []).origin,
      () => new MessageEvent('x', { ports: [port1, 5] }),
      () => new MessageEvent('x', { source: port1 }).source === port1,
      () => new MessageEvent('x', { ports: [port1] }).ports.length,
      ...['data', 'origin', 'source', 'ports'].flatMap((member) =>
        values
          .filter(
            (value) =>
              isLate || typeof value !== 'string' || member !== 'ports',
          )
          .map((value) => () => {
            const event = new MessageEvent('x', { [member]: value });
            const { data, origin, source, ports } = event;
            return [typeof data, origin, source, ports.length];
          }),
      ),
    ];
    if (isLate) {
      works.push(
        () => MessageEvent(),
        () => new MessageEvent(),
        () => new MessageEvent(Symbol('s')),
        () => new MessageEvent('x', 5),
        () => new MessageEvent('x', 'x'),
        () => new MessageEvent('x', Symbol('s')),
        () => new MessageEvent('x', { lastEventId: Symbol('s') }),
        () => new MessageEvent('x').initMessageEvent(),
        () => new MessageEvent('x').initMessageEvent.call({}, 'x'),
        () => {
          const seen = [];
          const get = (_, name) => {
            seen.push(`${String(name)}`);
          };
          new MessageEvent('x', new Proxy({}, { get }));
          return seen;
        },
      );
    }
    return works.map((work) => {
      try {
        return work();
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
  },
  'a port is made by channels alone, and goes once': async () => {
    const closed = () => {
      const { port1, port2 } = new MessageChannel();
      port1.close();
      port2.close();
      return port1;
    };
    const { port1 } = new MessageChannel();
    const works = [
      () => MessagePort(),
      () => MessagePort.call({}),
      () => new MessagePort(),
      () => new (class extends MessagePort {})(),
      () => [MessagePort.name, MessagePort.length],
      () => port1 instanceof MessagePort && port1.constructor === MessagePort,
      () => structuredClone(closed()),
      () => structuredClone({ port: closed() }),
      () => structuredClone(1, { transfer: [closed()] }),
      () => new MessageChannel().port1.postMessage(closed()),
      () => new MessageChannel().port1.postMessage(1, [closed()]),
      () => closed().postMessage(1),
    ];
    const results = works.map((work) => {
      try {
        return work();
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
    port1.close();
    return results;
  },
});
