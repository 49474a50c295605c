import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, exited, SERVER, TOKEN, type World } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

const ENV = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, GITHUB_ACTIONS: "true" };

async function inActions(line: string | readonly string[], world: World = {}) {
  const appended: [string, string][] = [];
  const env = { ...ENV, GITHUB_STEP_SUMMARY: "step-summary", ...world.env };
  return { ...(await cli(line, { appended, ...world, env })), summary: appended.map(([, text]) => text).join("") };
}

/** The lines of a log that a runner executes (actions/runner, ActionCommand). */
function executed(log: string): string[] {
  return log.split(/[\r\n]/).filter((line) => line.trimStart().startsWith("::") || line.includes("##["));
}

const HOSTILE = "::set-output name=x::1\n  ::error::y\r::stop-commands::z ##[add-path]/tmp";

describe("an error in GitHub Actions", () => {
  test("is an annotation before the error itself, and part of the summary", async () => {
    const ran = await inActions("relayers get nothing");
    expect(ran.stderr.split("\n")[0]).toMatch(
      /^::error title=relayctl relayers get%3A not_found \(exit code 5\)::.*nothing.*%0A/,
    );
    expect(ran.stderr.split("\n")[1]).toMatch(/^error: /);
    expect(ran.summary).toMatch(/^### relayctl relayers get: not_found \(exit code 5\)\n\n<pre>\nerror: .*nothing/);
  });

  test.each(["relayers update nothing --nam x", "relayers list", "relayers update r1 --rpc-url https://u:p@h.example"])(
    "is one annotation and one part of the summary for a proposal that fails: %s",
    async (line) => {
      const ran = await inActions(`propose -- ${line}`);
      expect(executed(ran.stderr)).toHaveLength(1);
      const [reason = "none"] = /(?<=^error: ).*/m.exec(ran.stderr) ?? [];
      expect(executed(ran.stderr)[0]).toContain(`nothing was proposed%0A  ${reason}`);
      expect(ran.stderr).not.toContain("\\u{3a}");
      expect(ran.summary.match(/^### /gm)).toHaveLength(1);
    },
  );

  test.each([
    ["plan -f fleet.yaml", "file=fleet.yaml,line=2,col=5"],
    ["tx send-many base-hot -f pay.csv --speed fast", "file=pay.csv,line=2,col=1"],
  ])("is at the line of the file that has the mistake: %s", async (line, place) => {
    const files = {
      "fleet.yaml": "relayers:\n  - id: base-hot\n",
      "pay.csv": "to,value\n0x1,1gwei\n",
    };
    const ran = await exited(2, inActions(line, { files }));
    expect(ran.stderr.split("\n")[0]).toContain(`::error ${place},title=relayctl `);
  });

  test("has the findings that failed a check by doctor", async () => {
    const { stderr, summary } = await inActions("doctor xlm-pay");
    const found = / {2}BAL-BELOW-MIN xlm-pay: its balance of 2\.5 XLM is below min_balance/;
    expect(summary).toMatch(found);
    expect(executed(stderr)).toHaveLength(1);
    expect(executed(stderr)[0]).toMatch(new RegExp(`failures.*%0A${found.source}`));
  });

  test("keeps the JSON error as the last line of stderr", async () => {
    const lines = (await inActions("relayers get nothing -o json")).stderr.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^::error title=/);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ error: { code: "not_found" } });
  });

  test("escapes percent signs and line ends, and commas and colons of the title", async () => {
    const ran = await exited(2, inActions(["relayers", "list", "--where", "a%,b:c"]));
    expect(ran.stderr.split("\n")[0]).toMatch(
      /^::error title=relayctl relayers list%3A usage \(exit code 2\)::--where a%25,b:c/,
    );
  });

  test("cannot start another command with the words of a service, in any stream, and contains no token", async () => {
    const error = `${HOSTILE} ${TOKEN}`;
    const service: Transport = async () => reply(409, JSON.stringify({ success: false, error }));
    for (const more of ["", " -o json", " -v", " -vv"]) {
      const ran = await inActions(`relayers pause r1${more}`, { service });
      expect(executed(ran.stderr)).toHaveLength(1);
      expect(executed(ran.stderr)[0]).toMatch(/^::error title=/);
      expect(ran.stderr + ran.summary).not.toContain(TOKEN);
      expect(executed(ran.stdout)).toEqual([]);
    }
  });

  test("escapes HTML in the summary", async () => {
    const service: Transport = async () => reply(409, '{"success":false,"error":"</pre><script>&"}');
    const { summary } = await inActions("relayers pause r1", { service });
    expect(summary).toContain("&lt;/pre&gt;&lt;script&gt;&amp;");
    expect(summary.match(/<\/pre>/g)).toHaveLength(1);
  });

  test("is not annotated elsewhere, or if that is turned off", async () => {
    for (const env of [{ GITHUB_ACTIONS: "false" }, { RELAYCTL_NO_ANNOTATIONS: "1" }]) {
      const ran = await inActions("relayers get nothing", { env });
      expect(ran.stderr).toMatch(/^error: /);
      expect(ran.summary).toBe("");
    }
  });
});

describe("a result in GitHub Actions", () => {
  test("of a write is part of the summary, and of a read is not", async () => {
    const paused = await inActions("relayers pause eth-main-1");
    expect(paused.summary).toMatch(/^### relayctl relayers pause: done\n\n<pre>\n.*eth-main-1/);
    expect(paused.stderr).not.toContain("::");
    expect((await inActions("relayers list")).summary).toBe("");
  });

  test("with a warning is annotated", async () => {
    const relayer = '{"success":true,"data":{"id":"r1","paused":true},"error":""}';
    const service: Transport = async ({ method }) => (method === "GET" ? reply(200, relayer) : reply(502, ""));
    const { stderr } = await inActions("relayers pause r1", { service });
    expect(stderr).toMatch(/^::warning title=relayctl relayers pause::the service responded with 502/m);
    expect(stderr).toMatch(/^warning: the service responded with 502/m);
  });

  test("is not a command, and stays the same data", async () => {
    const id = "::error::x ##[group]";
    const data = JSON.stringify([{ id, name: HOSTILE, paused: false }]);
    const service: Transport = async () =>
      reply(200, `{"success":true,"data":${data},"pagination":{"current_page":1,"per_page":1000,"total_items":1}}`);
    for (const format of ["tsv", "csv", "name", "json", "ndjson", "table"]) {
      const ran = await inActions(`relayers list -o ${format}`, { service });
      expect(executed(ran.stdout)).toEqual([]);
      if (format === "json") expect(JSON.parse(ran.stdout)[0].name).toBe(HOSTILE);
    }
    expect((await inActions("relayers list -o name", { service })).stdout).toBe("\\u{3a}:error::x \\u{23}#[group]\n");
  });

  test("is the same to the byte without such lines", async () => {
    for (const line of [
      "relayers list",
      "relayers list -o ndjson",
      "relayers get eth-main-1 -o json",
      "tx list eth-main-1",
    ]) {
      expect((await inActions(line)).stdout).toBe((await cli(line)).stdout);
    }
  });

  test("is still a success if the summary cannot be written", async () => {
    const ran = await exited(0, inActions("relayers pause eth-main-1", { appended: undefined as never }));
    expect(ran.stderr).toContain("note: the step summary was not written: step-summary: the disk is full\n");
  });
});
