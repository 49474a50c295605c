import { execFileSync } from "node:child_process";

/**
 * Writes a program from another process. If this process wrote it, a process that another thread starts meanwhile would
 * hold it open for writing, and Linux would not run it (ETXTBSY).
 */
export function writeProgram(path: string, text: string): void {
  execFileSync("/bin/sh", ["-c", 'cat > "$0" && chmod 755 "$0"', path], { input: text });
}
