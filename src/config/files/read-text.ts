import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { strictUtf8 } from "../../contract/encoding/utf8.ts";
import { usageError } from "../../errors.ts";
import { fileError, fileErrorCode } from "./file-error.ts";

/** Undefined if missing; any other error throws. @param refuse called with the opened file's facts before it is read */
export async function readText(
  path: string,
  maxBytes: number,
  refuse: (facts: Stats) => void = () => {},
): Promise<string | undefined> {
  try {
    const file = openToRead(path);
    return file === undefined ? undefined : wholeText(path, file, { maxBytes, refuse });
  } catch (error) {
    throw fileError(path, "read", error);
  }
}

function openToRead(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (fileErrorCode(error) !== "ENOENT") throw error;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false)
      throw usageError([{ where: path, rule: "is a link to a file that does not exist" }]);
    return undefined;
  }
}

function wholeText(
  path: string,
  file: number,
  { maxBytes, refuse }: { maxBytes: number; refuse: (facts: Stats) => void },
): string {
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw usageError([{ where: path, rule: "is not a regular file" }]);
    refuse(facts);
    if (facts.size > maxBytes) throw usageError([{ where: path, rule: `is larger than ${maxBytes} bytes` }]);
    const text = strictUtf8(readFileSync(file));
    if (text === undefined) throw usageError([{ where: path, rule: "is not UTF-8 text" }]);
    return text;
  } finally {
    closeSync(file);
  }
}
