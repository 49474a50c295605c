import { execFileSync } from "node:child_process";

/**
 * Writes a program from another process: this one may fork meanwhile with the file open, so that it can't run
 * (ETXTBSY).
 */
export function writeProgram(path: string, text: string): void {
  execFileSync("/bin/sh", ["-c", 'cat > "$0" && chmod 755 "$0"', path], { input: text });
}
