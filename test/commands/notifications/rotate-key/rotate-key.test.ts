import { RelayctlError } from "../../../../src/errors.ts";
import { cli, ends, exits, inProd, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { CANARY_KEY, GENERATED_KEY } from "../../../helpers/scan.ts";
import { success } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";

const ROTATE = "notifications rotate-key ops-hook";
const GENERATE = `${ROTATE} --generate --key-out new.key`;
const FROM_FILE = `${ROTATE} --signing-key-file new.key`;
const files = { "new.key": `${CANARY_KEY}\n`, "old.key": "the-old-key-of-more-than-32-characters\n" };

const HOOK = { id: "ops-hook", type: "webhook", url: "https://hooks.example.org/relayers/ops", has_signing_key: true };
const PATCH = { method: "PATCH", target: "/api/v1/notifications/ops-hook" };

describe("a generated key", () => {
  test("is written to its file before it is sent, and printed nowhere", async () => {
    const created = new Map<string, string>();
    const onDisk: boolean[] = [];
    const service: World["service"] = async ({ method }) => {
      if (method === "PATCH") onDisk.push(created.has("new.key"));
      return success(HOOK);
    };
    const ran = await cli(`${GENERATE} --yes -vv`, { created, service });
    expect(ran).toMatchObject({ exitCode: 0, writes: [{ ...PATCH, body: `{"signing_key":"${GENERATED_KEY}"}` }] });
    expect(onDisk).toEqual([true]);
    expect([...created]).toEqual([["new.key", GENERATED_KEY]]);
  });

  test("is not sent if the disk is full", async () => {
    const ran = await ends({ exitCode: 74, stdout: "", writes: [] }, `${GENERATE} --yes`);
    expect(ran.stderr).toBe("error: new.key: cannot be written: the disk is full\n  nothing was sent\n");
  });

  test("does not replace a file, whose key the next command uses", async () => {
    const existing = Object.assign(new Error("exists"), { code: "EEXIST" });
    const refused = new RelayctlError("usage", "new.key: cannot be written", { cause: existing });
    const created = new Map<string, string>();
    created.set = () => {
      throw refused;
    };
    const ran = await ends({ exitCode: 2, writes: [] }, `${GENERATE} --yes`, { created });
    expect(ran.stderr).toContain(
      `  nothing was sent\n  hint: relayctl notifications rotate-key ops-hook --signing-key-file new.key\n`,
    );
  });

  test("stays in its file if the service refuses it, and the hint uses the file", async () => {
    const created = new Map<string, string>();
    const service: World["service"] = async ({ method }) =>
      method === "PATCH"
        ? { status: 400, headers: {}, body: new TextEncoder().encode('{"success":false,"error":"no"}') }
        : success(HOOK);
    const ran = await exits(7, `${GENERATE} --yes`, { created, service });
    expect(ran.stderr).toContain("  the new key stays in new.key; the service does not use it\n");
    expect(ran.stderr).toContain("  hint: relayctl notifications rotate-key ops-hook --signing-key-file new.key\n");
    expect(created.size).toBe(1);
  });

  test("is not written for an unknown notification", async () => {
    const created = new Map<string, string>();
    const ran = await cli("notifications rotate-key nope --generate --key-out new.key --yes", { created });
    expect(ran).toMatchObject({ exitCode: 5, writes: [] });
    expect(created.size).toBe(0);
  });

  test.each(["--dry-run", "--curl"])("is not written with %s, which shows a variable", async (flag) => {
    const created = new Map<string, string>();
    const ran = await ends({ exitCode: 0, requests: [] }, `${GENERATE} ${flag}`, { created });
    expect(ran.stdout).toMatch(/\$\{SIGNING_KEY:\?\}/);
    expect(ran.stderr).toContain("note: no key was written to new.key; SIGNING_KEY stands for a generated key\n");
    expect(created.size).toBe(0);
  });

  test("is not written in read-only mode, nor without consent", async () => {
    const created = new Map<string, string>();
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_READONLY: "1" };
    expect(await cli(`${GENERATE} --yes`, { created, env })).toMatchObject({ exitCode: 3, requests: [] });
    expect(await cli(GENERATE, { created })).toMatchObject({ exitCode: 3, requests: [] });
    expect(created.size).toBe(0);
  });
});

