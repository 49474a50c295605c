import { cli, ends, exited, exitedSaying, SERVER, TOKEN, type World } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

const SAME = '{"notifications":[{"id":"audit-log","type":"webhook","url":"https://audit.example.org/relayer-events"}]}';
const MOVED = SAME.replace("audit.example.org", "logs.example.org");
const FILES = { "same.json": SAME, "moved.json": MOVED };
const AT = "moved.json:1:54";

async function demo(line: string, world: World = {}) {
  return await cli(`--demo ${line}`, { env: {}, files: FILES, ...world });
}

describe("a plan on a terminal", () => {
  test.each([60, 80])("with %s columns", async (columns) => {
    const { stdout } = await exited(20, demo("plan --color never", { terminal: true, columns }));
    await expect(stdout).toMatchFileSnapshot(`screens/demo-${columns}.txt`);
  });

  test("ends with what it would do, and the command that does it", async () => {
    const { stderr } = await demo("plan --prune", { terminal: true });
    expect(stderr).toBe(
      "Plan: 1 to create, 1 to change, 1 to delete; 1 cannot be changed\n  next     relayctl --demo apply --prune\n",
    );
  });

  test("says in one line that there is nothing to do", async () => {
    const ran = await exited({ exitCode: 0, writes: [] }, demo("plan -f same.json --color never", { terminal: true }));
    expect(ran.stdout).toBe("not in the files\n    notification ops-hook\n    notification treasury-hook\n");
    expect(ran.stderr).toBe("same.json matches the service: 1 resource\n");
  });

  test("has color that repeats its signs", async () => {
    const { stdout } = await demo("plan --color always", { terminal: true });
    expect(stdout).toContain("\u001b[32m+ notification oncall-hook\u001b[39m\n");
    expect(stdout).toContain("\u001b[33m~ relayer polygon-bulk\u001b[39m\n");
    expect(stdout).toContain("\u001b[31m✗ relayer eth-main-2\u001b[39m\n");
  });
});

describe("a plan in a pipe", () => {
  test("is one row for each member", async () => {
    const { stdout, stderr } = await demo("plan -f moved.json");
    expect(stdout).toBe(
      `update\tnotifications\taudit-log\turl\thttps://audit.example.org/relayer-events\thttps://logs.example.org/relayer-events\t${AT}\t\n`,
    );
    expect(stderr).toBe(
      "2 resources not in the files; plan leaves them\nPlan: 0 to create, 1 to change, 0 to delete\nnext: relayctl --demo apply -f moved.json\n",
    );
  });

  test("has its columns in csv, and its values in ndjson", async () => {
    expect((await demo("plan -f moved.json -o csv")).stdout.split("\r\n")[0]).toBe(
      "action,noun,id,path,before,after,at,reason",
    );
    expect(JSON.parse((await demo("plan -f moved.json -o ndjson")).stdout)).toEqual({
      action: "update",
      noun: "notifications",
      id: "audit-log",
      path: "url",
      before: "https://audit.example.org/relayer-events",
      after: "https://logs.example.org/relayer-events",
      at: AT,
      reason: null,
    });
  });

  test("has a row without a member for each deletion, and a reason for what cannot be changed", async () => {
    const { stdout } = await demo("plan --prune --fields action,id,path,reason");
    expect(stdout.split("\n").slice(-3)).toEqual([
      "delete\txlm-treasury\t\t",
      "cannot\teth-main-2\tsigner_id\tthe service cannot change it: delete and create the relayer",
      "",
    ]);
  });

  test("is the IDs with -o name, each once", async () =>
    expect((await demo("plan -o name")).stdout).toBe("oncall-hook\npolygon-bulk\neth-main-2\n"));

  test("has no rows without differences", async () => {
    for (const format of ["tsv", "csv", "ndjson", "name"]) {
      const { stdout, exitCode } = await demo(`plan -f same.json -o ${format}`);
      expect({ format, stdout, exitCode }).toEqual({ format, stdout: "", exitCode: 0 });
    }
  });

  test("is the same to the byte in every width and locale", async () => {
    const plain = await demo("plan -o tsv");
    const other = await demo("plan -o tsv", { terminal: true, columns: 40, env: { LC_ALL: "C", FORCE_COLOR: "1" } });
    expect(other.stdout).toBe(plain.stdout);
  });
});

describe("a plan as JSON", () => {
  test("is the whole plan, also without differences, with every digit", async () => {
    const { stdout } = await demo("plan -o json");
    expect(stdout).toContain('"before": 340282366920938463463374607431768211455,');
    expect(JSON.parse((await demo("plan -f same.json -o json")).stdout)).toMatchObject({
      format: 1,
      server: "http://demo.localhost",
      files: ["same.json"],
      changes: [],
      same: 1,
    });
  });

  test("is filtered by --query", async () => {
    expect((await demo("plan -o json --query changes[].id")).stdout).toBe('[\n  "oncall-hook",\n  "polygon-bulk"\n]\n');
    expect((await demo("plan -o tsv --query cannot[].path")).stdout).toBe("signer_id\n");
  });

  test("ends stderr with the error for scripts", async () => {
    const { stderr } = await exited(20, demo("plan -o json"));
    expect(JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      error: { code: "changes", applied: "no", retryable: false },
    });
  });

  test("has the same content as YAML", async () =>
    expect((await demo("plan -f moved.json -o yaml")).stdout).toContain("files:\n  - moved.json\n"));
});

