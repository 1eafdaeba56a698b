// How a block of bytes from `ui/blocks.py` is read: the length of a header, the header, named arrays and pictures.

const KINDS = { f4: Float32Array, i4: Int32Array, u2: Uint16Array, u1: Uint8Array };

/** @typedef {keyof typeof KINDS} Kind */
/** @typedef {{ name: string, kind: Kind, count: number }} Entry */

/**
 * @template {object} Found
 * @param {ArrayBuffer | Uint8Array<ArrayBuffer>} block
 * @returns {Found} the header as `header`, and each array by its name; what there is depends on who has packed it
 */
export function unpack(block) {
  const bytes = block instanceof Uint8Array ? block : new Uint8Array(block);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  /** @type {Record<string, unknown>} */
  const found = { header };
  let at = 4 + length;
  for (const { name, kind, count } of /** @type {Entry[]} */ (header.blocks)) {
    const Kind = KINDS[kind], size = count * Kind.BYTES_PER_ELEMENT, from = bytes.byteOffset + at;
    // Every array begins at a multiple of four of the block, which need not be one of the buffer.
    const inPlace = from % Kind.BYTES_PER_ELEMENT === 0;
    found[name] = inPlace ? new Kind(bytes.buffer, from, count) : new Kind(bytes.slice(at, at + size).buffer);
    at += size + (-size & 3);
  }
  return /** @type {Found} */ (found);
}
