import { contextCandidates, labelCandidates } from "../../src/completion/configured.ts";
import { splitShellLine } from "../../src/completion/shells.ts";
import { OUTPUT_FORMATS } from "../../src/terminal/output-options.ts";
import { fitting, offered, words } from "./offered.ts";

describe("commands", () => {
  test.each([
    ["relayctl rel", ["relayers"]],
    ["relayctl relayers upd", ["update"]],
    ["relayctl --demo -o json relayers upd", ["update"]],
    ["relayctl -ojson -vq relayers upd", ["update"]],
    ["relayctl help relayers upd", ["update"]],
    ["relayctl help he", []],
    ["relayctl help exi", ["exit-codes"]],
    ["relayctl he", ["help"]],
    ["relayctl relayrs upd", []],
    ["relayctl stu", ["stuck"]],
    ["relayctl help unst", ["unstick"]],
    ["relayctl -q stuck --older", ["--older"]],
    ["relayctl bump a --until m", ["mined"]],
    ["relayctl log", ["login", "logout"]],
    ["relayctl relayers updte eth", []],
  ])("%s", async (line, expected) => expect(await fitting(line)).toEqual(expected));

  test("are offered with descriptions, without hidden commands", async () => {
    const { kind, candidates } = await offered("relayctl ");
    expect(kind).toBe("words");
    expect(candidates).toContainEqual({ word: "tx", summary: expect.stringContaining("transactions") });
    expect(candidates.map(({ word }) => word).filter((word) => word.startsWith("_"))).toEqual([]);
  });
});

describe("flags", () => {
  test.each([
    ["relayctl relayers update x --unset", ["--unset-policy"]],
    ["relayctl relayers update x --notif", ["--notification-id"]],
    ["relayctl tx replace a b --sp", ["--speed"]],
    ["relayctl relayers list --cont", ["--context"]],
    ["relayctl relayers update x --diff --di", []],
    ["relayctl relayers update x --no-paused --paus", []],
    ["relayctl relayers update x --policy a=b --pol", ["--policy", "--policies"]],
    ["relayctl relayers update -- --pol", []],
    ["relayctl help relayers update --pol", []],
  ])("%s", async (line, expected) => expect(await fitting(line)).toEqual(expected));

  test("are offered if nothing else is possible", async () => {
    const { candidates } = await offered("relayctl relayers list ");
    expect(candidates.map(({ word }) => word)).toEqual(expect.arrayContaining(["--limit", "--where"]));
    expect(candidates.map(({ word }) => word)).not.toContain("--context");
  });
});

describe("the values of a flag", () => {
  test.each([
    ["relayctl -o ", [...OUTPUT_FORMATS]],
    ["relayctl relayers list -o nd", ["ndjson"]],
    ["relayctl relayers list -vo nd", ["ndjson"]],
    ["relayctl relayers list --output=nd", ["--output=ndjson"]],
    ["relayctl relayers list --color a", ["auto", "always"]],
    ["relayctl tx replace a b --speed fast", ["fastest", "fast"]],
    ["relayctl tx replace a b --network-type s", ["solana", "stellar"]],
    ["relayctl tx send a --speed fast", ["fastest", "fast"]],
    ["relayctl tx quote a --network-type s", ["solana", "stellar"]],
    ["relayctl notifications create --type w", ["webhook"]],
    ["relayctl completion p", ["powershell"]],
    ["relayctl api PA", ["PATCH"]],
    ["relayctl plan -f config.json --pru", ["--prune"]],
    ["relayctl plan -f a.json b.json --fi", ["--file", "--fields"]],
    ["relayctl relayers update x --name -", []],
    ["relayctl relayers update x --nope=", []],
  ])("%s", async (line, expected) => expect(await fitting(line)).toEqual(expected));

  test.each([
    "relayctl relayers update x -f bo",
    "relayctl plan -f ",
    "relayctl plan -f a.json b",
    "relayctl plan -f a.json --prune --file b.json ",
    "relayctl drift --file=",
    "relayctl tx replace a b --operations ",
    "relayctl tx send a --instructions ",
    "relayctl --ca-file=/e",
    "relayctl apply pl",
    "relayctl plan --out pl",
    "relayctl label import la",
  ])("for %s come from the shell as file names", async (line) =>
    expect(await offered(line)).toEqual({ kind: "files", candidates: [] }),
  );
});

