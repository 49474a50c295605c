import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits, says, type World } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

const service: Transport = async () => reply(200, "{}");

async function bodyOf(fields: readonly string[], world: World = {}): Promise<string | undefined> {
  const ran = await exits(0, ["api", "POST", "/things", ...fields, "--yes"], { service, ...world });
  return ran.writes[0]?.body;
}

function typed(...fields: string[]): string[] {
  return fields.flatMap((field) => ["-F", field]);
}

describe("fields of a body", () => {
  test.each([
    ["a=true", '{"a":true}'],
    ["a=false", '{"a":false}'],
    ["a=null", '{"a":null}'],
    ["a=0", '{"a":0}'],
    ["a=-7", '{"a":-7}'],
    ["a=340282366920938463463374607431768211457", '{"a":340282366920938463463374607431768211457}'],
    ["a=1.50", '{"a":"1.50"}'],
    ["a=007", '{"a":"007"}'],
    ["a=1e3", '{"a":"1e3"}'],
    ["a=0x1f", '{"a":"0x1f"}'],
    ["a=True", '{"a":"True"}'],
    ["a=", '{"a":""}'],
    ["a=b=c[d]", '{"a":"b=c[d]"}'],
    ["a=line\nline", '{"a":"line\\nline"}'],
    ["__proto__=1", '{"__proto__":1}'],
    ["__proto__[a]=1", '{"__proto__":{"a":1}}'],
    ["a[]", '{"a":[]}'],
    ["a[b][]", '{"a":{"b":[]}}'],
  ])("reads -F %j", async (field, body) => expect(await bodyOf(typed(field))).toBe(body));

  test("nest in objects and lists", async () => {
    expect(await bodyOf(typed("a[b]=1", "a[c][d]=x", "l[]=1", "l[]=two"))).toBe(
      '{"a":{"b":1,"c":{"d":"x"}},"l":[1,"two"]}',
    );
    expect(await bodyOf(typed("l[][a]=1", "l[][b]=2", "l[][a]=3", "m[][]=4", "m[][]=5"))).toBe(
      '{"l":[{"a":1,"b":2},{"a":3}],"m":[[4],[5]]}',
    );
  });

  test("are texts with --raw-field", async () =>
    expect(await bodyOf(["--raw-field", "a=1", "--raw-field", "b=@x", "--raw-field", "c=null", "-F", "d=1"])).toBe(
      '{"a":"1","b":"@x","c":"null","d":1}',
    ));

  test("read files and stdin as texts", async () => {
    const world = { files: { "a.txt": "1\n" }, stdin: "true" };
    expect(await bodyOf(typed("a=@a.txt", "b=@-"), world)).toBe('{"a":"1\\n","b":"true"}');
  });

  test("override the members of --file", async () => {
    const files = { "b.json": '{"name":"x","policies":{"min_balance":18446744073709551617,"a":1},"l":[1]}' };
    const fields = ["-f", "b.json", ...typed("name=y", "policies[a]=2", "l[]=3")];
    expect(await bodyOf(fields, { files })).toBe(
      '{"name":"y","policies":{"min_balance":18446744073709551617,"a":2},"l":[3]}',
    );
  });

  test("need consent by what the body does", async () => {
    const fields = typed("policies[whitelist_receivers]=null");
    const ran = await ends({ exitCode: 3, writes: [] }, ["api", "PATCH", "/relayers/eth-main-1", ...fields]);
    expect(ran.stderr).toContain("-F 'policies[whitelist_receivers]=null' --confirm eth-main-1");
  });
});

describe("fields of a query", () => {
  test("are those of a GET, as typed", async () => {
    const argv = ["api", "GET", "/things?a=1", ...typed("b=true", "c[]=x y", "d=@d.txt")];
    const ran = await cli(argv, { service, files: { "d.txt": "&" } });
    expect(ran.requests.map(({ target, body }) => [target, body])).toEqual([
      ["/api/v1/things?a=1&b=true&c%5B%5D=x+y&d=%26", undefined],
    ]);
  });

  test.each([[typed("a=2")], [typed("b=1", "b=2")]])("cannot repeat a name: %j", (fields) =>
    says({ exitCode: 2, requests: [] }, ["api", "GET", "/things?a=1", ...fields], ": is in the query already"),
  );
});

describe("invalid fields", () => {
  test.each([
    [typed("a"), "--field a: write it as name=value, a[b]=value, or a[]=value"],
    [typed("=x"), "--field =…: write it as name=value"],
    [typed("[a]=x"), "--field [a]=…: write it as name=value"],
    [typed("a[b=x"), "--field a[b=…: write it as name=value"],
    [typed("a=1", "a=2"), "--field a: conflicts with an earlier field"],
    [typed("a=1", "a[b]=2"), "--field a[b]: conflicts with an earlier field"],
    [typed("a[b]=1", "a[]=2"), "--field a[]: conflicts with an earlier field"],
    [typed("a=@none.txt"), "none.txt: cannot be read: it does not exist"],
    [["-f", "-", "-F", "a=@-"], "-: stdin can be read only once per command"],
    [["-f", "list.json", "-F", "a=1"], "--file: must contain a JSON object to be combined with fields"],
  ])("%j is a usage error", async (fields, words) => {
    const world = { service, stdin: "{}", files: { "list.json": "[]" } };
    await says({ exitCode: 2, requests: [] }, ["api", "POST", "/things", ...fields, "--yes"], words, world);
  });

  test("a secret is read from a file alone, without its line ending, and is never printed", async () => {
    const key = "a-signing-key-of-more-than-32-characters";
    const argv = ["api", "PATCH", "/notifications/ops-hook", "--yes"];
    const refused = await ends({ exitCode: 2, requests: [] }, [...argv, "-F", `signing_key=${key}`]);
    expect(refused.stderr).toContain("read it from a file: -F signing_key=@FILE");
    expect(refused.stderr).not.toContain(key);
    const sent = await cli([...argv, "-F", "signing_key=@key.txt"], { files: { "key.txt": `${key}\n` } });
    expect(sent.writes[0]?.body).toBe(`{"signing_key":"${key}"}`);
    expect(sent.stdout + sent.stderr).not.toContain(key);
    const removed = await cli([...argv, "-F", "signing_key="]);
    expect(removed.writes[0]?.body).toBe('{"signing_key":""}');
  });
});
