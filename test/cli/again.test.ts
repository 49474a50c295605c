import fc from "fast-check";
import type { Transport } from "../../src/client/transport/transport.ts";
import { cancelError } from "../../src/errors.ts";
import { cli, exited, printedError, type Ran, type World } from "../helpers/cli.ts";
import { runs } from "../helpers/deep.ts";
import { CANARY_KEY } from "../helpers/scan.ts";
import type { ScriptedAnswer } from "../helpers/scripted-prompts.ts";
import { refusal } from "../helpers/service/reply.ts";
import { lost, scriptedService } from "../helpers/service/scripted-service.ts";
import { argvUnder } from "../helpers/shell.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const SPEED = "a speed: the service sets the price";

const at = (line: string, answers: readonly ScriptedAnswer[], world: World = {}) =>
  cli(line, { terminal: true, answers, ...world });

/** The command in the last line, if that repeats the input. */
function again({ stderr }: Pick<Ran, "stderr">): string | undefined {
  return /^ {2}again {4}(.*)\n$/m.exec(stderr.slice(stderr.trimEnd().lastIndexOf("\n") + 1))?.[1];
}

/** A service that has no notification yet. */
const created =
  (post: Transport): Transport =>
  (request, limits) =>
    request.method === "POST" ? post(request, limits) : Promise.resolve(refusal(404, "Notification not found"));

describe("input from prompts is printed as a command, last, after", () => {
  test.each<[string, string, readonly ScriptedAnswer[], string, number?]>([
    [
      "a declined question",
      "tx send eth-main-1",
      [TO, "0.1eth", SPEED, "fast", false],
      `tx send eth-main-1 --to ${TO} --value 0.1eth --speed fast`,
      3,
    ],
    ["Ctrl-C at a question", "tx send eth-main-1", [TO, cancelError("interrupted")], `tx send eth-main-1 --to ${TO}`],
    ["Ctrl-D at a question", "tx send eth-main-1 -i", [TO, cancelError()], `tx send eth-main-1 -i --to ${TO}`, 3],
    [
      "Ctrl-C after a prompt for an argument",
      "relayers delete",
      ["eth-main-2", cancelError("interrupted")],
      "relayers delete eth-main-2",
    ],
    [
      "Ctrl-C within a list",
      "relayers edit eth-main-1",
      [["name", "whitelist_receivers"], "Main", "add", TO, cancelError("interrupted")],
      `relayers update eth-main-1 --name Main --policy 'whitelist_receivers=["${TO}"]'`,
    ],
    [
      "Ctrl-C within a list of URLs, without the key",
      "relayers edit eth-main-1",
      [["rpc urls"], "replace the whole list", "https://a.example/v2/KEY", "7", cancelError("interrupted")],
      `relayers update eth-main-1 --rpc-url "\${RPC_URL_1:?}",weight=7`,
    ],
    [
      "Ctrl-C among the policies of a new relayer",
      "relayers create -i",
      [
        "Hot",
        "evm:sepolia",
        "signer-1",
        "",
        "none",
        ["gas_price_cap", "min_balance"],
        "set it",
        "90gwei",
        cancelError("interrupted"),
      ],
      "relayers create -i --name Hot --network sepolia --network-type evm --signer-id signer-1 --policy gas_price_cap=90gwei",
    ],
    [
      "Ctrl-C at a hidden key",
      "notifications create -i",
      ["https://h.example", "pager", "enter a key", cancelError("interrupted")],
      "notifications create --url https://h.example --id pager --signing-key-file -",
    ],
    [
      "Ctrl-C at a hidden secret",
      "signers create --id hot-3",
      ["plain", cancelError("interrupted")],
      "signers create --id hot-3 --type plain",
    ],
    ["a refusal before sending", "tx send", ["eth-main-2"], "tx send eth-main-2", 6],
    [
      "Ctrl-C at a token",
      "auth login -c eu",
      ["https://relayer.example.org", cancelError("interrupted")],
      "auth login -c eu --server https://relayer.example.org",
    ],
  ])("%s", async (_, line, answers, command, exitCode = 130) => {
    const ran = await exited({ exitCode, writes: [] }, at(line, answers));
    expect(again(ran), ran.stderr).toBe(`relayctl ${command}`);
    expect(ran.stderr).not.toContain("KEY\n");
  });

  test("an error of the service, and never with a secret", async () => {
    const service = scriptedService({ reply: refusal(400, "Invalid url") }).transport;
    const ran = await exited({ exitCode: 7 }, at("notifications create --yes", ["https://h.example"], { service }));
    expect(again(ran)).toBe("relayctl notifications create --yes --url https://h.example");
    const keyed = await at("notifications create -i --id x", ["https://h.example", "enter a key", CANARY_KEY], {
      service: created(async () => refusal(400, "no")),
    });
    expect(again(keyed)).toBe("relayctl notifications create --id x --url https://h.example --signing-key-file -");
  });
});

