/** The tty module takes a tenth of Node's startup time, so obvious cases skip it. */
export function isTerminal(descriptor: number): boolean {
  try {
    const { fstatSync, statSync } = process.getBuiltinModule("node:fs");
    const facts = fstatSync(descriptor);
    if (!facts.isCharacterDevice()) return false;
    const isNull = facts.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
    return !isNull && process.getBuiltinModule("node:tty").isatty(descriptor);
  } catch {
    return false;
  }
}
