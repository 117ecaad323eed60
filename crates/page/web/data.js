// The page's data: a gzip stream in base64, of a JSON document and columns of numbers.

/** The document, and a reader of its columns, of the data in the page. */
export function readData() {
  const element = document.getElementById("data");
  const packed = bytesOfBase64(element.textContent.trim());
  element.remove();
  return unpack(packed);
}

/** The same of a gzip stream. */
export async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { head, columns: new ColumnReader(bytes.subarray(4 + length), head.columns) };
}

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/** Reads columns by name: seven bits to a byte, the lowest first. */
class ColumnReader {
  constructor(bytes, places) {
    this.bytes = bytes;
    this.places = places;
  }

  has(name) {
    return name in this.places;
  }

  /** Fills an array with a column of unsigned numbers. */
  read(name, into) {
    const bytes = this.bytes;
    let at = this.places[name][0];
    for (let i = 0; i < into.length; i++) {
      let byte = bytes[at++];
      if (byte < 0x80) {
        into[i] = byte;
        continue;
      }
      let value = byte & 0x7f;
      let scale = 128;
      do {
        byte = bytes[at++];
        value += (byte & 0x7f) * scale;
        scale *= 128;
      } while (byte >= 0x80);
      into[i] = value;
    }
    return into;
  }

  /** Fills an array with a column of signed numbers. */
  readSigned(name, into) {
    this.read(name, into);
    for (let i = 0; i < into.length; i++) {
      const value = into[i];
      into[i] = value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    }
    return into;
  }

  /** Fills an array of zeros with a column of numbers that are mostly zero. */
  readSparse(name, into) {
    const count = this.count(name);
    const [steps, numbers] = [`${name}-steps`, name]
      .map((part) => this.read(part, new Float64Array(count)));
    for (let i = 0, at = 0; i < count; i++) into[(at += steps[i])] = numbers[i];
    return into;
  }

  /** How many numbers a column has. */
  count(name) {
    const [begin, length] = this.places[name];
    let count = 0;
    for (let at = begin; at < begin + length; at++) if (this.bytes[at] < 0x80) count++;
    return count;
  }
}
