import { allCommands } from "../../src/cli/all-commands.ts";
import { validChoice } from "../../src/cli/choices.ts";
import { cli, ends, SERVER, TOKEN } from "../helpers/cli.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";

async function refused(line: string | readonly string[]): Promise<string> {
  const ran = await ends({ exitCode: 2, stdout: "", requests: [] }, line, { stdin: "{}" });
  return ran.stderr;
}

describe("a flag", () => {
  test.each([
    ["relayers update r1 --name a --name b", "--name: specified twice"],
    ["relayers list -o json --output json", "--output: specified twice"],
    ["-c a relayers list -c b", "--context: specified twice"],
    ["tx replace r t --value 1 --value 1", "--value: specified twice"],
    ["relayers update r1 --paused --no-paused", "--paused: cannot be combined with --no-paused"],
    ["relayers update r1 --no-name --name x", "--name: cannot be combined with --no-name"],
    ["relayers list --headers --no-headers", "--headers: cannot be combined with --no-headers"],
    ["tx replace r t --value 1 --fee-bump --no-fee-bump", "--fee-bump: cannot be combined with --no-fee-bump"],
    [
      "relayers update r1 --name --paused",
      "--name: needs a value, but --paused is a flag; to use it as the value, write --name=--paused",
    ],
    ["relayers update r1 --name --yes", "--name: needs a value, but --yes is a flag"],
    ["relayers list -c --demo", "-c: needs a value, but --demo is a flag"],
    ["relayers list -vc -q", "-vc: needs a value, but -q is a flag"],
    ["relayers update r1 --name", "option '--name <text>' argument missing"],
    ["relayers list --wher paused", "unknown option '--wher'\n  did you mean --where?"],
    ["relayers list --jsno", "did you mean --json?"],
    ["notifications create --signing-key x", "unknown option '--signing-key'\n  did you mean --signing-key-file?"],
    ["tx send a --create x", "unknown option '--create'\n  hint: relayctl tx send --help\n"],
    ["relayers list --paused", "unknown option '--paused'\n  to filter by it, use --where paused\n"],
    ["tx list --gas-limit 4", "unknown option '--gas-limit'\n  to filter by it, use --where gas_limit\n"],
    [
      "relayers get --limit 3 x",
      "unknown option '--limit'\n  --limit is a flag of: relayers list, tx list, notifications list, ",
    ],
    [
      "propose relayers update r1 --policy a=1",
      "unknown option '--policy'\n  -- goes before the proposed command: relayctl propose -- relayers update --policy …\n",
    ],
    [
      "tx stuck --watch",
      "unknown option '--watch'\n  --watch is a flag of: tx list, tx get, relayers list, relayers status",
    ],
    ["relayers list --node x", "--node is a flag of: "],
    ["networks get x --weight 3", "unknown option '--weight'\n  hint: relayctl networks get --help"],
    ["relayers list --json -o csv", "--json: cannot be combined with -o csv"],
    ["relayers list -o jsno", "--output jsno: one of table, json, ndjson, yaml, csv, tsv, name, raw"],
    ["relayers list --color sometimes", "--color sometimes: one of auto, always, never"],
  ])("%s", async (line, words) => expect(await refused(line)).toContain(words));

  test("may be repeated if it takes several values or none", async () =>
    expect((await cli("relayers list --where paused --where '!system_disabled' -q -q --json")).exitCode).toBe(0));

  test("is accepted before, between, and after the words of the command", async () => {
    for (const line of [
      "-o name relayers list",
      "relayers -o name list",
      "relayers list -oname",
      "-qo name relayers list",
    ]) {
      expect((await cli(line)).stdout.split("\n")[0]).toBe("base-hot");
    }
  });

  test.each(["-oldest", "-name", "-created_at", "-verdict"])(
    "takes the order %s, which begins like a common flag",
    async (order) => {
      const ran = await cli(["relayers", "list", "--sort", order]);
      expect(ran.stderr).toBe((await cli(["relayers", "list", `--sort=${order}`])).stderr);
      expect(ran.stderr).not.toContain("argument missing");
    },
  );

  test("is refused as an order", async () => {
    expect(await refused("relayers list --sort -o json")).toContain("--sort: needs a value, but -o is a flag");
    expect(await refused("relayers list --sort -ojson")).toContain("--sort ojson: unknown field");
  });

  test("takes a value that looks like a flag after an equals sign", async () =>
    expect((await cli("relayers update eth-main-1 --name=--paused")).writes[0]?.body).toBe('{"name":"--paused"}'));
});

