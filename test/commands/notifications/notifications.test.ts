import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits, SERVER, says, type World } from "../../helpers/cli.ts";
import { appliedIn, createdIn, deletedIn, UNDO } from "../../helpers/receipts.ts";
import { refusal, reply, success, wholeList } from "../../helpers/service/reply.ts";

const KEY = "a-signing-key-of-more-than-32-characters";

async function body(line: string, world: World = {}): Promise<string | undefined> {
  const ran = await exits(0, line, { files: { key: `${KEY}\n` }, ...world });
  expect(ran.stdout + ran.stderr).not.toContain(KEY);
  return ran.writes[0]?.body;
}

describe("the key is kept, set, or removed by three separate flags", () => {
  test("without a flag, the key stays", async () =>
    expect(await body("notifications update ops-hook --url https://h.example")).toBe('{"url":"https://h.example"}'));

  test("with --remove-signing-key, the key is removed", async () =>
    expect(await body("notifications update ops-hook --remove-signing-key --yes")).toBe('{"signing_key":""}'));

  test.each([
    ["--signing-key-file key", {}],
    ["--signing-key-file -", { stdin: `${KEY}\r\n` }],
    ["--signing-key-file - at a terminal", { terminal: true, answers: [KEY] }],
  ])("with %s, the key is set", async (flags, world: World) => {
    expect(await body(`notifications update ops-hook ${flags.replace(/ at .*/, "")}`, world)).toBe(
      `{"signing_key":"${KEY}"}`,
    );
  });

  test("a removal that the response does not show is not confirmed", () => {
    const service: Transport = async () => success({ id: "ops" });
    const line = "notifications update ops --remove-signing-key --yes";
    return says(0, line, "note: not confirmed by the response: has_signing_key\n", { service });
  });

  test("drops only one final line break", async () =>
    expect(await body("notifications update ops-hook --signing-key-file -", { stdin: `${KEY}\n\n` })).toBe(
      JSON.stringify({ signing_key: `${KEY}\n` }),
    ));

  test("rejects an empty key at the prompt, which never removes the key", async () => {
    const ran = await cli("notifications update ops-hook --signing-key-file -", { terminal: true, answers: ["", KEY] });
    expect(ran.questions[1]).toBe("  enter a key, e.g. what openssl rand -hex 32 prints");
    expect(ran.writes[0]?.body).toBe(`{"signing_key":"${KEY}"}`);
  });

  test("sends null from a file as null, which keeps the key", async () => {
    expect(await body("notifications update ops-hook -f b", { files: { b: '{"signing_key":null}' } })).toBe(
      '{"signing_key":null}',
    );
    const files = { b: '{"type":null,"url":null,"signing_key":null}' };
    expect(await body("notifications update ops-hook -f b", { files })).toBe('{"signing_key":null}');
  });
});

const NOT_DELIVERED = [
  "",
  "ftp://h/x",
  "javascript:alert(1)",
  "mailto:a@b",
  "http://",
  "https://a b",
  "//h/x",
  "ws://h",
];

test.each(NOT_DELIVERED)("a URL that nothing is delivered to is refused, from a flag or a file: %j", async (url) => {
  const files = { b: JSON.stringify({ url }) };
  for (const line of ["create", "update ops-hook"]) {
    for (const from of [
      ["--url", url],
      ["-f", "b"],
    ]) {
      const ran = await ends({ exitCode: 2, requests: [] }, ["notifications", ...line.split(" "), ...from], { files });
      expect(ran.stderr.split("an absolute http or https URL")).toHaveLength(2);
    }
  }
});