describe("flags of plan", () => {
  test("-q leaves stderr empty", async () => {
    expect(await demo("plan -q")).toMatchObject({ stderr: "", exitCode: 20 });
    expect((await demo("plan -q -f same.json")).stderr).toBe("");
  });

  test.each([
    ["--fields id -o json", "--fields: selects columns of -o tsv, csv, and ndjson; use --query for others"],
    ["-o raw", "-o: raw is the response to one request, and this needs several"],
    ["-o markdown --query changes", "--query: cannot be combined with -o markdown"],
    ["-f same.json --file=", "--file: needs a file name, or - for stdin"],
    ["--where id=x", "unknown option '--where'"],
    ["same.json", 'unexpected argument "same.json": this command takes no arguments'],
  ])("%s is refused", (flags, message) =>
    exitedSaying({ exitCode: 2, stdout: "", requests: [] }, demo(`plan ${flags}`), message),
  );

  test("markdown is a format of plan and drift only", async () => {
    const { stderr } = await exited(2, demo("relayers list -o markdown"));
    expect(stderr).toContain("-o markdown: is a format of `relayctl plan` and `relayctl drift` only");
  });

  test("--dry-run and --curl show the lists that it reads", async () => {
    const { stdout, requests } = await demo("plan -f same.json --dry-run");
    expect(requests).toEqual([]);
    expect(stdout).toBe(`GET /api/v1/notifications\nauthorization: Bearer $\{RELAYCTL_TOKEN:?}\n`);
    expect((await demo("plan -f same.json --curl")).stdout).toMatch(/^curl .*\/api\/v1\/notifications/);
  });

  test("several files are read together, and stdin once", async () => {
    const files = { ...FILES, "more.json": '{"signers":[]}' };
    const typed = await demo("plan -f same.json more.json -o json", { files });
    expect(JSON.parse(typed.stdout).files).toEqual(["same.json", "more.json"]);
    const repeated = await demo("plan -f same.json -f more.json -o json", { files });
    expect(JSON.parse(repeated.stdout).files).toEqual(["same.json", "more.json"]);
    const piped = await exited({ exitCode: 0, stdout: "" }, demo("plan -f -", { stdin: SAME }));
    expect(piped.stderr).toContain("stdin matches the service: 1 resource\n");
    expect((await demo("plan -f - -f -", { stdin: SAME })).stderr).toContain("stdin can be read only once");
    expect((await demo("plan -f -", { stdin: MOVED })).stderr).not.toContain("next:");
  });

  test("several contexts are refused, since files describe one service", async () => {
    const config = { version: 1, contexts: { eu: { server: SERVER }, us: { server: SERVER } } } as const;
    expect(await cli("plan -c eu,us -f same.json", { env: {}, files: FILES, config })).toMatchObject({
      exitCode: 2,
      requests: [],
    });
  });
});

test("reads each list once, and writes nothing", async () => {
  const { requests, writes } = await demo("plan");
  expect(writes).toEqual([]);
  const lists = requests.map(({ target }) => target.split("?")[0]);
  expect(lists.filter((path) => path?.endsWith("/relayers"))).toHaveLength(1);
  expect(lists.filter((path) => path?.endsWith("/notifications"))).toHaveLength(1);
});

test("files are read before anything is sent, and every problem is reported", async () => {
  const files = { "a.json": '{"notifications":[{"id":"x"}]}', "b.json": "{" };
  const ran = await exited({ exitCode: 2, stdout: "", requests: [] }, demo("plan -f a.json b.json", { files }));
  expect(ran.stderr).toContain("a.json:1:19");
  expect(ran.stderr).toContain("b.json");
});

test("differences are a notice in GitHub Actions, not an error", async () => {
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, GITHUB_ACTIONS: "true" };
  const { stderr } = await cli("plan -f moved.json", { env, files: FILES });
  expect(stderr).toContain("::notice title=relayctl plan%3A changes (exit code 20)::Plan: 0 to create, 1 to change");
  expect(stderr).not.toContain("::error");
});

describe("drift", () => {
  test("prints nothing without differences, in every format", async () => {
    for (const format of ["table", "tsv", "json", "yaml", "markdown", "name"]) {
      const { stdout, stderr, exitCode } = await demo(`drift -f same.json -o ${format}`);
      expect({ format, stdout, stderr, exitCode }).toEqual({ format, stdout: "", stderr: "", exitCode: 0 });
    }
  });

  test("prints the differences as plan does, without a next step", async () => {
    const drift = await demo("drift -f moved.json");
    expect(drift).toMatchObject({ exitCode: 20, stdout: (await demo("plan -f moved.json")).stdout });
    expect(drift.stderr).not.toContain("next");
    expect(JSON.parse((await demo("drift -o json")).stdout).changes).toHaveLength(2);
    expect((await demo("drift -o markdown")).stdout).toContain("### Plan: 1 to create, 1 to change");
    expect((await demo("drift -q")).stderr).toBe("");
  });

  test("counts what is not in the files only with --prune", async () => {
    expect((await demo("drift -o name")).stdout).not.toContain("xlm-treasury");
    expect((await demo("drift -o name --prune")).stdout).toContain("xlm-treasury\n");
  });

  test("ends with another code if it could not compare", async () => {
    const world = { env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN }, files: FILES };
    await ends({ exitCode: 4, stdout: "" }, "drift -f same.json", { ...world, service: async () => reply(401, "{}") });
    const failed = await cli("drift -f same.json --retries 0", { ...world, service: async () => reply(500, "{}") });
    expect(failed).toMatchObject({ exitCode: 9, stdout: "" });
    expect(await cli("drift -f none.json", world)).toMatchObject({ exitCode: 2, stdout: "", requests: [] });
    expect(await cli("drift -f same.json", { env: {}, files: FILES })).toMatchObject({ exitCode: 2, stdout: "" });
  });
});