describe("nothing is printed again", () => {
  test("if the only question was whether to continue", async () => {
    const ran = await exited({ exitCode: 3 }, at("relayers delete eth-main-2", ["no"]));
    expect(ran.stderr).not.toMatch(/^ {2}again /m);
  });

  test("if a response was lost: the request must not be sent twice", async () => {
    const service = created(async () => {
      throw lost();
    });
    const ran = await exited({ exitCode: 11 }, at("notifications create", ["https://h.example"], { service }));
    expect(ran.stderr).not.toMatch(/^ {2}again /m);
  });
});

test("with -o json the command is a member of the error", async () => {
  const ran = await at("tx send eth-main-1 -o json", [TO, "0.1eth", SPEED, "fast", false]);
  expect(JSON.parse(ran.stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    error: { code: "declined", again: `relayctl tx send eth-main-1 -o json --to ${TO} --value 0.1eth --speed fast` },
  });
  const typed = await at(`tx send eth-main-1 -o json --to ${TO} --value 0.1eth --speed fast`, [false]);
  expect(printedError(typed.stderr)).not.toHaveProperty("again");
});

describe("the printed command sends the same body as the prompts:", () => {
  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom("-i", "--", "it's", "a  b", "$HOME", "x\\", "\u200b!"),
  );
  const name = text.filter((typed) => typed.trim() !== "" && !typed.includes("\0") && typed.isWellFormed());

  test("of a transaction", async () => {
    const price = fc.constantFrom<ScriptedAnswer[]>(
      [SPEED, "fastest"],
      ["a max fee and a tip (EIP-1559)", "30gwei", "2gwei"],
      ["a gas price (legacy)", "31.5gwei"],
    );
    const answers = fc.tuple(
      fc.bigInt(0n, 10n ** 16n).map((wei) => [TO, `${wei}wei`]),
      fc.constantFrom(["", ""], ["0xa9059cbb", "65000"]),
      price,
      fc.constantFrom("", "2030-01-31T12:00:00Z"),
    );
    await fc.assert(
      fc.asyncProperty(answers, async ([head, call, paid, until]) => {
        await sameBody("tx send eth-main-1 -i", [...head, ...call, ...paid, until]);
      }),
      runs(2, 400),
    );
  });

  test("of a change to a relayer", async () => {
    const answers = fc.record({ name, cap: fc.integer({ min: 2, max: 900 }), receiver: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(answers, async ({ name, cap, receiver }) => {
        const marked = ["name", "gas_price_cap", ...(receiver ? ["whitelist_receivers"] : [])];
        const list = receiver ? ["add", TO, "", "done"] : [];
        await sameBody("relayers edit eth-main-1", [marked, name, "set another", `${cap}gwei`, ...list]);
      }),
      runs(2, 400),
    );
  });

  test("of a new relayer", () =>
    fc.assert(
      fc.asyncProperty(name, fc.integer({ min: 1, max: 900 }), async (name, cap) => {
        const place = ["evm:sepolia", "signer-1", "new-1", "none"];
        const ran = await at("relayers create -i", [name, ...place, ["gas_price_cap"], "set it", `${cap}gwei`]);
        const line = /^without questions: (.*)$/m.exec(ran.stderr)?.[1] ?? "";
        const typed = await cli(argvUnder("bash", "relayctl", line));
        expect(typed.writes.map(({ body }) => body)).toEqual(ran.writes.map(({ body }) => body));
        expect(ran.writes).toHaveLength(1);
      }),
      runs(1, 200),
    ));
});

async function sameBody(line: string, answers: readonly ScriptedAnswer[]): Promise<void> {
  const [declined, sent] = [await at(line, [...answers, false]), await at(line, [...answers, true])];
  const argv = argvUnder("bash", "relayctl", again(declined) ?? "");
  expect(argv).not.toContain("-i");
  expect((await cli([...argv, "--yes"])).writes.map(({ body }) => body)).toEqual(sent.writes.map(({ body }) => body));
  expect(sent.writes).toHaveLength(1);
}