describe("the question", () => {
  test("comes once the key is on the disk, and shows what is needed of the receiver", async () => {
    const created = new Map<string, string>();
    const ran = await cli(GENERATE, { created, terminal: true, answers: [true] });
    expect(ran.questions).toEqual([expect.stringMatching(/^Rotate the signing key of notification ops-hook in .+\?$/)]);
    const lines = ran.stderr.split("\n");
    expect(lines.slice(1, 6)).toEqual([
      "  url          https://hooks.example.org/relayers/ops",
      "  signing key  set → another",
      "  new key      in new.key, for the receiver",
      "deliveries will be signed only with the new key: the receiver must already accept it, next to the old one",
      "an event that the receiver refuses is lost after 5 attempts, within 22 to 44 s",
    ]);
    expect(ran.exitCode).toBe(0);
  });

  test("keeps the file of the new key if it is declined", async () => {
    const created = new Map<string, string>();
    const ran = await ends({ exitCode: 3, writes: [] }, GENERATE, { created, terminal: true, answers: [false] });
    expect(ran.stderr).toContain(
      "Canceled. Nothing was sent.\n  the new key stays in new.key; the service does not use it\n" +
        "  hint: relayctl notifications rotate-key ops-hook --signing-key-file new.key\n",
    );
    expect(created.size).toBe(1);
  });

  test("must be confirmed by typing the name of a protected context", async () => {
    const world: World = { files, ...inProd({ protected: true }) };
    expect(await cli(`${FROM_FILE} --yes`, world)).toMatchObject({ exitCode: 3, requests: [] });
    expect(await cli(`${FROM_FILE} --confirm prod`, world)).toMatchObject({ exitCode: 0, writes: [PATCH] });
    const typed = await cli(FROM_FILE, { ...world, terminal: true, answers: ["prod"] });
    expect(typed.questions).toEqual([
      'Rotate the signing key of notification ops-hook in prod? Type "prod" to confirm:',
    ]);
    expect(typed.exitCode).toBe(0);
  });
});

describe("the receipt", () => {
  test("says how long the receiver must accept both keys", async () => {
    const ran = await cli(`${FROM_FILE} --yes`, { files });
    expect(ran.stderr.split("\n").slice(1)).toEqual([
      `applied in ${SERVER}: new signing key for ops-hook`,
      "from now on the new key signs every attempt, also the retries of earlier events",
      "attempts in progress still have the old signature, and the service gives them no time limit",
      "accept both keys for 44 s, and until open requests end",
      "cannot be undone: the previous signing key cannot be read",
      "",
    ]);
  });

  test("goes back with the file of the old key", async () => {
    const ran = await cli(`${FROM_FILE} --old-key-file old.key --yes`, { files });
    expect(ran.stderr).toContain(
      "\nsee: relayctl webhooks listen --signing-key-file new.key --signing-key-file old.key\n",
    );
    expect(ran.stderr).toMatch(/\nundo: relayctl notifications rotate-key ops-hook --signing-key-file old\.key\n$/);
    const undo = /undo: relayctl (.*)\n$/.exec(ran.stderr)?.[1];
    expect((await cli(`${undo} --yes`, { files })).writes[0]?.body).toBe(
      `{"signing_key":"${files["old.key"].trimEnd()}"}`,
    );
  });

  test.each(["", " --old-key-file old.key"])(
    "of a first key needs no old one, and removes the key to undo it%s",
    async (old) => {
      const ran = await cli(`notifications rotate-key audit-log --signing-key-file new.key${old} --yes`, { files });
      expect(ran.stderr.split("\n").slice(1)).toEqual([
        `applied in ${SERVER}: first signing key for audit-log`,
        "from now on the new key signs every attempt, also the retries of earlier events",
        "undo: relayctl notifications update audit-log --remove-signing-key",
        "",
      ]);
    },
  );
});

test("a lost response leaves the outcome open, and the receiver must accept both keys", async () => {
  const created = new Map<string, string>();
  const service: World["service"] = async ({ method }) => {
    if (method === "PATCH") throw lost();
    return success(HOOK);
  };
  const ran = await ends({ exitCode: 11, writes: [PATCH] }, `${GENERATE} --yes`, { created, service });
  expect(ran.stderr).toContain(
    "  until this is settled, the receiver must accept the new key, which is in new.key, and the old one\n" +
      "  setting the same key again does no harm, and settles it\n" +
      "  hint: relayctl notifications rotate-key ops-hook --signing-key-file new.key\n",
  );
});

test("a service that shows no key afterwards is a mismatch", async () => {
  const service: World["service"] = async ({ method }) =>
    success(method === "PATCH" ? { ...HOOK, has_signing_key: false } : HOOK);
  expect(await cli(`${FROM_FILE} --yes`, { files, service })).toMatchObject({ exitCode: 14 });
});

