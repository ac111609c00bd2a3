'use strict';

// Ports of channels are Node's emitters too.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'a port has the members of an emitter': async () => {
    const { port1: port } = new MessageChannel();
    const seen = [];
    const note = (data) => seen.push(data);
    const tries = [
      () => port.eventNames(),
      () => port.listenerCount('message'),
      () => port.getMaxListeners(),
      () => port.setMaxListeners(3),
      () => port.setMaxListeners('3'),
      () => port.on('message', note),
      () => port.addListener('other', note),
      () => port.once('other', note),
      () => port.on('message', 5),
      () => port.on('message'),
      () => [port.hasRef(), port.eventNames(), port.listenerCount('message')],
      () => port.emit('other', 7),
      () => port.emit('other', 8),
      () => port.emit('nobody'),
      () => port.emit(5, 8),
      () => port.off('message', note),
      () => port.off(),
      () => [port.hasRef(), port.eventNames()],
      () => port.removeAllListeners('other'),
      () => port.removeAllListeners(),
      () => port.eventNames(),
      () => new MessagePort(),
    ];
    const results = tries.map((work) => {
      try {
        const result = work();
        return result === port ? 'the port' : result;
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
    port.close();
    return [results, seen];
  },
  'a port is shown with its listeners': async () => {
    const { inspect } = await import('node:util');
    const channel = new MessageChannel();
    const { port1: port } = channel;
    const shown = [];
    const show = () => {
      for (const value of [channel, [port], { a: { b: { port } } }]) {
        shown.push(inspect(value));
      }
      shown.push(inspect(port, { depth: -1 }), inspect(port, { depth: 9 }));
      shown.push(Object.prototype.toString.call(port), Object.keys(port));
      shown.push(Reflect.ownKeys(port).map(String));
    };
    show();
    const note = () => {};
    port.on('message', note);
    show();
    port.off('message', note);
    port.addEventListener('other', note);
    show();
    port.onmessage = note;
    show();
    port.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    show();
    return shown;
  },
  'listeners of both kinds, in order, and what starts a port': async () => {
    const { port1, port2 } = new MessageChannel();
    const log = [];
    const first = (data) => log.push(['on', data]);
    port2.addEventListener(
      'message',
      ({ data, ports, constructor: { name } }) => {
        log.push(['event', data, ports.length, name]);
      },
    );
    port2.on('message', first);
    port2.once('message', (data) => log.push(['once', data]));
    port1.postMessage({ a: 1 });
    port1.postMessage('two');
    await new Promise((resolve) => setTimeout(resolve, 20));
    port2.removeAllListeners('message');
    port1.postMessage('later');
    await new Promise((resolve) => setTimeout(resolve, 20));
    log.push('again');
    port2.on('message', first);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const closed = new Promise((resolve) => {
      port2.on('close', ({ type, constructor: { name } }) => {
        log.push([type, name]);
        resolve();
      });
    });
    port1.close(() => log.push('callback'));
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return log;
  },
});
