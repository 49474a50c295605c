import { allCommands } from "../../src/cli/all-commands.ts";
import { requestMaySendWrites } from "../../src/cli/request-flags.ts";
import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { ends, exited, exitedSaying, TOKEN } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { beginLife, configOf, type Life } from "../safety/disk/real-files.ts";
import type { Row as DiskRow } from "../safety/disk/row.ts";
import { ROWS } from "../safety/disk/rows.ts";

interface Row {
  line: string;
  exitCode: 2 | 6 | 74;
  says: RegExp;
  /** Whether the relayer has to be read to know it; otherwise nothing is requested at all. */
  isReadFirst?: true;
}

const RECEIVER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const XLM = "GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI";
const SEND = `tx send base-hot --to ${RECEIVER} --value 1wei --gas-limit 21000 --speed fast --yes`;
const SEND_XLM = "tx send xlm-treasury --network mainnet --operations FOLDER/operations.json --yes";
const BUMP = "tx bump base-hot a1b2c3d4-e5f6-4718-a93a-4b5c6d7e8f90 --yes";
const CANCEL = "tx cancel base-hot a1b2c3d4-e5f6-4718-a93a-4b5c6d7e8f90 --yes";
const SEND_MANY = "tx send-many base-hot -f FOLDER/payouts.csv --speed fast --confirm 0.000001eth";
const ROTATE = "notifications rotate-key ops-hook --generate --yes";
const UPDATE = "relayers update base-hot --policy gas_price_cap=90gwei";
const PLAN = "plan -f FOLDER/fleet.json";

const FILES = {
  "config.json": JSON.stringify({
    version: 1,
    current: "prod",
    contexts: {
      prod: { server: "http://127.0.0.1:8080", token: TOKEN },
      strict: { server: "http://127.0.0.1:8080", token: TOKEN, journal: "required", require_reason: true },
    },
  }),
  "taken.txt": "what somebody keeps\n",
  "taken.csv": "name,phone\n",
  "folder.csv/inside": "",
  "fleet.json": '{"relayers":[]}',
  "payouts.csv": `to,value\n${RECEIVER},1000000000000\n`,
  "operations.json": JSON.stringify([{ type: "payment", destination: XLM, asset: { type: "native" }, amount: 1 }]),
};

const NO_FOLDER = /cannot be written: it does not exist/;
const NOT_A_FOLDER = /part of its path is not a folder/;
const REASON = /requires a reason for each write/;
const NO_NAME = /needs a file name/;

const refused = (line: string, says: RegExp, exitCode: Row["exitCode"] = 2): Row => ({ line, exitCode, says });
const afterReading = (line: string, says: RegExp): Row => ({ line, exitCode: 2, says, isReadFirst: true });

/** Each way in which a file cannot be written that a flag names. */
function fileRows(line: string): Row[] {
  return [
    refused(`${line} FOLDER/none/x`, NO_FOLDER),
    refused(`${line} FOLDER/taken.txt/x`, NOT_A_FOLDER),
    refused(`${line} FOLDER/folder.csv`, /is a folder|is not a regular file/),
    refused(`${line} -`, NO_NAME),
    refused(`${line} ''`, NO_NAME),
  ];
}

const UNDO_FILES = [
  "relayers pause base-hot",
  "relayers pause base-hot eth-main-1 --yes",
  "relayers pause --where network=base --yes",
  "relayers resume base-hot",
  "relayers freeze base-hot --yes",
  UPDATE,
  `${UPDATE.replace("base-hot", "--all")} --yes`,
].flatMap((line): Row[] => [
  ...fileRows(`${line} --undo-file`),
  refused(`${line} --undo-file FOLDER/taken.txt`, /is not empty and would be overwritten/),
  refused(
    `${line} --undo-file FOLDER/new -c prod,strict --yes`,
    /works with one context|--context prod,strict: selects/,
  ),
]);