describe("notifications create", () => {
  test("sends the specified fields and a generated ID", async () => {
    const sent = await body("notifications create --url https://h.example --type webhook --signing-key-file key");
    expect(JSON.parse(sent ?? "")).toEqual({
      url: "https://h.example",
      type: "webhook",
      signing_key: KEY,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("accepts null in a file as absent (recorded: create nulls)", async () => {
    const files = { b: '{"id":null,"type":null,"signing_key":null,"url":"https://h.example"}' };
    expect(JSON.parse((await body("notifications create -f b", { files })) ?? "")).toEqual({
      url: "https://h.example",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("first checks whether an ID from the user exists", async () => {
    const ran = await cli("notifications create --url https://h.example --id ops-hook");
    expect(ran.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/notifications/ops-hook",
    ]);
    expect(ran).toMatchObject({
      exitCode: 6,
      stderr:
        "error: a notification with the id ops-hook already exists\n  nothing was sent\n  hint: relayctl notifications get ops-hook\n",
    });
    expect(await cli("notifications create --url https://h.example --id new")).toMatchObject({
      exitCode: 0,
      stderr: `${createdIn(SERVER)}new\n${UNDO}relayctl notifications delete new\n`,
    });
    expect((await cli("--demo notifications create --url https://h.example --id new")).stderr).toBe(
      `${createdIn("demo")}new\n${UNDO}relayctl --demo notifications delete new\n`,
    );
  });

  test("checks the list of a service that cannot return a single notification", async () => {
    const service: Transport = async ({ target }) =>
      target.startsWith("/api/v1/notifications?") ? wholeList([{ id: "mine" }]) : refusal(404, "Not found");
    expect(await cli("notifications create --url https://h.example --id mine", { service })).toMatchObject({
      exitCode: 6,
      writes: [],
    });
  });

  test("reads the outcome back by the generated ID after a lost response, with a warning", async () => {
    let stored = "";
    const service: Transport = async ({ method, body = "" }) => {
      if (method === "GET") return reply(200, `{"success":true,"data":${stored}}`);
      stored = body;
      return reply(502, "");
    };
    const ran = await exits(0, "notifications create --url https://h.example", { service });
    expect(ran.stderr).toContain(
      "warning: the service responded with 502; reading it back from the service proved that it was applied\n",
    );
  });

  test("leaves the outcome unknown after a lost response if the ID is from the user", async () => {
    let looks = 0;
    const service: Transport = async ({ method, body = "" }) => {
      if (method !== "GET") return reply(502, body);
      const missing = '{"success":false,"data":null,"message":"Notification with ID \'mine\' not found"}';
      return looks++ < 2
        ? reply(404, missing)
        : reply(200, '{"success":true,"data":{"id":"mine","url":"https://h.example"}}');
    };
    const ran = await exits(11, "notifications create --url https://h.example --id mine", { service });
    expect(ran.stderr).toContain("hint: relayctl notifications get mine\n");
  });
});

describe("reading notifications", () => {
  test("prints documented columns as tsv", async () =>
    expect((await cli("notifications list")).stdout).toBe(
      "audit-log\twebhook\thttps://audit.example.org/relayer-events\tfalse\n" +
        "ops-hook\twebhook\thttps://hooks.example.org/relayers/ops\ttrue\n" +
        "treasury-hook\twebhook\thttps://hooks.example.org/relayers/treasury\ttrue\n",
    ));

  test("prints one notification as a block on a terminal", async () => {
    const ran = await cli("notifications get ops-hook --color never", { terminal: true });
    expect(ran.stdout).toBe(
      "id             ops-hook\ntype           webhook\nurl            https://hooks.example.org/relayers/ops\nsigning key    set, never shown\n",
    );
  });

  test.each([
    [{}, "signing key    –"],
    [{ has_signing_key: "yes" }, "has_signing_key    yes"],
  ])("does not say that there is no signing key if it is unknown: %j", async (key, line) => {
    const service = async () => success({ id: "ops", type: "webhook", url: "https://hooks.example.org", ...key });
    const { stdout } = await cli("notifications get ops --color never", { service, terminal: true, isMalformed: true });
    expect(stdout).toContain(`${line}\n`);
    expect(stdout).not.toContain("none");
  });

  test("reads an ID from stdin", async () => {
    expect((await cli("notifications get - --fields id", { stdin: "ops-hook\n" })).stdout).toBe("id\tops-hook\n");
    expect((await cli("notifications get - --fields id", { stdin: "ops-hook\naudit-log\n" })).stdout).toBe(
      "ops-hook\naudit-log\n",
    );
    expect(await cli("notifications get -", { stdin: "\n" })).toMatchObject({ exitCode: 2, requests: [] });
    expect(await cli("notifications get -", { terminal: true })).toMatchObject({ exitCode: 2, requests: [] });
  });
});

describe("notifications delete", () => {
  test("deletes with --yes, and reports the notification and the service", async () => {
    const { stdout, stderr, writes } = await exits(0, "notifications delete audit-log --yes -o json");
    expect(stdout).toBe('{\n  "id": "audit-log",\n  "deleted": true\n}\n');
    expect(stderr).toMatch(new RegExp(`^${deletedIn(".*")}notification audit-log\nthis cannot be undone\n$`));
    expect(writes.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "DELETE /api/v1/notifications/audit-log",
    ]);
  });

  test("prints the response with -o raw", async () => {
    const { exitCode, stdout } = await cli("notifications delete audit-log --yes -o raw");
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ success: true })]);
    expect(stdout).not.toContain('deleted":true');
  });

  test("asks on a terminal, and sends nothing after No", async () => {
    const { writes, questions, stderr } = await exits(3, "notifications delete audit-log", {
      terminal: true,
      answers: ["n"],
    });
    expect(questions).toEqual(["Delete notification audit-log in http://127.0.0.1:8080?"]);
    expect(stderr).toContain("no relayer reports to it");
    expect(writes).toEqual([]);
  });

  test("requires --yes without a terminal, before any read", async () => {
    const { requests, stderr } = await exits(3, "notifications delete audit-log");
    expect(requests).toEqual([]);
    expect(stderr).toContain("deleting a notification requires confirmation");
    expect(stderr).toContain("relayctl notifications delete audit-log --yes");
  });

  test("lists the relayers that use the notification, and sends nothing", async () => {
    const { writes, stderr } = await exits(6, "notifications delete treasury-hook --yes");
    expect(stderr).toContain("relayers report to notification treasury-hook: xlm-treasury");
    expect(stderr).toContain("relayctl relayers update xlm-treasury --no-notification-id");
    expect(writes).toEqual([]);
  });

  test("suggests a command for the same service", async () => {
    const { stderr } = await cli("--demo notifications delete treasury-hook --yes");
    expect(stderr).toContain("hint: relayctl --demo relayers update xlm-treasury --no-notification-id\n");
  });

  test.each([
    ["http://proxy.example.org:3128", " --proxy http://proxy.example.org:3128"],
    ["http://user:proxy-password@proxy.example.org:3128", ""],
  ])("suggests a command by the same proxy, unless it has a password: %s", async (proxy, typed) => {
    const { stderr } = await cli(`notifications delete treasury-hook --yes --proxy ${proxy}`);
    expect(stderr).toContain(`hint: relayctl${typed} relayers update xlm-treasury --no-notification-id\n`);
  });

  test("exits with 5 for an unknown notification", async () =>
    expect(await cli("notifications delete nothing --yes")).toMatchObject({ exitCode: 5, stdout: "" }));

  test("shows the request with --dry-run", async () => {
    const { stdout, requests } = await cli("notifications delete audit-log --dry-run");
    expect(stdout.split("\n")[0]).toBe("DELETE /api/v1/notifications/audit-log");
    expect(requests).toEqual([]);
  });
});

const FILES = { key: "a-signing-key-of-more-than-32-characters" };

test.each([
  ["--url https://x.example", "  url  https://hooks.example.org/relayers/ops → https://x.example\n"],
  ["--signing-key-file key", "  signing key  set → another\n"],
  ["--remove-signing-key", "  signing key  set → none\nthe signing key is removed: deliveries will be unsigned\n"],
])("%s --dry-run --diff shows the change, and reads but writes nothing", async (flags, told) => {
  const ran = await cli(`notifications update ops-hook ${flags} --dry-run --diff`, { files: FILES });
  expect(ran).toMatchObject({ exitCode: 0, writes: [] });
  expect(ran.requests.map(({ target }) => target)).toEqual(["/api/v1/notifications/ops-hook"]);
  expect(ran.stderr).toBe(
    `update notification ops-hook in ${SERVER}\n${told}dry run: the current state was read, nothing was changed at ${SERVER}\n`,
  );
});

test("the question shows old and new values", async () => {
  const line = "notifications update ops-hook --remove-signing-key --url https://x.example";
  const ran = await ends({ exitCode: 3, writes: [] }, line, { terminal: true, answers: [false] });
  expect(ran.stderr).toContain(
    "  url          https://hooks.example.org/relayers/ops → https://x.example\n  signing key  set → none\n",
  );
});

test("without --diff and a terminal, nothing is read, and the receipt shows only the new values", async () => {
  const ran = await cli("notifications update ops-hook --url https://x.example --signing-key-file key", {
    files: FILES,
  });
  expect(ran.requests).toHaveLength(1);
  expect(ran.stderr).toContain(`${appliedIn(SERVER)}ops-hook url → https://x.example, signing key → set\n`);
});
