import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "../helpers/remove-folder.ts";

/** A fresh folder, removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-test-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
