import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, exits, SERVER, type World } from "../../helpers/cli.ts";
import { createdIn, UNDO } from "../../helpers/receipts.ts";
import { refusal, reply, wholeList } from "../../helpers/service/reply.ts";

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

  test("reads an ID from stdin", async () => {
    expect((await cli("notifications get - --fields id", { stdin: "ops-hook\n" })).stdout).toBe("id\tops-hook\n");
    expect((await cli("notifications get - --fields id", { stdin: "ops-hook\naudit-log\n" })).stdout).toBe(
      "ops-hook\naudit-log\n",
    );
    expect(await cli("notifications get -", { stdin: "\n" })).toMatchObject({ exitCode: 2, requests: [] });
    expect(await cli("notifications get -", { terminal: true })).toMatchObject({ exitCode: 2, requests: [] });
  });
});