describe("a flag before its command", () => {
  test.each([
    ["--limit 3 relayers list", "--limit", "relayers list"],
    ["--limit=3 relayers list", "--limit", "relayers list"],
    ["relayers --limit 3 list", "--limit", "relayers list"],
    ["-o name --limit 3 relayer ls", "--limit", "relayers list"],
    ["--port 0 serve", "--port", "serve"],
  ])("%s", async (line, flag, command) => {
    expect(await refused(line)).toBe(
      `error: option '${flag}' goes after the command\n  relayctl ${command} ${flag} …\n  hint: relayctl ${command} --help\n`,
    );
  });

  test("is an unknown flag if the command does not have it", async () => {
    expect(await refused("--nope 3 relayers list")).toContain("unknown command '3'");
    expect(await refused("relayers --nope list")).toContain("unknown option '--nope'");
  });
});

describe("an alias", () => {
  test.each([
    ["relayer ls -o name", "relayers list -o name"],
    ["-o name relayer -q ls", "-o name relayers -q list"],
    ["notification get ops-hook", "notifications get ops-hook"],
    ["network ls", "networks list"],
    ["transaction ls eth-main-1", "tx list eth-main-1"],
    ["ctx", "context"],
    ["ctx ls", "context list"],
    ["notification rm ops-hook --dry-run", "notifications delete ops-hook --dry-run"],
    ["help relayer ls", "help relayers list"],
    ["help ctx", "help context"],
    ["relayer --help", "relayers --help"],
  ])("%s", async (line, full) => {
    const [short, long] = [await cli(line), await cli(full)];
    expect(short).toMatchObject({ exitCode: long.exitCode, stdout: long.stdout, stderr: long.stderr });
    expect(long.exitCode).toBe(full === "context" ? 2 : 0);
  });

  test("of a verb that a noun does not have is reported as typed", async () =>
    expect(await refused("tx rm eth-main-1")).toContain("unknown command 'rm'"));
});

describe("a secret in argv is never echoed", () => {
  test.each([
    [["relayers", "list", "--token", "SECRET-VALUE"]],
    [["relayers", "list", "--token=SECRET-VALUE"]],
    [["relayers", "list", "--token=it's SECRET-VALUE'"]],
    [["relayers", "list", "--toke=SECRET-VALUE"]],
    [["relayers", "list", "--access-token=SECRET-VALUE\nSECRET-VALUE"]],
    [["relayers", "list", "-tSECRET-VALUE"]],
    [["notifications", "create", "--signing-key=SECRET-VALUE"]],
    [["auth", "login", "--token=SECRET-VALUE"]],
    [["--token=SECRET-VALUE"]],
  ])("%j", async (argv) => {
    for (const output of [[], ["-o", "json"]]) {
      const told = await refused([...argv, ...output]);
      expect(told).not.toContain("SECRET-VALUE");
    }
  });

  test("for which --token has an explanation", async () =>
    expect(await refused("relayers list --token x")).toBe(
      "error: --token: is not supported: other users could read the token in the process list\n" +
        "  hint: use RELAYCTL_TOKEN, --token-file FILE or relayctl auth login\n",
    ));
});

