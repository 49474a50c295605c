/** A test of the built program that an executable does not pass, since it is about Node, or about the package. */
export interface Difference {
  file: string;
  /** The title without what `test.each` puts in; absent for all tests of the file. */
  title?: string;
  reason: string;
  /** What a user of the executable notices. */
  effect: string;
}

const PACKAGE = "It tests the files of the npm package, which an executable does not have.";

/** Every test that is skipped for an executable. All others pass for both. */
export const DIFFERENCES: readonly Difference[] = [
  { file: "test/package.test.ts", reason: PACKAGE, effect: "None: the library is for Node, and is in the package." },
  { file: "test/e2e/loaded.test.ts", reason: PACKAGE, effect: "None: an executable is one file." },
  {
    file: "test/e2e/memory.test.ts",
    reason: "It runs the library with a bound for V8's heap.",
    effect: "None: an executable has no library.",
  },
  {
    file: "test/e2e/compiled.test.ts",
    reason: "It tests how Node keeps compiled code between two runs. An executable contains compiled code.",
    effect: "An executable keeps nothing, and creates no folder among the temporary files.",
  },
  {
    file: "test/e2e/completion/built.test.ts",
    title: "completing a cached ID loads only the completion entry",
    reason: PACKAGE,
    effect: "None: an executable loads parts of one file.",
  },
  {
    file: "test/e2e/completion/built.test.ts",
    title: "what the build writes down contains all commands of the sources",
    reason: PACKAGE,
    effect: "None: the same function of the build writes what an executable contains.",
  },
  {
    file: "test/e2e/webhooks.test.ts",
    title: "ends on Ctrl-C and closes a connection on which nothing was sent",
    reason: "On Linux, Bun accepts a connection only when something is sent on it, and so never has this one.",
    effect: "A sender that has sent nothing notices at its first byte, and not earlier, that the server has ended.",
  },
  {
    file: "test/readme.test.ts",
    title: "the first line of the README prints the embedded server's relayers, and the second runs the tests",
    reason: PACKAGE,
    effect: "None: that line builds the package from the sources.",
  },
];
