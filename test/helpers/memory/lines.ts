import type { App } from "../../../src/app.ts";
import { RelayctlError, usageError } from "../../../src/errors.ts";

/** Files that grow by lines, by their paths; one without room takes so many lines and no more. */
export function memoryLines(files: Map<string, string[]>, room: number): App["lineFile"] {
  return async (place) => {
    const path = typeof place === "string" ? place : `state/retry/${place.run}.ids`;
    if (files.has(path)) throw usageError([{ where: path, rule: "is not empty" }]);
    const lines: string[] = [];
    files.set(path, lines);
    return {
      path,
      isTorn: false,
      async append(line) {
        if (lines.length >= room) throw new RelayctlError("io", `${path}: cannot be written: the disk is full`);
        lines.push(line);
      },
      async close() {
        if (lines.length === 0) files.delete(path);
      },
    };
  };
}
