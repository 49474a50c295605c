import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs a text under `sh` with a stub on PATH in the place of one program, and gives the arguments that the stub got.
 * @param env the variables of the shell
 */
export function argvUnderSh(program: string, text: string, env: Record<string, string> = {}): string[] {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-sh-"));
  try {
    const stub = join(folder, program);
    writeFileSync(stub, `#!/bin/sh\nfor word in "$@"; do printf '%s\\0' "$word"; done\n`);
    chmodSync(stub, 0o755);
    const out = execFileSync("/bin/sh", ["-c", text], {
      env: { PATH: `${folder}:/bin:/usr/bin`, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return out.toString().split("\0").slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
