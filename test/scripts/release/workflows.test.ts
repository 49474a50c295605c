import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse, parseDocument } from "yaml";
import { artifactsOf, CHECKSUMS } from "../../../scripts/release/artifacts.js";
import { PLATFORMS } from "../../../scripts/release/platforms.js";

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = ".github/workflows";

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | boolean | number>;
  env?: Record<string, string>;
}

interface Job {
  permissions?: Record<string, string>;
  "timeout-minutes"?: number;
  needs?: string | string[];
  strategy?: { matrix: { include: { file: string }[] } };
  steps: Step[];
}

interface Workflow {
  on: object;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

const { scripts } = JSON.parse(textOf("package.json"));
const files = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);

describe.each(files)("%s", (file) => {
  const text = textOf(file);
  const { jobs, ...workflow }: Workflow = parse(text);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test("is YAML without errors and warnings", () => {
    const { errors, warnings } = parseDocument(text, { strict: true, uniqueKeys: true });
    expect([errors, warnings]).toEqual([[], []]);
  });

  test("grants nothing that a job does not need", () => {
    expect(Object.values(workflow.permissions ?? { missing: "write" })).not.toContain("write");
    const writing = Object.entries(jobs).flatMap(([name, { permissions = {} }]) =>
      Object.keys(permissions).flatMap((scope) => (permissions[scope] === "write" ? `${name}: ${scope}` : [])),
    );
    const needed = ["build: id-token", "build: attestations", "publish: contents"];
    expect(writing).toEqual(file.endsWith("release.yml") ? needed : []);
  });

  test("has a time limit for each job, and each step runs one thing", () => {
    expect(Object.values(jobs).every((job) => job["timeout-minutes"] !== undefined)).toBe(true);
    expect(steps.every(({ uses, run }) => (uses === undefined) !== (run === undefined))).toBe(true);
  });

  test("pins every action to a version, and checks out without keeping the token", () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((uses) => !/^[\w-]+\/[\w-]+@(?:v\d+(?:\.\d+)*|[0-9a-f]{40})$/.test(uses))).toEqual([]);
    for (const step of steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@")))
      expect(step.with?.["persist-credentials"]).toBe(false);
  });

  test("runs only scripts that exist", () => {
    const lines = steps.flatMap(({ run }) => run ?? []);
    const named = lines.flatMap((line) => [...line.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name = ""]) => name));
    expect(named.filter((name) => name !== "ci" && scripts[name] === undefined)).toEqual([]);
    const programs = lines.flatMap((line) => /^\.[\w/.]+/.exec(line)?.[0] ?? []);
    expect(
      programs.filter((path) => !existsSync(join(ROOT, path)) || !(statSync(join(ROOT, path)).mode & 0o100)),
    ).toEqual([]);
  });

  test("has no expression in a command, and prints no secret", () => {
    for (const { run = "", env = {} } of steps) {
      expect(run).not.toContain("${{");
      const secret = Object.keys(env).filter((name) => /\b(?:secrets\.|github\.token)/.test(env[name] ?? ""));
      for (const name of secret) expect(run).not.toContain(name);
    }
    expect(text).not.toMatch(/secrets\.|set -x|pull_request_target/);
  });
});

describe("the release workflow", () => {
  const { on, jobs }: Workflow = parse(textOf(`${FOLDER}/release.yml`));
  const artifacts = [...artifactsOf("1.2.3", PLATFORMS), CHECKSUMS];
  const stepsOf = (name: string) => jobs[name]?.steps ?? [];

  test("starts with a tag, tests before it builds, and verifies the checksums before it publishes", () => {
    expect(on).toEqual({ push: { tags: ["v*"] } });
    const lines = stepsOf("build").flatMap(({ run, uses }) => run ?? uses?.replace(/@.*/, "") ?? []);
    const order = ["npm ci", "npm test", "npm run release -- --check", "actions/attest-build-provenance"];
    expect(lines.filter((line) => order.includes(line))).toEqual(order);
    expect([jobs.try?.needs, jobs.publish?.needs]).toEqual(["build", ["build", "try"]]);
    const [, verified, published] = stepsOf("publish").map(({ run = "" }) => run);
    expect(verified).toBe(`sha256sum --check --strict ${CHECKSUMS}`);
    expect(published).toMatch(/^gh release create "\$GITHUB_REF_NAME" --verify-tag .*release\/\*$/);
  });

  test("attests, uploads, and publishes files of the release folder alone", () => {
    const inputs = stepsOf("build").flatMap(({ with: given = {} }) => [given["subject-path"], given.path]);
    expect(inputs.filter((input) => input !== undefined)).toEqual(["release/*", "release/*"]);
    const named = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run = "" }) => [...run.matchAll(/relayctl[-_][\w.-]+/g)].map(([name]) => name)),
    );
    expect(named.filter((name) => !artifacts.includes(name))).toEqual([]);
  });

  test("runs each executable on its own platform before anything is published", () => {
    const tried = jobs.try?.strategy?.matrix.include.map(({ file }) => file);
    expect(tried).toEqual(PLATFORMS.map(({ file }) => file));
  });
});
