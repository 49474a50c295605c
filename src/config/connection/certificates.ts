import { usageError } from "../../errors.ts";
import type { Sourced } from "../sourced.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/** Reads PEM certificates. @throws RelayctlError usage, with the file and its source */
export async function readCertificates(
  caFiles: readonly Sourced<string>[],
  files: { read(path: string, maxBytes: number): Promise<Uint8Array> },
): Promise<string[]> {
  return await Promise.all(
    caFiles.map(async ({ value: path, from }) => {
      const text = new TextDecoder().decode(await files.read(path, MAX_BYTES));
      if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
      throw usageError([{ where: from, given: path, rule: "contains no PEM certificate" }]);
    }),
  );
}
