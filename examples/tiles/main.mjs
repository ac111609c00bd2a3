// One picture in shared memory, which all workers paint at once: tile by tile,
// without a copy of the pixels. A counter that they share says which is next:
//   node examples/tiles/main.mjs

import assert from 'node:assert/strict';
import { WorkerPool } from 'sloppy-workers';

const WIDTH = 640;
const HEIGHT = 480;
const TILE = 80;
const WORKERS = 4;

const picture = {
  pixels: new Uint8ClampedArray(new SharedArrayBuffer(WIDTH * HEIGHT * 4)),
  next: new Int32Array(new SharedArrayBuffer(4)),
  width: WIDTH,
  height: HEIGHT,
  tile: TILE,
  // A Map travels too.
  palette: new Map([
    [0, [10, 10, 40]],
    [1, [250, 200, 60]],
  ]),
};

/** Paints tiles until none is left; returns how many. */
function paint({ input }) {
  const { pixels, next, width, height, tile, palette } = input;
  const columns = width / tile;
  const tiles = columns * (height / tile);
  let painted = 0;
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    if (index >= tiles) return painted;
    const left = (index % columns) * tile;
    const top = Math.floor(index / columns) * tile;
    for (let y = top; y < top + tile; y++) {
      for (let x = left; x < left + tile; x++) {
        const a = (x / width) * 3.5 - 2.5;
        const b = (y / height) * 2 - 1;
        let re = a;
        let im = b;
        let steps = 0;
        while (steps < 80 && re * re + im * im < 4) {
          [re, im] = [re * re - im * im + a, 2 * re * im + b];
          steps += 1;
        }
        const [red, green, blue] = palette.get(steps === 80 ? 0 : 1);
        const shade = steps / 80;
        const at = (y * width + x) * 4;
        pixels[at] = red * shade;
        pixels[at + 1] = green * shade;
        pixels[at + 2] = blue;
        pixels[at + 3] = 255;
      }
    }
    painted += 1;
  }
}

const pool = WorkerPool.create('tiles', {
  workers: WORKERS,
  payload: 'clone',
});
const counts = await Promise.all(
  Array.from({ length: WORKERS }, () => pool.run(paint, { input: picture })),
);
await pool.stop();

const tiles = (WIDTH / TILE) * (HEIGHT / TILE);
assert.equal(
  counts.reduce((sum, count) => sum + count),
  tiles,
);
for (let at = 3; at < picture.pixels.length; at += 4) {
  assert.equal(picture.pixels[at], 255);
}
console.log(`${tiles} tiles by ${WORKERS} workers, no pixel copied`);
console.log('ok');