const FILE_FLAGS: Row[] = [
  // Each line, and each way.
  ...sampled(UNDO_FILES, 4),
  ...fileRows("doctor --junit"),
  refused("doctor --junit FOLDER/taken.txt", /is not empty and would be overwritten/),
  ...fileRows(`${PLAN} --out`),
  refused(`${PLAN} --out FOLDER/taken.txt`, /is not a plan and would be overwritten/),
  ...fileRows("export -f").filter(({ line }) => !line.endsWith("''") && !line.endsWith("-")),
  refused("export -f ''", NO_NAME),
  refused("export -f -", /stdin cannot be updated/),
  refused("export -f FOLDER/fleet.json FOLDER/none/x.yaml", NO_FOLDER),
  ...fileRows("webhooks listen --record"),
  ...[
    "FOLDER/none/r.csv",
    "FOLDER/taken.txt/r.csv",
    "FOLDER/folder.csv",
    "FOLDER/taken.csv",
    "FOLDER/taken.txt",
    "",
    "-",
  ].map((path) =>
    refused(
      `${SEND_MANY} --report ${path || "''"}`,
      /it does not exist|part of its path is not a folder|is not a regular file|is not a report|must end in .csv or .json/,
    ),
  ),
  afterReading(`${ROTATE} --key-out FOLDER/none/key`, NO_FOLDER),
  afterReading(`${ROTATE} --key-out FOLDER/taken.txt`, /something else already exists there/),
  afterReading(`${ROTATE} --key-out FOLDER/taken.txt --pre-check`, /something else already exists there/),
  refused(ROTATE, /--key-out: is required/),
  refused(`${ROTATE} --key-out -`, NO_NAME),
  refused(`${ROTATE} --key-out ''`, NO_NAME),
  refused(
    "notifications rotate-key ops-hook --signing-key-file FOLDER/none --yes",
    /cannot be read: it does not exist/,
  ),
  refused("serve --state ''", NO_NAME),
];

const JOURNALS: Row[] = [SEND_MANY, `${SEND} --once payout-1`].flatMap((line) => [
  refused(`${line} --state FOLDER/taken.txt`, /cannot be written/, 74),
  refused(`${line} --state FOLDER/taken.txt/state`, NOT_A_FOLDER, 74),
  refused(`${line} --state /proc/none/state`, /cannot be written/, 74),
  refused(`${line} --state ''`, /--state: is empty/),
]);

const OTHER_FLAGS: Row[] = [
  refused(`${SEND} --once ''`, /--once .*is empty/),
  refused(`${SEND} --state FOLDER/state`, /has no effect without --once/),
  refused(`${SEND_MANY} --run 7`, /has no effect without --resume/),
  refused(`${SEND_MANY} --assume-not-sent 1`, /requires --resume/),
  refused(`${SEND_MANY} --again --resume`, /cannot be combined/),
  refused(`${SEND_MANY} --resume --run 7`, /no run of .* has this ID/),
  refused(
    `${SEND_MANY} --resume --assume-not-sent 1`,
    /--assume-not-sent: this journal has no run of .* from base-hot/,
  ),
  refused(`${SEND_MANY} --resume --assume-not-sent 9`, /--assume-not-sent: this journal has no run of/),
  refused(`${SEND_MANY} --wait --node nonsense`, /must begin with https/),
  refused(`${SEND_MANY} --wait --for final --no-chain`, /cannot be combined with --no-chain/),
  ...[SEND, CANCEL, SEND_MANY].flatMap((line) => [
    refused(`${line} --for mined`, /has no effect without --wait/),
    refused(`${line} --confirmations 3`, /has no effect without --wait/),
    refused(`${line} --node https://node.example.org`, /has no effect without --wait/),
    refused(`${line} --no-chain`, /has no effect without --wait/),
  ]),
  refused(`${SEND_XLM} --simulate`, /only EVM transactions are simulated/),
  afterReading(`${SEND_XLM} --wait --for final`, /--for: xlm-treasury is not an EVM relayer/),
  afterReading(`${SEND_XLM} --wait --confirmations 3`, /--confirmations: xlm-treasury is not an EVM relayer/),
  afterReading(`${SEND_XLM} --wait --node https://node.example.org`, /--node: xlm-treasury is not an EVM relayer/),
  refused("tx bump base-hot 1 --yes --keep-raised", /has no effect without --raise-cap/),
  refused("tx bump base-hot 1 --yes --every 1m", /has no effect without --until mined/),
  refused("tx bump base-hot 1 --yes --times 3", /has no effect without --until mined/),
  refused("relayers resume --all --yes -c strict", REASON),
  ...["''", "' '"].flatMap((reason) =>
    [
      "relayers pause base-hot -c strict",
      "relayers resume base-hot",
      "relayers unstick base-hot --yes",
      "undo --yes",
    ].map((line) => refused(`${line} --reason ${reason}`, /--reason: is empty/)),
  ),
  refused("relayers update --where id=none --policy gas_price_cap=90gwei --undo-file FOLDER/none/x --yes", NO_FOLDER),
  refused("relayers list --reason late", /this command writes nothing/),
];

