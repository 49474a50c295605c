import { createServerState } from "../../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { cancelError } from "../../../src/errors.ts";
import { cli, ends, exited, SERVER, type World } from "../../helpers/cli.ts";
import { createdIn, drawnOutcome, UNDO_LABEL } from "../../helpers/receipts.ts";
import { CANARY_KEY } from "../../helpers/scan.ts";

const OPS = "https://hooks.example.org/relayers/ops";
const LEAVE = "keep it (set, never shown)";
const SET = "set a new key (hidden)";
const REMOVE = "remove it: deliveries will be unsigned";
const TYPED = "enter a key (hidden)";
const NONE = "none: deliveries are sent unsigned";

const answered = (line: string, answers: NonNullable<World["answers"]>, world: World = {}) =>
  cli(line, { terminal: true, answers, ...world });

describe("notifications update -i", () => {
  const UPDATE = "notifications update ops-hook -i";

  test.each([
    ["another URL", ["https://h.example", LEAVE], '{"url":"https://h.example"}'],
    ["another key", ["", SET, CANARY_KEY], `{"signing_key":"${CANARY_KEY}"}`],
    ["no key", ["", REMOVE, true], '{"signing_key":""}'],
    ["both", ["https://h.example", SET, CANARY_KEY], `{"url":"https://h.example","signing_key":"${CANARY_KEY}"}`],
  ])("sends only the changes: %s", async (_, answers, body) => {
    const ran = await exited({ exitCode: 0 }, answered(UPDATE, answers));
    expect(ran.writes.map(({ method, target, body }) => [method, target, body])).toEqual([
      ["PATCH", "/api/v1/notifications/ops-hook", body],
    ]);
  });

  test("shows current values, and rejects invalid values at their prompt", async () => {
    const ran = await exited(0, answered(UPDATE, ["hooks.example.org", "https://h.example", SET, "", CANARY_KEY]));
    expect(ran.questions).toEqual([
      "URL:",
      "  Invalid URL format: an absolute http or https URL, e.g. https://hooks.example.org/relayer",
      "URL:",
      "Signing key:",
      "Signing key (hidden):",
      "  enter a key, e.g. what openssl rand -hex 32 prints",
      "Signing key (hidden):",
    ]);
    expect(ran.offered).toEqual([[LEAVE, SET, REMOVE]]);
  });

  test("prints an equivalent command without the key", async () => {
    const { stderr } = await answered(`${UPDATE} -q`, ["https://h.example", SET, CANARY_KEY]);
    expect(stderr).toBe("");
    const told = await answered(UPDATE.replace("-i", "-yi"), ["https://h.example", SET, CANARY_KEY]);
    const line = "notifications update ops-hook -y --url https://h.example --signing-key-file -";
    expect(told.stderr).toContain(`without questions: relayctl ${line}\n`);
    expect((await cli(line, { stdin: CANARY_KEY })).writes[0]?.body).toBe(told.writes[0]?.body);
  });

  test("exits with 0 and sends nothing if nothing changes", async () => {
    const ran = await answered(UPDATE, [OPS, LEAVE]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: "", stderr: "no changes; nothing was sent\n" });
    expect(ran.writes).toEqual([]);
  });

  test("keeps a URL that no flag would take", async () => {
    const store = memoryStore(
      createServerState({ notifications: [{ id: "ops-hook", type: "webhook", url: "ftp://h" }] }),
    );
    const ran = await answered(UPDATE, ["ftp://h", "keep it (none)"], { store });
    expect(ran).toMatchObject({ exitCode: 0, stderr: "no changes; nothing was sent\n", writes: [] });
  });

  test("does not ask for values from flags", async () => {
    const ran = await exited(
      { exitCode: 0, questions: [expect.stringMatching(/^(?:Create|Update) notification .+\?$/)] },
      answered(`${UPDATE} --url https://h.example --remove-signing-key`, [true]),
    );
    expect(ran.writes[0]?.body).toBe('{"url":"https://h.example","signing_key":""}');
  });

  test("offers no removal if there is no key", async () => {
    await exited(0, answered("notifications update audit-log -i", ["", "keep it (none)"]));
    await expect(answered("notifications update audit-log -i", ["", REMOVE])).rejects.toThrow();
  });

  test("reads nothing in a dry run, and shows the key as a variable", async () => {
    const ran = await exited({ exitCode: 0, requests: [] }, answered(`${UPDATE} --dry-run`, ["", SET, CANARY_KEY]));
    expect(ran.stdout).toContain(`{"signing_key":"${"$"}{SIGNING_KEY:?}"}`);
    expect(ran.questions[0]).toBe("URL (Enter keeps it):");
  });

  test("reports an unknown notification before any question", async () =>
    expect(await answered("notifications update nope -i", [])).toMatchObject({ exitCode: 5, questions: [] }));

  test("is suggested on a terminal if there is nothing to change", async () => {
    expect((await answered("notifications update ops-hook", [])).stderr).toContain(
      "hint: relayctl notifications update ops-hook -i\n",
    );
    expect((await cli("notifications update ops-hook")).stderr).toContain(
      "hint: relayctl notifications update --help\n",
    );
  });
});

