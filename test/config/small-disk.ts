import { execFileSync } from "node:child_process";
import { temporaryFolder } from "./temporary-folder.ts";

/** A file system of 64 KiB, where the system lets us mount one. */
export function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", [folder]));
  return folder;
}
