import { promises } from "node:fs";
import { fileErrorCode } from "./file-error.ts";

/** Error codes of a system that can't sync a folder, or does not let this user open it. */
const UNABLE: readonly (string | undefined)[] = ["EACCES", "EBADF", "EINVAL", "EISDIR", "ENOSYS", "ENOTSUP", "EPERM"];

/** Waits until the disk has the names in a folder, if the system can. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await promises.open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!UNABLE.includes(fileErrorCode(error))) throw error;
  }
}
