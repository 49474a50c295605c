import { gzipSync } from "node:zlib";

/**
 * What an archive holds at a path: a file with its content, a symbolic link, or else a folder.
 * @typedef {object} Entry
 * @property {number} [mode] permissions; of a file 0644 unless set, of a folder 0755
 * @property {Uint8Array | string} [content] of a file
 * @property {string} [link] where a symbolic link leads
 * @property {{ id: number, name: string }} [owner] who has it, as user and as group; root unless set
 */

const BLOCK = 512;
const ROOT = { id: 0, name: "root" };

/**
 * Writes a tar archive in the format ustar, which is the same for the same entries: sorted by path, and with one time for
 * everything. Folders that no entry describes are added.
 * @param {Readonly<Record<string, Entry>>} entries by path, without a slash at the start
 * @param {{ epoch: number, prefix?: string }} how the time in seconds, and what each path begins with
 * @returns {Buffer}
 */
export function tar(entries, { epoch, prefix = "" }) {
  const all = { ...foldersOf(Object.keys(entries)), ...entries };
  const blocks = Object.keys(all)
    .sort()
    .flatMap((path) => blocksOf(prefix + path, all[path], epoch));
  if (prefix !== "") blocks.unshift(...blocksOf(prefix, {}, epoch));
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/**
 * Compresses as `gzip -n` does: without a name, without a time, and the same on every system.
 * @param {Uint8Array} bytes
 * @param {6 | 9} level what is large takes half as long with 6, and is hardly larger
 * @returns {Buffer}
 */
export function gzip(bytes, level = 9) {
  const packed = gzipSync(bytes, { level });
  const UNIX = 3;
  packed[9] = UNIX;
  return packed;
}

function foldersOf(paths) {
  const parents = paths.flatMap((path) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  });
  return Object.fromEntries(parents.map((path) => [path, {}]));
}

function blocksOf(path, entry, epoch) {
  const content = Buffer.from(entry.content ?? "");
  const head = header(path, { ...entry, size: content.length }, epoch);
  return [head, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}

function header(path, { mode, content, link, size, owner = ROOT }, epoch) {
  const isFolder = content === undefined && link === undefined;
  const name = isFolder && !path.endsWith("/") ? `${path}/` : path;
  if (Buffer.byteLength(name) > 100) throw new Error(`"${name}" is longer than the 100 bytes that a tar header holds`);
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0);
  head.write(octal(mode ?? (isFolder ? 0o755 : link === undefined ? 0o644 : 0o777), 8), 100);
  head.write(octal(owner.id, 8).repeat(2), 108);
  head.write(octal(size, 12) + octal(epoch, 12), 124);
  head.write(isFolder ? "5" : link === undefined ? "0" : "2", 156);
  head.write(link ?? "", 157);
  head.write(`ustar\x0000${owner.name.padEnd(32, "\0").repeat(2)}${octal(0, 8).repeat(2)}`, 257);
  head.write(" ".repeat(8), 148);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 7)} `, 148);
  return head;
}

/** Writes a number as it stands in a field of that many bytes, of which the last is zero. */
function octal(number, width) {
  return `${number.toString(8).padStart(width - 1, "0")}\0`;
}