describe("known names", () => {
  test.each([
    ["relayctl relayers list -c pr", ["prod"]],
    ["relayctl context use ", ["prod", "staging"]],
    ["relayctl relayers list -c prod,", ["prod,staging"]],
    ["relayctl relayers list --context=staging,p", ["--context=staging,prod"]],
    ["relayctl relayers list --fields na", ["name"]],
    ["relayctl relayers list --fields id,netw", ["id,network", "id,network_type"]],
    ["relayctl relayers list --fields network,netw", ["network,network_type"]],
    ["relayctl relayers list --fields=na", ["--fields=name"]],
    ["relayctl notifications list --sort -u", ["-url"]],
    ["relayctl relayers list --where !pau", ["!paused"]],
    ["relayctl relayers update x --policy gas_", ["gas_limit_estimation=", "gas_price_cap="]],
    ["relayctl relayers update x --policy eip1559_pricing=", ["eip1559_pricing=true", "eip1559_pricing=false"]],
    ["relayctl relayers update x --policy fee_payment_strategy=u", ["fee_payment_strategy=user"]],
    ["relayctl relayers update x --policy nope=", []],
    ["relayctl relayers update x --unset-policy gas_p", ["gas_price_cap"]],
  ])("%s", async (line, expected) => expect(await fitting(line)).toEqual(expected));

  test.each(["--policy gas_", "--fields na", "--where pa"])("keep the word open for %s", async (typed) => {
    const line = typed.startsWith("--policy") ? "relayctl relayers update x" : "relayctl relayers list";
    expect((await offered(`${line} ${typed}`)).kind).toBe("open");
  });

  test("show the network types of a policy", async () => {
    const { candidates } = await offered("relayctl relayers update x --unset-policy ");
    expect(candidates).toContainEqual({ word: "min_balance", summary: "evm, solana, stellar" });
  });
});

describe("conditions of --where", () => {
  const list = "relayctl relayers list --where";
  const transactions = "relayctl tx list eth-main-1 --where";

  test("are offered as fields with their meanings", async () => {
    const { kind, candidates } = await offered(`${list} `);
    expect(kind).toBe("open");
    expect(candidates).toContainEqual({ word: "paused", summary: "paused by an operator" });
    expect(candidates).toContainEqual({ word: "policies.gas_price_cap", summary: "amount, e.g. 80gwei (evm)" });
  });

  test.each([
    [`${list} state`, ["state", "state=", "state!="]],
    [`${list} name`, ["name", "name=", "name!=", "name~"]],
    [
      `${list} policies.gas_price_cap`,
      ["", "=", "!=", "<", "<=", ">", ">="].map((end) => `policies.gas_price_cap${end}`),
    ],
    [`${list} paused`, ["paused", "paused=", "paused!="]],
    [`${list} disabled_reason.t`, ["disabled_reason.type"]],
    [`${list} state=`, ["state=active", "state=paused", "state=disabled"]],
    [`${list} state!=p`, ["state!=paused"]],
    [`${list} state=active,`, ["state=active,paused", "state=active,disabled"]],
    [`${list} --where=state=p`, []],
    [`relayctl relayers list --where=state=p`, ["--where=state=paused"]],
    [`${list} network_type=e`, ["network_type=evm"]],
    [`${list} policies.eip1559_pricing=`, ["policies.eip1559_pricing=true", "policies.eip1559_pricing=false"]],
    [`${list} name=`, []],
    [`${list} nope=`, []],
    [`${list} !state`, ["!state"]],
    [`${list} !state=`, []],
    [`${transactions} status=sub`, ["status=submitted"]],
    [`${transactions} age`, ["age", "age=", "age!=", "age<", "age<=", "age>", "age>="]],
    ["relayctl relayers status --where relayer.paused=t", ["relayer.paused=true"]],
  ])("%s", async (line, expected) => expect(await fitting(line)).toEqual(expected));

  test.each(["relayer", "transaction"])("know the meaning of every field of a %s", (resource) => {
    const known = Object.keys(words.meanings[resource] ?? {});
    const unknown = (words.fields[resource] ?? []).filter((field) => !known.includes(field));
    expect(unknown).toEqual([]);
  });
});

