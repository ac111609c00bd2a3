'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. A function of C++ costs
// two microseconds to make, so those that most jobs never call are made
// together, when one of them is called first. Behind a null prototype, what
// user code does to its own prototypes meanwhile does not reach them.
let made = null;

function later(name) {
  return (a, b, c) => {
    made ??= native.rare();
    return made[name](a, b, c);
  };
}

native.isGenerator = later('isGenerator');
native.importModule = later('importModule');
native.cancelledBy = later('cancelledBy');
native.listening = later('listening');
native.setTimer = later('setTimer');
native.clearTimer = later('clearTimer');
native.refTimer = later('refTimer');
native.hold = later('hold');
native.stopSelf = later('stopSelf');
native.write = later('write');
native.initBegins = later('initBegins');
native.initEnds = later('initEnds');
native.initFailure = later('initFailure');
native.presentInitData = later('presentInitData');
native.presentReason = later('presentReason');
native.queued = later('queued');
native.endBegins = later('endBegins');
native.ownerListens = later('ownerListens');
native.grown = later('grown');
native.hidesMemory = later('hidesMemory');
native.memoryRefused = later('memoryRefused');
native.isWasmMemory = later('isWasmMemory');
native.code = later('code');
native.processFacts = later('processFacts');
native.runBundle = later('runBundle');
native.hostNatives = later('hostNatives');
native.loaderNatives = later('loaderNatives');
