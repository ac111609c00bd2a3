// An image, cut into bands that are blurred side by side. The pixels are moved
// to the isolates and back, not copied:  node examples/image/main.mjs

import assert from 'node:assert';
import { createHash } from 'node:crypto';
import { WorkerPool } from 'sloppy-workers';

const [WIDTH, HEIGHT, BANDS, RADIUS] = [1024, 768, 8, 3];

/** Grey pixels of a pattern; row by row, with RADIUS more rows at both ends. */
function drawBand(first, rows) {
  const pixels = new Uint8Array((rows + 2 * RADIUS) * WIDTH);
  for (let i = 0; i < pixels.length; i += 1) {
    const x = i % WIDTH;
    const y = first - RADIUS + Math.floor(i / WIDTH);
    pixels[i] = (x ^ y) & 255;
  }
  return pixels;
}

/** A box blur; its own edges are left out of the result. */
function blur({ input: { pixels, width, radius } }) {
  const rows = pixels.length / width - 2 * radius;
  const result = new Uint8Array(rows * width);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      let count = 0;
      for (let dx = -radius; dx <= radius; dx += 1) {
        if (x + dx < 0 || x + dx >= width) continue;
        for (let dy = 0; dy <= 2 * radius; dy += 1) {
          sum += pixels[(y + dy) * width + x + dx];
          count += 1;
        }
      }
      result[y * width + x] = sum / count;
    }
  }
  return result;
}

const pool = WorkerPool.create('blur', { workers: 2 });
const rows = HEIGHT / BANDS;
const bands = Array.from({ length: BANDS }, (_, i) => drawBand(i * rows, rows));
const expected = blur({
  input: { pixels: bands[0], width: WIDTH, radius: RADIUS },
});

const blurred = await Promise.all(
  bands.map((pixels) =>
    pool.run(blur, {
      input: { pixels, width: WIDTH, radius: RADIUS },
      transfer: [pixels.buffer],
    }),
  ),
);
await pool.stop();

// An array that was moved is empty here, as with postMessage.
assert.ok(bands.every((pixels) => pixels.byteLength === 0));
assert.deepStrictEqual(blurred[0], expected);
const image = Buffer.concat(blurred);
assert.strictEqual(image.length, WIDTH * HEIGHT);
const digest = createHash('sha256').update(image).digest('hex').slice(0, 16);
console.log(`${WIDTH} × ${HEIGHT} pixels blurred, sha256 ${digest}…`);
console.log('ok');