test.each([
  ["relayctl relayers update ", ["relayer"]],
  ["relayctl relayers get ", ["relayer"]],
  ["relayctl signers delete ", ["signer"]],
  ["relayctl relayers create --signer-id ", ["signer"]],
  ["relayctl networks update ", ["network"]],
  ["relayctl plugins call ", ["plugin"]],
  ["relayctl notifications update ", ["notification"]],
  ["relayctl relayers update x --notification-id ", ["notification"]],
  ["relayctl relayers update x --notification-id=", ["--notification-id=notification"]],
  ["relayctl tx replace ", ["relayer"]],
  ["relayctl tx send ", ["relayer"]],
  ["relayctl tx quote ", ["relayer"]],
  ["relayctl tx build ", ["relayer"]],
  ["relayctl tx replace eth-main-1 ", ["pending-transaction eth-main-1"]],
  ["relayctl tx cancel eth-main-1 ", ["pending-transaction eth-main-1"]],
  ["relayctl tx get eth-main-1 ", ["transaction eth-main-1"]],
  ["relayctl tx list ", ["relayer"]],
  ["relayctl tx cancel-pending ", ["relayer"]],
  ["relayctl tx replace - ", []],
  ["relayctl relayers status eth-main-1 ", ["relayer"]],
  ["relayctl relayers status relayer ", []],
  ["relayctl --demo relayers get ", ["relayer --demo"]],
  ["relayctl relayers get -c prod ", ["relayer --context=prod"]],
  ["relayctl relayers get --server http://localhost:1 ", ["relayer --server=http://localhost:1"]],
])("IDs of the service: %s", async (line, expected) =>
  expect((await offered(line)).candidates.map(({ word }) => word)).toEqual(expected),
);

describe("contexts", () => {
  test("offers contexts with their servers, without other settings", () => {
    const config = { version: 1, contexts: { prod: { server: "https://relayer.example.org", token: "secret" } } };
    expect(contextCandidates(JSON.stringify(config))).toEqual([
      { word: "prod", summary: "https://relayer.example.org" },
    ]);
  });

  test("omits invalid contexts from a file edited by hand", () => {
    const contexts = {
      "a b": { server: "https://x.example" },
      ok: { server: "https://u:p@x.example" },
      odd: 7,
      bare: {},
    };
    expect(contextCandidates(JSON.stringify({ contexts }))).toEqual([
      { word: "ok", summary: expect.not.stringContaining("p@") },
      { word: "bare" },
    ]);
  });

  test.each([undefined, "null", "[]", '{"contexts":[]}'])("offers none for %s", (text) =>
    expect(contextCandidates(text)).toEqual([]),
  );
});

describe("labels", () => {
  const LABELS = { evm: { treasury: "0x3c" }, stellar: { payouts: "GA7Q" } };

  test("offers labels with their addresses, of all kinds or of one", () => {
    const config = JSON.stringify({ version: 1, contexts: {}, labels: LABELS });
    const treasury = { word: "treasury", summary: "0x3c" };
    expect(labelCandidates(config)).toEqual([treasury, { word: "payouts", summary: "GA7Q" }]);
    expect(labelCandidates(config, ["evm"])).toEqual([treasury]);
  });

  test("omits invalid labels from a file edited by hand", () => {
    const labels = { evm: { "a b": "0x1", ok: 7, fine: "0x2" }, solana: [] };
    expect(labelCandidates(JSON.stringify({ labels }))).toEqual([{ word: "fine", summary: "0x2" }]);
  });

  test.each([undefined, "null", "[]", '{"labels":[]}'])("offers none for %s", (text) =>
    expect(labelCandidates(text)).toEqual([]),
  );

  test("offers a label where an address is typed, with its @", async () => {
    expect(await fitting("relayctl tx send r1 --to @")).toEqual(["@label evm"]);
    expect(await fitting("relayctl tx send r1 --source-account @")).toEqual(["@label stellar"]);
    expect(await fitting("relayctl label delete ")).toEqual(["label"]);
  });
});

/** As bash has it unless it is changed. */
const BREAKS = " \t\n\"'@><=;|&(:";

test.each([
  ["relayctl relayers  upd", ["relayctl", "relayers", "upd"], "", 0],
  ["relayctl relayers ", ["relayctl", "relayers", ""], "", 0],
  ["relayctl get 'eth main' x", ["relayctl", "get", "eth main", "x"], "", 0],
  ["relayctl get eth\\ ma", ["relayctl", "get", "eth ma"], "", 0],
  ["relayctl get 'a\\b'c", ["relayctl", "get", "a\\bc"], "", 0],
  ['relayctl get "a\\"b', ["relayctl", "get", 'a"b'], '"', 0],
  ["relayctl get 'eth ma", ["relayctl", "get", "eth ma"], "'", 0],
  ["relayctl get '' ", ["relayctl", "get", "", ""], "", 0],
  ["relayctl --output=js", ["relayctl", "--output=js"], "", "--output=".length],
  ['relayctl --name="a b', ["relayctl", "--name=a b"], '"', "--name=".length],
  ["relayctl get urn:eth:m", ["relayctl", "get", "urn:eth:m"], "", "urn:eth:".length],
  ["relayctl get urn\\:eth", ["relayctl", "get", "urn:eth"], "", 0],
  ["relayctl get a\\", ["relayctl", "get", "a"], "", 0],
] as const)("%s", (line, words, quote, kept) => expect(splitShellLine(line, BREAKS)).toEqual({ words, quote, kept }));
