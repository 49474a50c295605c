import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "../helpers/remove-folder.ts";

/**
 * Creates a fresh folder, which is removed when the test is over.
 * @param place where it is to be (default: in memory, below /dev, where there is room): no fleet refers to a file below /dev
 */
export function temporaryFolder(place = tmpdir()): string {
  const folder = mkdtempSync(join(place, "relayctl-test-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
