'use strict';

// The modes of AES, piece by piece as they come: `update(bytes)` and `final()`
// give bytes. The block cipher is the library's.

const { GHASH, aes } = require('sw:ciphers');

const { ctr32, ctrCounter, decryptBlock, encryptBlock } = aes.unsafe;
const { expandKeyDecLE, expandKeyLE } = aes.unsafe;
const BLOCK = 16;
const NOTHING = new Uint8Array(0);

function join(first, second) {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function xorInto(target, mask) {
  for (let at = 0; at < BLOCK; at += 1) target[at] ^= mask[at];
}

/** ECB, and CBC where there is an `iv`; final() is undefined if it cannot be. */
function blockMode(key, iv, encrypts) {
  const expanded = encrypts ? expandKeyLE(key) : expandKeyDecLE(key);
  let last = iv?.slice();
  let held = NOTHING;
  let padded = true;

  function crypt(block) {
    if (encrypts) {
      if (last) xorInto(block, last);
      encryptBlock(expanded, block);
      if (last) last = block;
      return;
    }
    const before = last && block.slice();
    decryptBlock(expanded, block);
    if (last) xorInto(block, last);
    last = before;
  }

  function run(bytes) {
    const result = bytes.slice();
    for (let at = 0; at < result.length; at += BLOCK) {
      const block = result.slice(at, at + BLOCK);
      crypt(block);
      result.set(block, at);
    }
    return result;
  }

  function unpadded(block) {
    const count = block.at(-1);
    if (count < 1 || count > BLOCK) return undefined;
    const kept = BLOCK - count;
    return block.subarray(kept).every((byte) => byte === count)
      ? block.subarray(0, kept)
      : undefined;
  }

  return {
    setAutoPadding(on) {
      padded = on;
    },
    update(bytes) {
      const all = join(held, bytes);
      let whole = all.length - (all.length % BLOCK);
      // The last block may be padding.
      if (!encrypts && padded && whole === all.length && whole > 0) {
        whole -= BLOCK;
      }
      held = all.slice(whole);
      return run(all.subarray(0, whole));
    },
    heldBlock: () => held.length === BLOCK,
    final() {
      if (!padded) return held.length === 0 ? NOTHING : undefined;
      if (encrypts) {
        const count = BLOCK - held.length;
        return run(join(held, new Uint8Array(count).fill(count)));
      }
      return held.length === BLOCK ? unpadded(run(held)) : undefined;
    },
  };
}

/** The key stream of a counter, for pieces of any length. */
function keyStream(key, counter, next) {
  const expanded = expandKeyLE(key);
  let left = NOTHING;
  return (bytes) => {
    const result = bytes.slice();
    const taken = Math.min(left.length, result.length);
    for (let at = 0; at < taken; at += 1) result[at] ^= left[at];
    left = left.subarray(taken);
    const end = result.length - ((result.length - taken) % BLOCK);
    if (end > taken) {
      result.set(next(expanded, counter, result.slice(taken, end)), taken);
    }
    if (end < result.length) {
      const mask = next(expanded, counter, new Uint8Array(BLOCK));
      for (let at = end; at < result.length; at += 1) {
        result[at] ^= mask[at - end];
      }
      left = mask.slice(result.length - end);
    }
    return result;
  };
}

function ctrMode(key, iv) {
  const update = keyStream(key, iv.slice(), ctrCounter);
  return { update, final: () => NOTHING };
}

function lengths(first, second) {
  const block = new Uint8Array(BLOCK);
  const view = new DataView(block.buffer);
  view.setBigUint64(0, BigInt(first) * 8n);
  view.setBigUint64(8, BigInt(second) * 8n);
  return block;
}

/** GHASH over pieces; the library pads each of them to whole blocks. */
function hasher(authKey) {
  const ghash = new GHASH(authKey.slice());
  let held = NOTHING;
  let count = 0;
  return {
    add(bytes) {
      count += bytes.length;
      const all = join(held, bytes);
      const whole = all.length - (all.length % BLOCK);
      if (whole > 0) ghash.update(all.slice(0, whole));
      held = all.slice(whole);
    },
    /** Ends a part; gives its length. */
    pad() {
      if (held.length > 0) ghash.update(held);
      held = NOTHING;
      const length = count;
      count = 0;
      return length;
    },
    digest(last) {
      return ghash.update(last).digest();
    },
  };
}

function gcmMode(key, iv, encrypts) {
  const next = (expanded, counter, bytes) =>
    ctr32(expanded, false, counter, bytes);
  const expanded = expandKeyLE(key);
  const authKey = encryptBlock(expanded, new Uint8Array(BLOCK));
  let counter = new Uint8Array(BLOCK);
  if (iv.length === 12) {
    counter.set(iv);
    counter[BLOCK - 1] = 1;
  } else {
    const hash = hasher(authKey);
    hash.add(iv);
    counter = hash.digest(lengths(0, hash.pad()));
  }
  const mask = next(expanded, counter, new Uint8Array(BLOCK));
  const stream = keyStream(key, counter, next);
  const hash = hasher(authKey);
  let aadLength;
  const endAad = () => {
    aadLength ??= hash.pad();
  };
  return {
    /** False if it comes too late. */
    setAAD(bytes) {
      if (aadLength !== undefined) return false;
      hash.add(bytes);
      return true;
    },
    update(bytes) {
      endAad();
      const result = stream(bytes);
      hash.add(encrypts ? result : bytes);
      return result;
    },
    final: () => NOTHING,
    tag() {
      endAad();
      const tag = hash.digest(lengths(aadLength, hash.pad()));
      xorInto(tag, mask);
      return tag;
    },
  };
}

const MODES = { cbc: blockMode, ctr: ctrMode, ecb: blockMode, gcm: gcmMode };

module.exports = { MODES };
