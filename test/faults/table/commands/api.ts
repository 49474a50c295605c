import type { Command } from "../command.ts";

const reads: Command[] = [
  { path: "/relayers?page=1&per_page=2", more: { list: true as const } },
  { path: "/relayers/evm-1", more: { honest: withRoutes } },
  { path: "/things", more: {} },
].map(({ path, more }) => ({
  name: `api GET ${path}`,
  argv: ["api", "GET", path],
  request: { method: "GET", path: `/api/v1${path.split("?")[0]}` },
  kind: "read",
  item: path,
  unvalidated: true,
  ...more,
}));

/** `api` asks for nothing but what was typed. */
function withRoutes(dialect: { name: string }, routes: boolean): number {
  if (routes) return 0;
  return dialect.name === "interface" ? 5 : 7;
}

interface Write {
  words: readonly [method: string, path: string];
  kind: Command["kind"];
  body?: string;
  item: string;
  more?: Partial<Command>;
}

const WRITES: readonly Write[] = [
  {
    words: ["PATCH", "/relayers/evm-1"],
    kind: "patch",
    body: '{"name":"New name"}',
    item: "evm-1",
    more: { provable: true },
  },
  {
    words: ["PATCH", "/notifications/hook-1"],
    kind: "patch",
    body: '{"url":"https://new.example.org/"}',
    item: "hook-1",
    more: { provable: true },
  },
  {
    words: ["POST", "/notifications"],
    kind: "create",
    body: '{"url":"https://new.example.org/","id":"new-1"}',
    item: "/notifications",
  },
  {
    words: ["POST", "/notifications"],
    kind: "create",
    body: '{"url":"https://new.example.org/"}',
    item: "/notifications",
  },
  {
    words: ["POST", "/relayers/evm-1/rpc"],
    kind: "once",
    body: '{"method":"eth_sendRawTransaction","params":["0x02f8"]}',
    item: "evm-1",
    more: { unvalidated: true },
  },
  { words: ["PUT", "/things/p1"], kind: "once", body: "{}", item: "/things/p1", more: { unvalidated: true } },
  { words: ["PATCH", "/things/n1"], kind: "patch", body: "{}", item: "/things/n1", more: { unvalidated: true } },
  { words: ["DELETE", "/relayers/evm-1"], kind: "remove", item: "evm-1", more: { provable: true, mute: true } },
];

const writes: Command[] = WRITES.map(({ words: [method, path], kind, body, item, more }) => ({
  name: `api ${method} ${path}${body?.includes('"id"') ? " with an id" : ""}`,
  argv: ["api", method, path, ...(body === undefined ? [] : ["-f", "body.json"]), "--yes"],
  ...(body !== undefined && { files: { "body.json": body } }),
  request: { method, path: `/api/v1${path}` },
  kind,
  bodies: [body ?? ""],
  item,
  ...more,
}));

export const apiCommands: readonly Command[] = [...reads, ...writes];
