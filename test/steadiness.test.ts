import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { globalsOf } from "./layers/source.ts";

/** What keeps a test from failing by chance or on a busy machine, as far as its source shows it. */
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && path !== "steadiness.test.ts" && !path.includes("node_modules"))
  .sort()
  .map((path) => {
    const text = readFileSync(join(import.meta.dirname, path), "utf8");
    let source: ts.SourceFile | undefined;
    return {
      path,
      text,
      /** Parsed once it is asked for: most files are known to be fine by their text. */
      get source() {
        source ??= ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
        return source;
      },
    };
  });

type File = (typeof files)[number];

const CLOCK_OR_CHANCE = ["Date.now", "performance.now", "process.hrtime", "Math.random", "setTimeout", "setInterval"];

/** Files that may use the clock or chance, and why nothing that is expected depends on it. */
const ALLOWED: Readonly<Record<string, string>> = {
  "config/surroundings.ts": "locks of other processes are waited for as the program does",
  "e2e/terminal/terminal-session.ts": "ends what hangs",
  "embedded-server/listening.ts": "a server needs a clock, and no test expects a time of it",
  "faults/server/fault-server.ts": "a moment in the ledger for whoever reads a failure",
  "faults/server/perform.ts": "drips until the client leaves",
  "faults/server/service/transactions.ts": "payments are found by when they were created",
  "e2e/terminal/paused-service.ts": "a service of the past would be behind, and recordings hide its times",
  "nodes/catalog.ts": "a real chain begins hours before the test, whose clock it passes",
  "nodes/nodes.ts": "waits until a real node listens",
  "nodes/served.ts": "a real chain and its server need a clock",
  "safety/built/fuzz.test.ts": "other seeds in deep runs",
  "safety/fuzz/fuzz.ts": "ends what hangs",
  "safety/fuzz/main.ts": "other seeds each time",
};

function breaking(offences: (file: File) => readonly string[]): string[] {
  return files.flatMap((file) => offences(file).map((offence) => `test/${file.path}: ${offence}`));
}

function nodesOf({ source }: File): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return nodes;
}

function usesOf(file: File): string[] {
  if (!CLOCK_OR_CHANCE.some((name) => file.text.includes(name))) return [];
  const globals = globalsOf(file.source);
  return CLOCK_OR_CHANCE.filter((name) => globals.has(name));
}

/** `new Date()` is the time of the machine; with an argument it is not. */
function newDatesOf(file: File): string[] {
  const isNow = (node: ts.Node) =>
    ts.isNewExpression(node) && node.expression.getText() === "Date" && node.arguments?.length === 0;
  return file.text.includes("Date()") && nodesOf(file).some(isNow) ? ["new Date()"] : [];
}

test("no test depends on the machine's clock or on random values", () => {
  const uses = (file: File) => (ALLOWED[file.path] ? [] : [...usesOf(file), ...newDatesOf(file)]);
  expect(breaking(uses)).toEqual([]);
});

test("every exception is still needed", () => {
  const unused = (path: string) =>
    files.every((file) => file.path !== path || (usesOf(file).length === 0 && newDatesOf(file).length === 0));
  expect(Object.keys(ALLOWED).filter(unused)).toEqual([]);
});

test("all properties use the same seed", () => {
  const seeds = (file: File) =>
    file.path === "helpers/fixed-seed.ts" || !/"fast-check".*\bseed["']?:/s.test(file.text)
      ? []
      : nodesOf(file)
          .filter((node) => ts.isPropertyAssignment(node) && node.name.getText() === "seed")
          .map((node) => node.getText());
  expect(breaking(seeds)).toEqual([]);
});

test("properties run only in the project that sets the seed", () => {
  const isBuilt = ({ path }: File) => /^e2e\/|\/built\/|^readme\.|^package\./.test(path);
  expect(files.filter((file) => isBuilt(file) && file.text.includes('"fast-check"')).map(({ path }) => path)).toEqual(
    [],
  );
});

/** `test(…, 5000)` or `{ timeout: 5000 }` in place of the bounds of vitest.config.ts. */
test("no test sets its own time limit", () => {
  const RUNS = /^(?:test|it|describe|beforeAll|beforeEach|afterAll|afterEach)\b/;
  const limited = (node: ts.Node): boolean => {
    if (!ts.isCallExpression(node) || !RUNS.test(node.expression.getText())) return false;
    const last = node.arguments.at(-1);
    const options = node.arguments.filter(ts.isObjectLiteralExpression);
    return (
      (last !== undefined && ts.isNumericLiteral(last)) ||
      options.some(({ properties }) => properties.some(({ name }) => name?.getText() === "timeout"))
    );
  };
  // As the formatter writes it: at the end of a block, on a separate line, or at the end of the line that begins with the call.
  const mayLimit = ({ text }: File) =>
    /\btimeout["']?:|^\s*\}, [\d_]+\);$|^\s*[\d_]+,?\n\s*\);$|^\s*(?:test|it|describe|before|after)\w*\b.*, [\d_]+\);$/m.test(
      text,
    );
  expect(mayLimit({ text: 'test("a", () => {\n  run();\n}, 5_000);\n' } as File)).toBe(true);
  expect(mayLimit({ text: "test(\n  title,\n  run,\n  5_000,\n);\n" } as File)).toBe(true);
  expect(mayLimit({ text: "  beforeAll(() => run(), 5000);\n" } as File)).toBe(true);
  const own = (file: File) =>
    (mayLimit(file) ? nodesOf(file) : []).filter(limited).map((node) => node.getText().slice(0, 60));
  expect(breaking(own)).toEqual([]);
});

test("no event has to come within some turns of the event loop", () => {
  // A module that is loaded for the first time may take any number of them.
  const counted = ({ text }: File) => text.match(/turns? < [0-9_]+ && .*/g) ?? [];
  expect(breaking(counted)).toEqual([]);
  expect(counted({ text: "for (let turn = 0; turn < 1000 && !isOver; turn++)" } as File)).toHaveLength(1);
});

/** Seconds or less that a busy machine takes for nothing. */
const SHORT =
  /(?:timeout|deadline|TIMEOUT)["'=:, ]+["']?(?:[0-9.]+ms|[0-9](?:\.[0-9]+)?s)\b|\bsleep (?:0?\.[0-9]|[0-9]\b)/;

test("no process gets or waits for a few seconds of real time", () => {
  const isReal = ({ path }: File) => /^(?:e2e|faults)\/|\/built\//.test(path);
  const short = (file: File) => (isReal(file) ? (SHORT.exec(file.text) ?? []) : []);
  expect(breaking(short)).toEqual([]);
  expect(
    ["--timeout 300ms", '"--deadline", "1s"', "RELAYCTL_TIMEOUT=5s", "sleep 0.3", "sleep 2"].filter(
      (text) => !SHORT.test(text),
    ),
  ).toEqual([]);
  expect(["--timeout 20s", '"--timeout", "1h"', "sleep 600"].filter((text) => SHORT.test(text))).toEqual([]);
});
