import { SIGNING_KEY } from "../../world.ts";
import { type Command, row } from "../command.ts";

const CREATE = { method: "POST", path: "/api/v1/notifications" };
const HOOK = "/api/v1/notifications/hook-1";
const URL_FLAGS = ["--url", "https://hooks.example.org/new"];
const KEY_FLAGS = ["--signing-key-file", "key.txt"];
const files = { "key.txt": `${SIGNING_KEY}\n` };

const reads: Command[] = [
  row("notifications list", "GET /notifications", { shows: ["hook-1", "hook-2", "hook-3"], list: true }),
  row("notifications get hook-1", "GET /notifications/hook-1", { shows: ["hook-1"] }),
];

const creates: Command[] = [
  {
    name: "without an id",
    flags: URL_FLAGS,
    body: '{"url":"https://hooks.example.org/new","id":"<uuid>"}',
    provable: true,
  },
  {
    name: "without an id, with a key",
    flags: [...URL_FLAGS, ...KEY_FLAGS],
    body: `{"url":"https://hooks.example.org/new","signing_key":"${SIGNING_KEY}","id":"<uuid>"}`,
    provable: true,
  },
  {
    name: "with an id",
    flags: [...URL_FLAGS, "--id", "new-1"],
    body: '{"url":"https://hooks.example.org/new","id":"new-1"}',
    provable: false,
  },
  {
    name: "with an id and a key",
    flags: [...URL_FLAGS, "--id", "new-1", ...KEY_FLAGS],
    body: `{"url":"https://hooks.example.org/new","id":"new-1","signing_key":"${SIGNING_KEY}"}`,
    provable: false,
  },
].map(({ name, flags, body, provable }) => ({
  name: `notifications create ${name}`,
  argv: ["notifications", "create", ...flags],
  files,
  request: CREATE,
  kind: "create",
  bodies: [body],
  item: provable ? "<uuid>" : "new-1",
  provable,
  ...(!provable && { readsFirst: true as const }),
}));

const updates: Command[] = [
  { name: "url", flags: URL_FLAGS, body: '{"url":"https://hooks.example.org/new"}', provable: true },
  {
    name: "url with --diff",
    flags: [...URL_FLAGS, "--diff"],
    body: '{"url":"https://hooks.example.org/new"}',
    provable: true,
  },
  { name: "key", flags: KEY_FLAGS, body: `{"signing_key":"${SIGNING_KEY}"}`, provable: false, mute: true as const },
  {
    name: "url and key",
    flags: [...URL_FLAGS, ...KEY_FLAGS],
    body: `{"url":"https://hooks.example.org/new","signing_key":"${SIGNING_KEY}"}`,
    provable: false,
  },
  { name: "key removed", flags: ["--remove-signing-key", "--yes"], body: '{"signing_key":""}', provable: true },
].map(({ name, flags, body, ...more }) => ({
  name: `notifications update ${name}`,
  argv: ["notifications", "update", "hook-1", ...flags],
  files,
  request: { method: "PATCH", path: HOOK },
  kind: "patch",
  bodies: [body],
  item: "hook-1",
  ...more,
  ...(flags.includes("--diff") && { readsFirst: true as const }),
}));

const rotate = row(`notifications rotate-key hook-1 ${KEY_FLAGS.join(" ")} --yes`, "PATCH /notifications/hook-1", {
  files,
  kind: "patch",
  bodies: [`{"signing_key":"${SIGNING_KEY}"}`],
  ...{ provable: false, mute: true, readsFirst: true },
});

const remove = row("notifications delete hook-3 --yes", "DELETE /notifications/hook-3", {
  ...{ kind: "remove", bodies: [""], provable: true, readsFirst: true, mute: true },
});

export const notificationCommands: readonly Command[] = [...reads, ...creates, ...updates, rotate, remove];
