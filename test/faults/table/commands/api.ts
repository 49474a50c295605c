import { type Proposal, proposalBytes, proposalId, storedProposalText } from "../../../../src/proposals/proposal.ts";
import { fakeSignature, fakeSshKeygen, signerLine } from "../../../helpers/fake-ssh-keygen.ts";
import type { World } from "../../../helpers/test-app.ts";
import { TOKEN } from "../../world.ts";
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

const NEW_RELAYER =
  '{"id":"new-1","name":"New","network":"testnet","network_type":"evm","signer_id":"s9","paused":false}';

/** A proposal that bob signed, where ada made it. */
function signedProposal(origin: string, now: number): World {
  const isoTime = (time: number) => new Date(time).toISOString();
  const proposal: Proposal = {
    ...{ version: 1, nonce: "n1", context: "prod", server: origin },
    ...{ method: "POST", target: "/api/v1/relayers", body: NEW_RELAYER, command: "relayctl relayers create" },
    ...{ user: "ada", host: "console", time: isoTime(now), expires: isoTime(now + 3_600_000), limits: "{}" },
  };
  const stored = storedProposalText({ proposal, signatures: [fakeSignature("KEYbob", proposalBytes(proposal))] });
  const approvers = { needed: 1, signers: [signerLine("bob")] };
  return {
    files: { "new.json": stored },
    proposals: new Map([[`${proposalId(proposal)}.json`, stored]]),
    config: { version: 1, contexts: { prod: { server: origin, token: TOKEN, approvers } } },
    execute: fakeSshKeygen,
  };
}

const approve: Command = {
  name: "approve",
  argv: ["approve", "new.json"],
  world: signedProposal,
  ...{
    request: { method: "POST", path: "/api/v1/relayers" },
    kind: "create",
    bodies: [NEW_RELAYER],
    item: "/relayers",
  },
};

export const apiCommands: readonly Command[] = [...reads, ...writes, approve];