/** The service of these lines is reached over plain HTTP, where no certificate has an effect. */
const CERTIFICATES: Row[] = ["relayers list", "auth status", "doctor", UPDATE, SEND, `${PLAN} --deadline 1m`].flatMap(
  (line) => [
    refused(`${line} --ca-file FOLDER/none.pem`, /cannot be read: it does not exist/),
    refused(`${line} --ca-file FOLDER/taken.txt`, /contains no PEM certificate/),
    refused(`${line} --cert FOLDER/none.pem`, /cannot be read: it does not exist/),
    refused(`${line} --cert FOLDER/taken.txt`, /contains neither a PEM certificate nor PKCS#12/),
  ],
);

/** Commands that may write, and do not only check; `edit` and `top` ask for the reason in the terminal that they need. */
const WRITING = (await allCommands()).flatMap(([path, file]) =>
  requestMaySendWrites(file) && !["doctor", "history settle", "relayers edit", "top"].includes(path) ? [path] : [],
);

/** A config whose context requires reasons, with the labels of another one. */
function withReason(config: string | Uint8Array = "{}"): string {
  const { labels } = JSON.parse(String(config));
  return JSON.stringify({ ...JSON.parse(configOf({ require_reason: true })), labels });
}

describe("what a flag needs is asked when it is given, and nothing is sent without it", () => {
  let life: Life | undefined;
  afterEach(() => life?.end());

  async function run(
    line: string,
    env: Record<string, string> = {},
    change = (reply: WireReply, _: WireRequest) => reply,
  ) {
    const requests: WireRequest[] = [];
    const respond = () => async (request: WireRequest, reply: () => Promise<WireReply>) => {
      requests.push(request);
      return change(await reply(), request);
    };
    life = beginLife({ files: FILES, env: { RELAYCTL_JOURNAL: "FOLDER/journal", ...env }, respond });
    return { ...(await life.run(line)), requests };
  }

  const isRead = ({ method, target }: WireRequest) => method === "GET" || target.endsWith("/rpc");

  test.each([...FILE_FLAGS, ...JOURNALS, ...OTHER_FLAGS, ...sampled(CERTIFICATES, 3)])(
    "$line",
    async ({ line, exitCode, says, isReadFirst }) => {
      const ran = await exited({ exitCode, stdout: "" }, run(line));
      expect(ran.stderr).toMatch(says);
      expect(ran.requests.filter((request) => !isRead(request))).toEqual([]);
      expect(ran.requests.length > 0).toBe(isReadFirst === true);
    },
  );

  test.each(WRITING)(
    "%s needs a required reason before it reads anything, also where nothing would change",
    async (path) => {
      const { line, files, env, before = [] } = ROWS.find((row) => `${row.line} `.startsWith(`${path} `)) as DiskRow;
      const requests: WireRequest[] = [];
      const respond = () => async (request: WireRequest, reply: () => Promise<WireReply>) => {
        requests.push(request);
        return await reply();
      };
      life = beginLife({
        files: { ...files, "config.json": withReason(files?.["config.json"]) },
        ...(env && { env }),
        respond,
      });
      for (const earlier of before) await (typeof earlier === "string" ? life.run(earlier) : earlier(life));
      requests.length = 0;
      expect({ ...(await life.run(line)), requests }).toMatchObject({
        exitCode: 2,
        stdout: "",
        requests: [],
        stderr: expect.stringMatching(REASON),
      });
      const asked = await life.run(`${line} --reason 'new owner'`);
      expect(asked.stderr).not.toMatch(REASON);
    },
  );

  test.each([`${SEND} --once payout-1`, SEND_MANY])("%s without a journal", (line) =>
    exitedSaying({ exitCode: 2, requests: [] }, run(line, { RELAYCTL_JOURNAL: "off" }), "needs a journal"),
  );

  test.each([
    `${SEND} --once payout-1`,
    SEND_MANY,
    `${BUMP} --raise-cap`,
    `${BUMP} --raise-cap --keep-raised`,
    `${BUMP} --raise-cap --until mined`,
    "tx bump base-hot --stuck 99h --raise-cap --yes",
    "relayers unstick base-hot --raise-cap --yes",
  ])("%s with a journal that cannot be written", async (line) => {
    const ran = await run(line, { RELAYCTL_JOURNAL: "FOLDER/taken.txt/journal" });
    expect(ran).toMatchObject({ exitCode: 74, accepted: [] });
    expect(ran.requests.filter((request) => !isRead(request))).toEqual([]);
    expect(ran.stderr).toContain("nothing was sent");
  });

  test.each(["relayers rpc base-hot eth_blockNumber", "api GET /relayers", "history settle"])(
    "%s only asks, and needs no reason",
    async (line) => expect(await run(`${line} -c strict`)).toMatchObject({ exitCode: 0 }),
  );

  test("--on-change with a program that cannot be run", async () => {
    const machine = { canRun: (program: string) => program !== "./notify.sh" };
    const line = "relayers status --watch 5s --on-change";
    const ran = await ends({ exitCode: 2, requests: [] }, [...line.split(" "), "./notify.sh --now"], { machine });
    expect(ran.stderr).toContain("--on-change ./notify.sh: is not a program that can be run");
  });

  test("a context that requires a journal refuses what cannot be recorded, and any other context pauses", async () => {
    const unwritable = { RELAYCTL_JOURNAL: "FOLDER/taken.txt/journal" };
    await exited({ exitCode: 74, accepted: [] }, run("relayers pause base-hot -c strict --reason broken", unwritable));
    life?.end();
    const usual = await exited(0, run("relayers pause base-hot -c prod", unwritable));
    expect(usual.accepted).toHaveLength(1);
    expect(usual.stderr).toContain("warning");
  });

  test.each([SEND, SEND_MANY])("%s --wait --for final, with a node that has no final block", async (line) => {
    const withoutFinal = (reply: WireReply, { body }: WireRequest): WireReply => {
      if (!body?.includes('"finalized"')) return reply;
      const { data } = JSON.parse(new TextDecoder().decode(reply.body));
      const text = JSON.stringify({ success: true, error: null, data: { ...data, result: null } });
      return { ...reply, body: new TextEncoder().encode(text) };
    };
    const ran = await exited({ exitCode: 2, accepted: [] }, run(`${line} --wait --for final`, {}, withoutFinal));
    expect(ran.stderr).toContain("has no final block");
  });

  test("a row that counts as not sent needs a run that may have sent it, although an earlier run paid", async () => {
    await exited({ exitCode: 0 }, run(SEND_MANY));
    const other = `${SEND_MANY.replace("base-hot", "eth-main-1")} --resume --assume-not-sent 1`;
    expect(await life?.run(other)).toMatchObject({ accepted: [] });
    const state = await life?.run(`${SEND_MANY} --resume --assume-not-sent 1 --state FOLDER/other`);
    expect(state).toMatchObject({ accepted: [] });
    expect(state?.exitCode).not.toBe(0);
  });
});
