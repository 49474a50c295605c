import { readFileSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { defineConfig } from "vitest/config";
import { breaking } from "./scripts/breaking.js";
import { DIFFERENCES } from "./test/e2e/differences.ts";
import { EXECUTABLE } from "./test/e2e/program.ts";
import { FiguresReporter } from "./test/helpers/figures-reporter.ts";

/** Tests of what is built and shipped; all others run the sources in this process. */
const BUILT = [
  "test/e2e/**/*.test.ts",
  "test/faults/built/**/*.test.ts",
  "test/safety/built/**/*.test.ts",
  "test/readme.test.ts",
  "test/package.test.ts",
];

/** Tests of what users install, out of the folder of a release. An executable is tested without one, in a Debian package. */
const INSTALLED = "test/installed/**/*.test.ts";
/** Tests against real nodes, which `npm run test:nodes` installs. */
const NODES = "test/nodes/**/*.test.ts";
const OF_EXECUTABLES = "test/installed/deb.test.ts";
/** The break, in JSON, that `npm run chaos -- --breaks` looks for with a test. */
const { RELAYCTL_RELEASE, RELAYCTL_BREAK, RELAYCTL_NODES } = process.env;

/** Files that an executable is not tested with. */
const NOT_OF_EXECUTABLES = DIFFERENCES.filter(({ title }) => title === undefined).map(({ file }) => file);

/**
 * Milliseconds after which a test, or what prepares it, hangs. Never part of what is tested: a busy machine may take a hundred times as
 * long as an idle one, and a deep run tries in one test what takes minutes.
 */
function bounds(mode: string) {
  const most = mode === "deep" ? 7_200_000 : 900_000;
  return { testTimeout: most, hookTimeout: most, teardownTimeout: most };
}

const MEMORY = "/dev/shm";

/**
 * Returns where tests keep files for a moment: in memory, where there is room for them, and where programs may run from. On a disk, to
 * create and remove them takes most of the time of many tests.
 */
function places(): Record<string, string> {
  try {
    const mount = readFileSync("/proc/mounts", "utf8").match(new RegExp(`^tmpfs ${MEMORY} .*`, "m"))?.[0];
    const { bavail, bsize } = statfsSync(MEMORY);
    const isFit = mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize > 2 ** 31;
    return isFit && process.env.TMPDIR === undefined ? { TMPDIR: MEMORY } : {};
  } catch {
    return {};
  }
}

// Tests leave much garbage that is young, and run most code a few times: with more room for the one, and compiled less eagerly, they
// take less of the processors.
setFlagsFromString("--max-semi-space-size=64");
// Later engines have no such flag.
if (process.version.startsWith("v20.")) setFlagsFromString("--interrupt-budget=1000000");

export default defineConfig(({ mode }) => ({
  test: {
    // Vitest leaves one processor to itself, which is half of what two have; the tests of what is built wait for other processes anyway.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    reporters: ["default", new FiguresReporter()],
    // What a file becomes is kept below node_modules by its content: to transform the sources takes longer than most tests.
    experimental: { fsModuleCache: RELAYCTL_BREAK === undefined },
    projects: [
      {
        mode,
        plugins: RELAYCTL_BREAK ? [breaking(JSON.parse(RELAYCTL_BREAK))] : [],
        test: {
          name: "source",
          globals: true,
          env: places(),
          include: ["test/**/*.test.ts"],
          exclude: [...BUILT, INSTALLED, NODES],
          pool: "threads",
          // As Node itself loads libraries: otherwise each use of a name of a library goes through a proxy.
          deps: { interopDefault: false },
          // The sources keep nothing between two calls, and to load them for each file would take most of the time.
          isolate: false,
          setupFiles: "test/helpers/fixed-seed.ts",
          ...bounds(mode),
          restoreMocks: true,
        },
      },
      {
        mode,
        test: {
          name: "built",
          globals: true,
          include: EXECUTABLE ? [...BUILT, OF_EXECUTABLES] : BUILT,
          exclude: EXECUTABLE ? NOT_OF_EXECUTABLES : [],
          setupFiles: "test/e2e/skip-differences.ts",
          pool: "forks",
          // A process for each file would take half a second to start, and tests keep nothing outside of their own folders.
          isolate: false,
          globalSetup: "test/e2e/build.ts",
          ...bounds(mode),
        },
      },
      ...(RELAYCTL_NODES ? [{ mode, test: { name: "nodes", globals: true, include: [NODES], ...bounds(mode) } }] : []),
      ...(RELAYCTL_RELEASE
        ? [{ mode, test: { name: "installed", globals: true, include: [INSTALLED], ...bounds(mode) } }]
        : []),
    ],
  },
}));
