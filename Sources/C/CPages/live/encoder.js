// SPDX-License-Identifier: Apache-2.0
// A worker that encodes an image as a message: its number, four zero bytes, and the image as JPEG.
const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext('2d', { alpha: false });

onmessage = async ({ data: { sequence, bitmap, quality } }) => {
  try {
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    context.drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    const image = new Uint8Array(await blob.arrayBuffer());
    const message = new Uint8Array(8 + image.length);
    new DataView(message.buffer).setUint32(0, sequence, true);
    message.set(image, 8);
    postMessage({ sequence, bitmap, message: message.buffer }, [bitmap, message.buffer]);
  } catch (error) {
    postMessage({ sequence, failure: String(error) });
  }
};
