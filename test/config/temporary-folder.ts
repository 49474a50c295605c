import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../helpers/remove-folder.ts";

/** Creates a folder for a test. @param place (default: in memory, below /dev, where no fleet refers to files) */
export function temporaryFolder(place = tmpdir()): string {
  const folder = mkdtempSync(join(place, "relayctl-test-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
