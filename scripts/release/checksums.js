import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the SHA-256 of a file as hexadecimal digits. */
export function sha256Of(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/**
 * Returns the text of SHA256SUMS, as `sha256sum --check` reads it, sorted by name.
 * @param {string} folder
 * @param {readonly string[]} names
 */
export function checksumsOf(folder, names) {
  return [...names]
    .sort()
    .map((name) => `${sha256Of(join(folder, name))}  ${name}\n`)
    .join("");
}

/**
 * Returns the names of the files that differ in checksum, or are in only one of the two lists.
 * @param {string} first the text of SHA256SUMS
 * @param {string} second
 */
export function differingFiles(first, second) {
  const [left, right] = [first, second].map((text) => new Set(text.split("\n").filter(Boolean)));
  const differing = [...left, ...right].filter((line) => left.has(line) !== right.has(line));
  return [...new Set(differing.map((line) => line.slice(line.indexOf("  ") + 2)))].sort();
}
