import { Module } from "node:module";
import { VERSION } from "../version.ts";
import { keepOnNode20 } from "./node-20.ts";
import { nodeFolder } from "./node-folder.ts";
import { ownFolder } from "./own-folder.ts";

/** What is to be known of the process. */
export interface Running {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  /** The user's number; nothing on Windows. */
  user: number | undefined;
  /** The number of the process. */
  pid: number;
  /** The version of Node and the machine. */
  engine: string;
  /** Whether flags of V8's were typed. */
  hasFlags: boolean;
  /** Called when the process ends, unless flags of V8's were set meanwhile. */
  atExit(write: () => void): void;
}

/** What Node has from 22.1 on. */
const { enableCompileCache } = Module as { enableCompileCache?(folder: string): unknown };

/**
 * Lets the next run start with what V8 compiled in this one, which makes a short command a fifth faster. Newer Node
 * versions do it themselves; Node 20 cannot. It is kept among the temporary files, so that nothing is written to the
 * home folder (promises 6). If nothing can be kept, everything is compiled as usual.
 */
export async function keepCompiled(running: Running): Promise<void> {
  const { env, user, hasFlags } = running;
  if (env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const folder = ownFolder(temporaryFolder(running), `relayctl-compiled-${VERSION}-${user ?? "user"}`, user);
    if (folder === undefined) return;
    if (!enableCompileCache) return hasFlags ? undefined : await keepByDigest(folder, running);
    const kept = nodeFolder(folder, user);
    if (kept !== undefined) enableCompileCache(kept);
  } catch {
    // What cannot be kept is no fault of the command that was typed.
  }
}

async function keepByDigest(folder: string, running: Running): Promise<void> {
  const { createHash } = await import("node:crypto");
  const digest = (...parts: (string | Uint8Array)[]) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  keepOnNode20(folder, { ...running, digest });
}

/** As `os.tmpdir` has it, which would have to be loaded. */
function temporaryFolder({ env, platform }: Running): string {
  return platform === "win32" ? (env.TEMP ?? env.TMP ?? "") : env.TMPDIR || "/tmp";
}
