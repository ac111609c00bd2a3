'use strict';
// The ends that lines to both kinds of processes take alike.

const { now } = require('../../../lib/base/own-time.js');
const { turns } = require('./fake-child.js');

/** @param {() => object} begun see `withChild`; its line has told nothing yet */
function testEnds(begun) {
  test('its pipes are open elsewhere: it has time for last words', async () => {
    const its = begun();
    const began = now();
    its.child.emit('exit', 71, null);
    const last = its.newTimers().at(-1);
    // Nothing waits for that alone.
    expect(last.ref).toBe(false);
    expect(last.at).toBeGreaterThan(began);
    last.fire();
    expect(its.heard()).toEqual([]);
    await turns();
    expect(its.heard()).toEqual(['exited']);
    expect(its.line.end().isOverLimit).toBe(true);
  });

  test('its socket alone has ended: it has some time for its end', () => {
    const its = begun();
    const began = now();
    its.socket.emit('close');
    const timer = its.newTimers().at(-1);
    expect(timer.at).toBeGreaterThan(began);
    timer.fire();
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    its.child.emit('exit', null, 'SIGKILL');
    expect(its.line.end().value.message).toMatch(/went on/);
    const other = begun();
    other.socket.emit('close');
    const unneeded = other.newTimers().at(-1);
    other.child.emit('exit', 0, null);
    expect(unneeded.ref).toBe(false);
    expect(unneeded.isPending).toBe(false);
    const count = other.newTimers().length;
    other.socket.emit('close');
    expect(other.newTimers()).toHaveLength(count);
  });
}

module.exports = { testEnds };