describe("notifications create -i", () => {
  test("asks for URL, ID, and key, and keeps the other values after an invalid one", async () => {
    const answers = ["https://h.example", "a b", "ops-hook", "pager", TYPED, "abcde", CANARY_KEY];
    const ran = await exited({ exitCode: 0 }, answered("notifications create -i", answers));
    expect(ran.questions).toEqual([
      "URL:",
      "ID (Enter generates one):",
      "  ID must contain only letters, numbers, dashes and underscores and must be at most 36 characters long, e.g. ops-hook",
      "ID (Enter generates one):",
      "  a notification with the id ops-hook already exists",
      "ID (Enter generates one):",
      "Signing key:",
      "Signing key (hidden):",
      "  needs 32 bytes or more, e.g. what openssl rand -hex 32 prints",
      "Signing key (hidden):",
    ]);
    expect(ran.writes.map(({ body }) => body)).toEqual([
      `{"url":"https://h.example","id":"pager","signing_key":"${CANARY_KEY}"}`,
    ]);
    expect(ran.stderr).toBe(
      "note: the service never returns signing keys, so the new key could not be verified\n" +
        `${drawnOutcome(createdIn(SERVER))}pager\n` +
        `${UNDO_LABEL}relayctl notifications delete pager\n` +
        "without questions: relayctl notifications create --url https://h.example --id pager --signing-key-file -\n",
    );
  });

  test("generates an ID after Enter, and sends no key for none", async () => {
    const ran = await answered("notifications create -i", ["https://h.example", "", NONE]);
    expect(JSON.parse(ran.writes[0]?.body ?? "")).toEqual({
      url: "https://h.example",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test("asks only for a missing URL without -i, and reports it without a terminal", async () => {
    const ran = await answered("notifications create", ["https://h.example"]);
    expect(ran).toMatchObject({ exitCode: 0, questions: ["URL:"] });
    expect(ran.stderr).not.toContain("without questions");
    expect(await cli("notifications create")).toMatchObject({ exitCode: 2, requests: [] });
    expect(await answered("notifications create --no-input", [])).toMatchObject({ exitCode: 2, questions: [] });
  });

  test("warns about values from flags that only the real service rejects, and sends them", async () => {
    const files = { key: "abcde" };
    const ran = await cli(
      ["notifications", "create", "--url", "https://h.example", "--id", "a b", "--signing-key-file", "key"],
      {
        files,
      },
    );
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain("warning: services up to v1.8 refuse the id a b: ID must contain only letters,");
    expect(ran.stderr).toContain("warning: services up to v1.8 refuse a signing key of less than 32 bytes\n");
    expect(ran.stderr).not.toContain("abcde");
    const update = await cli("notifications update ops-hook --signing-key-file key", { files });
    expect(update.writes).toHaveLength(1);
    expect(update.stderr).toContain("warning: services up to v1.8 refuse a signing key");
    const long = await cli("notifications update ops-hook --signing-key-file key", { files: { key: CANARY_KEY } });
    expect(long.stderr).not.toContain("warning");
  });

  test("does not ask for values from a file", async () => {
    const files = { "n.json": `{"url":"https://h.example","id":"x","signing_key":"${CANARY_KEY}"}` };
    expect(await answered("notifications create -i -f n.json", [], { files })).toMatchObject({ exitCode: 0 });
    expect(await answered("notifications create -i -f gone.json", [])).toMatchObject({ exitCode: 2, questions: [] });
  });
});

describe("-i", () => {
  test.each(["notifications create -i", "notifications update ops-hook -i"])(
    "%s exits with 2 without a terminal",
    async (line) => {
      const inCi: World = { terminal: true, env: { CI: "1" } };
      for (const [world, why] of [[{}, "no terminal is attached"] as const, [inCi, "CI rules out prompts"] as const]) {
        const ran = await ends({ exitCode: 2, requests: [], questions: [] }, line, world);
        expect(ran.stderr).toContain(`-i: prompts for values, but ${why}; specify them as flags`);
        const more = await cli(`${line} --url nope -o jsno`, world);
        expect(more.stderr).toContain("error: 3 problems, nothing was sent");
      }
    },
  );

  const stop = cancelError("interrupted");
  test.each([
    ["create, at the ID", "notifications create -i", []],
    ["create, at the id", "notifications create -i", ["https://h.example"]],
    ["create, at the choice of a key", "notifications create -i", ["https://h.example", ""]],
    ["create, at the key", "notifications create -i", ["https://h.example", "", TYPED]],
    ["update", "notifications update ops-hook -i", []],
    ["update, at the choice of a key", "notifications update ops-hook -i", [""]],
    ["update, at the key", "notifications update ops-hook -i", ["", SET]],
    ["update, at the confirmation", "notifications update ops-hook -i", ["", REMOVE]],
  ])("Ctrl-C at %s exits with 130, and nothing is sent", async (_, line, before) => {
    expect(await answered(line, [...before, stop])).toMatchObject({ exitCode: 130, writes: [] });
  });
});
