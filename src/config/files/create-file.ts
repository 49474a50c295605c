import { promises } from "node:fs";
import { dirname } from "node:path";
import type { Masked } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import { fileError } from "./file-error.ts";
import { syncFolder } from "./sync-folder.ts";

/** The disk has it when this resolves. An existing file stays; a partial one is removed. @throws usage; io */
export async function createFile(path: string, text: Masked<string>): Promise<void> {
  let isLeft = false;
  try {
    const file = await promises.open(path, "wx", 0o600);
    try {
      // The umask affects the first mode.
      await file.chmod(0o600);
      await file.writeFile(text);
      await file.sync();
      await file.close();
      await syncFolder(dirname(path));
    } catch (error) {
      await file.close().catch(() => {});
      await promises.rm(path, { force: true }).catch(() => {
        isLeft = true;
      });
      throw error;
    }
  } catch (error) {
    const problem = fileError(path, "written", error);
    const because = ["an incomplete file is left there; remove it"];
    throw isLeft && problem instanceof RelayctlError ? problem.with({ because }) : problem;
  }
}