describe("the journal", () => {
  const both = { ...files, "other.key": "another-key-of-more-than-32-characters" };

  test("shows that the new key was the last one already", async () => {
    const world = { files: both, env: recorded(), journal: memoryJournal() };
    await cli(`${FROM_FILE} --yes`, world);
    const again = await exits(0, `${FROM_FILE} --yes`, world);
    expect(again.stderr).toMatch(
      /^note: the new key is the last key that was set from here, on \S+Z \(relayctl history show \S+\)\n/,
    );
    await cli(`${ROTATE} --signing-key-file other.key --yes`, world);
    expect((await cli(`${FROM_FILE} --yes`, world)).stderr).not.toContain("last one");
  });

  test("warns that the old key is not the last one", async () => {
    const world = { files: both, env: recorded(), journal: memoryJournal() };
    await cli(`${ROTATE} --signing-key-file old.key --yes`, world);
    const right = `${FROM_FILE} --old-key-file old.key --yes`;
    expect((await cli(right.replace("old.key", "other.key"), world)).stderr).toMatch(
      /^warning: the key in other\.key is not the last key that was set from here, on \S+Z/,
    );
    await cli(`${ROTATE} --signing-key-file old.key --yes`, world);
    expect((await cli(right, world)).stderr).not.toContain("warning:");
  });

  test("of another service or notification says nothing, and neither does a key that was refused", async () => {
    const world = { files: both, env: recorded(), journal: memoryJournal() };
    await cli(`${FROM_FILE} --yes`, { ...world, env: recorded("http://127.0.0.1:8081") });
    await cli("notifications rotate-key audit-log --signing-key-file new.key --yes", world);
    const refused: World["service"] = async ({ method }) =>
      method === "PATCH" ? { status: 429, headers: {}, body: new Uint8Array() } : success(HOOK);
    await cli(`${FROM_FILE} --yes --retries 0`, { ...world, service: refused });
    expect((await cli(`${FROM_FILE} --yes`, world)).stderr).not.toContain("last one");
  });

  const recorded = (server = SERVER) => ({
    RELAYCTL_SERVER: server,
    RELAYCTL_TOKEN: TOKEN,
    RELAYCTL_JOURNAL: "journal",
  });
});

test.each([
  ["", /^error: notifications rotate-key: needs --generate with --key-out, or --signing-key-file\n/],
  ["--generate", /^error: --key-out: is required: where --generate writes the key\n/],
  ["--key-out new.key", /--key-out: requires --generate/],
  ["--signing-key-file new.key --key-out x", /^error: --key-out: requires --generate\n/],
  ["--generate --key-out -", /^error: --key-out -: needs a file name: a key is never printed\n/],
  ["--generate --key-out ''", /^error: --key-out \(empty\): needs a file name\n/],
  ["--generate --key-out x --signing-key-file new.key", /^error: --generate: cannot be combined with --signing-/],
  ["--signing-key-file new.key --old-key-file new.key", /^error: --old-key-file: is the same key as the new one\n/],
  ["--signing-key-file nope --old-key-file nada", /--old-key-file: cannot be read[\s\S]+--signing-key-file: /],
  ["--signing-key-file empty", /^error: --signing-key-file empty: the file is empty\n/],
  ["--signing-key-file - --old-key-file -", /^error: -: stdin can be read only once per command\n/],
  ["--signing-key-file new.key --generate --key-out -", /2 problems/],
])("bad flags are all reported at once, and nothing is sent: %s", async (flags, problem) => {
  const ran = await cli(`${ROTATE} ${flags} --yes`, { files: { ...files, empty: "\n" } });
  expect(ran).toMatchObject({ exitCode: 2, stdout: "", requests: [] });
  expect(ran.stderr).toMatch(problem);
});

describe("on a terminal", () => {
  const world = (answers: World["answers"], more: World = {}): World => ({
    terminal: true,
    files,
    created: new Map(),
    ...(answers && { answers }),
    ...more,
  });

  test("prompts for the source of the key, and for a new file", async () => {
    const created = new Map<string, string>();
    const ran = await cli(ROTATE, world(["generate a key, and write it to a file", "", true], { created }));
    expect(ran.questions.slice(0, 2)).toEqual(["New signing key:", "Write the new key to:"]);
    expect([...created.keys()]).toEqual([expect.stringMatching(/^ops-hook-\d{4}-\d\d-\d\d\.key$/)]);
    expect(ran.writes).toHaveLength(1);
  });

  test("prints the line without prompts, and after a refusal the line that uses the written key", async () => {
    const answers = ["generate a key, and write it to a file", "a.key"];
    const yes = await cli(`${ROTATE} -yi`, world([...answers, "", "no"]));
    expect(yes.stderr).toContain(`without questions: relayctl ${ROTATE} -y --generate --key-out a.key\n`);
    const no = await cli(ROTATE, world([...answers, false]));
    expect(no.stderr).toMatch(/ {2}hint: relayctl .* --signing-key-file a\.key\n$/);
  });

  test("reads the key from a file, or hidden, and with -i asks for the old one and a test", async () => {
    const file = await cli(ROTATE, world(["read it from a file", "new.key", true]));
    expect(file.writes[0]?.body).toBe(`{"signing_key":"${CANARY_KEY}"}`);
    const hidden = await cli(ROTATE, world(["enter a key (hidden)", CANARY_KEY, true]));
    expect(hidden.writes[0]?.body).toBe(`{"signing_key":"${CANARY_KEY}"}`);
    const old = await cli(`${FROM_FILE} -i`, world(["old.key", "no", true]));
    expect(old.questions.slice(0, 2)).toEqual([
      "File with the current key (Enter skips it):",
      "Send a test delivery first:",
    ]);
    expect(old.stderr).toContain("--signing-key-file old.key");
    await exits(13, `${FROM_FILE} -i --demo`, world(["", "yes", true]));
  });

  test("prompts for nothing while something typed is wrong", () =>
    ends({ exitCode: 2, questions: [], requests: [] }, `${ROTATE} --key-out x`, world([])));
});
