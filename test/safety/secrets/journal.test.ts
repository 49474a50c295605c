import { writeJson } from "../../../src/contract/json.ts";
import { relayerFields } from "../../../src/contract/resources/relayer.ts";
import { isSecretName } from "../../../src/session/journaling/masked-text.ts";
import { cli, exits, inProd, type World } from "../../helpers/cli.ts";
import { figure } from "../../helpers/figure.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";
import { CANARY_DATA, CANARY_KEY, CANARY_TOKEN } from "../../helpers/scan.ts";
import { refusal, success } from "../../helpers/service/reply.ts";
import { CARRYING, RECORDED, SECRET_FILES } from "./canaries.ts";

// `cli` itself refuses every journal in which a canary is found; these tests lead it to every place where one could be.

function recorded(more: World = {}): World & { journal: MemoryJournal } {
  return { ...inProd(), files: SECRET_FILES, journal: memoryJournal(), ...more } as World & {
    journal: MemoryJournal;
  };
}

const WRITES = [...CARRYING.filter((line) => !/ (?:list|get) ?/.test(line)), ...RECORDED];

test.each(WRITES)("no secret is recorded by %s", async (line) => {
  const world = recorded();
  await exits(line.includes("plugins") ? 5 : 0, line, world);
  expect(world.journal.entries.map(({ type }) => type)).toEqual(["intent", "outcome"]);
  figure("journals searched for secrets", 1);
});

/** Ways in which a service can quote what it was sent, without the scheme of a URL too. */
const QUOTES = [
  CANARY_DATA,
  `signing_key "${CANARY_DATA}" is too weak`,
  `could not reach https://rpc.example/v3/${CANARY_DATA}: timeout`,
  `dial rpc.example/v3/${CANARY_DATA}`,
  `wss://rpc.example/ws?key=${CANARY_DATA}, https://user:${CANARY_DATA}@rpc.example`,
  `base64 ${Buffer.from(`x${CANARY_DATA}`).toString("base64")}`,
  `bearer ${CANARY_TOKEN}`,
];

test.each(QUOTES)("no secret of an error message is recorded: %s", async (quote) => {
  for (const status of [400, 401, 409, 500]) {
    for (const line of [
      "notifications create -f data-hook.json",
      "relayers update eth-main-1 -f data-rpc.json --yes",
      "plugins call sweeper -f nested.json --yes",
      "api POST /notifications -f data-hook.json --yes",
    ]) {
      const service = async ({ method }: { method: string }) =>
        method === "GET" ? refusal(404, "no") : refusal(status, quote);
      const world = recorded({ service });
      const { exitCode } = await cli(line, world);
      expect(exitCode).toBeGreaterThan(1);
      if (world.journal.entries.length > 0) expect(world.journal.entries).toHaveLength(2);
    }
  }
});

describe("the values before and after a write are recorded", () => {
  const relayer = { id: "r1", name: "R1", network: "sepolia", network_type: "evm", paused: false, policies: {} };

  test("with the URLs masked that a service before v1.4 returns in full, and such that the mask shows", async () => {
    const urls = [`https://rpc.example/v3/${CANARY_DATA}`, `https://user:${CANARY_DATA}@rpc.example`];
    const [before, after] = [urls, urls.toReversed()].map((some) => some.map((url) => ({ url, weight: 1 })));
    const service = async ({ method }: { method: string }) =>
      success({ ...relayer, custom_rpc_urls: (method === "GET" ? before : after) ?? [] });
    const files = { "urls.json": writeJson({ custom_rpc_urls: after ?? [] }) };
    const world = recorded({ service, files });
    const { exitCode } = await cli("relayers update r1 -f urls.json --diff --yes", world);
    const [intent, outcome] = world.journal.entries;
    const [path, userInfo] = [{ url: "https://rpc.example/***" }, { url: "https://***@rpc.example" }];
    expect(exitCode).toBe(0);
    expect(intent).toMatchObject({
      before: { custom_rpc_urls: [path, userInfo] },
      body: { custom_rpc_urls: [userInfo, path] },
    });
    expect(outcome).toMatchObject({ after: { custom_rpc_urls: [userInfo, path] } });
  });

  test("without a signing key that the service should not return", async () => {
    const hook = { id: "h1", type: "webhook", url: "https://hooks.example/x", signing_key: CANARY_KEY };
    const service = async ({ method }: { method: string }) =>
      method === "GET" ? success(hook) : success(hook, undefined, 200);
    const world = recorded({ service });
    await cli("notifications update h1 --signing-key-file key --diff --yes", world);
    expect(world.journal.entries.length).toBeGreaterThan(1);
  });
});

test("a webhook URL is recorded as it is unless a part of it may be secret", async () => {
  const urlOf = async (url: string) => {
    const world = recorded();
    await cli(["notifications", "create", "--url", url], world);
    return world.journal.entries[0];
  };
  expect(await urlOf("https://hooks.example/relayers")).toMatchObject({
    body: { url: "https://hooks.example/relayers" },
  });
  for (const url of [
    "https://hooks.example/x?t=1",
    "https://hooks.example/services/T0/B0/0123456789abcdef",
    "https://hooks.example/#abc",
  ]) {
    expect(writeJson([(await urlOf(url)) ?? null])).toMatch(/"url":"https:\/\/hooks\.example\/\*\*\*"/);
  }
  expect(await urlOf("https://user:pw@hooks.example/x")).toMatchObject({
    body: { url: "https://***@hooks.example/***" },
  });
});

test.each([
  "apiKey",
  "API_KEY",
  "x-api-key",
  "webhookSecret",
  "secrets",
  "accessTokenId",
  "JWT",
  "db_password",
  "privateKey",
  "PRIVATEKey",
  "seedPhrase",
  "Authorization",
  "key",
])("%s is taken for the name of a secret", (name) => expect(isSecretName(name)).toBe(true));

test("no field of a relayer or a transaction is taken for a secret", () => {
  const names = Object.keys(relayerFields);
  expect(
    [...names, "fee_token", "allowed_tokens", "public_key", "nonce", "hash", "keyboard"].filter(isSecretName),
  ).toEqual([]);
});
