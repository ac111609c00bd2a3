'use strict';

const { SloppyWorkerError } = require('sloppy-workers');
const { Thumbnails } = require('./thumbnails.cjs');

let thumbnails;
beforeAll(() => {
  thumbnails = new Thumbnails();
});
// Ends the threads now and not with the process, as Jest likes it.
afterAll(() => thumbnails.close());

test('every second pixel', async () => {
  const row = Uint8Array.of(1, 2, 3, 4, 5);
  expect(await thumbnails.shrink(row, 2)).toEqual(Uint8Array.of(1, 3, 5));
});

test('an error of the job is told by its code', async () => {
  const failure = thumbnails.shrink(undefined, 2);
  await expect(failure).rejects.toBeInstanceOf(SloppyWorkerError);
  await expect(failure).rejects.toMatchObject({
    code: 'SLOPPY_E_WORK_JOB_FAILED',
    cause: expect.objectContaining({ name: 'TypeError' }),
  });
});