describe("an argument", () => {
  test.each([
    ["relayers get", "missing required argument 'ids'"],
    ["tx replace r1 --value 1", "missing required argument 'tx-id'"],
    ["tx cancel r1 t1 b", 'unexpected argument "b": this command takes <relayer-id> <tx-id>'],
    ["relayers list a", 'unexpected argument "a": this command takes no arguments\n'],
    ["plan a.yaml", 'unexpected argument "a.yaml": this command takes no arguments (did you mean --file?)'],
    ["alerts rules", 'unexpected argument "rules": this command takes no arguments\n'],
    ["alerts grafana", 'unexpected argument "grafana": this command takes no arguments (did you mean --for?)'],
    ["signers create k", 'unexpected argument "k": this command takes no arguments (did you mean --id?)'],
    ["serve 8080", 'unexpected argument "8080": this command takes no arguments (did you mean --port?)'],
    [
      "relayers update r1 --paused false",
      'unexpected "false": a flag such as --paused takes no value; use --no-paused',
    ],
    ["relayers update --paused false", 'unexpected "false": a flag such as --paused takes no value; use --no-paused'],
    ["relayers pause true", 'unexpected "true": a flag such as --paused takes no value'],
    ["relayers pause ''", "<id> (empty): is empty"],
    ["relayers pause .", "<id> .: would change the path of the request"],
    ["relayers pause a/b", "<id> a/b: contains a slash or a control character"],
    ["relayers update - -f -", "-: stdin can be read only once per command"],
    ["relayers update - -f-", "-: stdin can be read only once per command"],
    ["relayers update r1 -f - --policies=-", "-: stdin can be read only once per command"],
    ["relayers pause - --token-file -", "-: stdin can be read only once per command"],
  ])("%s", async (line, words) => expect(await refused(line)).toContain(words));

  test("with a control character is shown by its code point", async () => {
    expect(await refused(["relayers", "pause", "a\u001b[2Jb"])).toContain(
      "<id> a\\u{1b}[2Jb: contains a slash or a control character",
    );
    expect(await refused(["relayers", "pause", "a\nb"])).toContain("a\\u{a}b");
    expect(JSON.parse(await refused(["relayers", "pause", "a\u0000b", "-o", "json"])).error.details[0].where).toBe(
      "<id>",
    );
  });

  test("with special characters is percent-encoded in the path", async () =>
    expect((await cli(["relayers", "get", "ä b?#%;&\\"])).requests[0]?.target).toBe(
      "/api/v1/relayers/%C3%A4%20b%3F%23%25%3B%26%5C",
    ));

  test("is never a flag after --", async () =>
    expect((await cli(["relayers", "get", "--", "--yes"])).requests[0]?.target).toBe("/api/v1/relayers/--yes"));

  test("reads an ID from stdin if it is -", async () => {
    const ran = await cli("relayers pause -", { stdin: "eth-main-1\r\n" });
    expect(ran.writes[0]?.target).toBe("/api/v1/relayers/eth-main-1");
  });
});

const WITH_ARGUMENTS = (await allCommands()).flatMap(([path, { args = [] }]) =>
  args.map((_, empty) => ({ path, words: args.map((argument, index) => (index === empty ? "" : argument.name)) })),
);

/** Commands that report the empty name as unknown. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  ...{ "context use": 5, "context delete": 5, "label delete": 5 },
  validate: 13,
};

/** A variable that a script forgot to set, in quotes: it must not select the newest, the only, or every one. */
test.each(WITH_ARGUMENTS)("$path refuses an empty word in $words", async ({ path, words }) => {
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "journal" };
  const journal = memoryJournal();
  await cli("relayers pause eth-main-1", { env, journal });
  const ran = await cli([...path.split(" "), ...words], { env, journal });
  expect(ran).toMatchObject({ exitCode: EXIT_CODES[path] ?? 2, requests: [] });
  expect(ran.stderr).not.toContain("several IDs");
});

describe("a choice", () => {
  const NAME = "RELAYCTL_COLOR";
  const WORDS = ["auto", "always", "never"] as const;

  test("returns a known value", () => expect(validChoice({ [NAME]: "never" }, NAME, WORDS)).toBe("never"));

  test("returns nothing if the variable is unset or empty", () => {
    expect(validChoice({}, NAME, WORDS)).toBeUndefined();
    expect(validChoice({ [NAME]: "" }, NAME, WORDS)).toBeUndefined();
  });

  test("rejects another value, and lists the known ones", () =>
    expect(() => validChoice({ [NAME]: "sometimes" }, NAME, WORDS)).toThrow(
      "RELAYCTL_COLOR sometimes: one of auto, always, never",
    ));
});
