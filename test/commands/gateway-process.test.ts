import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openTransport } from "../../src/client/transport.ts";
import { runHere, testApp } from "../helpers/cli.ts";

const SECRET = "gateway-secret-7f3a91";
const BASIC = `Basic ${Buffer.from(`ops:${SECRET}`).toString("base64")}`;
const page = (title: string) => `<!doctype html><html><head><title>${title}</title></head><body></body></html>`;
const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };

interface Recipe {
  demands: Readonly<Record<string, string>>;
  refused: { status: number; headers: Readonly<Record<string, string>>; body: string };
  says: string;
  exitCode?: number;
}

const TABLE: Readonly<Record<string, Recipe>> = {
  "cloudflare-access": {
    demands: { "CF-Access-Client-Id": "88bf3b6d86161464.access", "CF-Access-Client-Secret": SECRET },
    refused: {
      status: 302,
      headers: {
        ...HTML,
        location: "https://team.cloudflareaccess.com/cdn-cgi/access/login/relayer.example.org?kid=1",
      },
      body: page("302 Found"),
    },
    says: "it redirects to https://team.cloudflareaccess.com/***",
  },
  "aws-api-gateway": {
    demands: { "x-api-key": SECRET },
    refused: {
      status: 403,
      headers: { ...JSON_TYPE, "x-amzn-errortype": "ForbiddenException", "x-amzn-requestid": "c6af9ac6" },
      body: '{"message":"Forbidden"}',
    },
    says: "Forbidden",
  },
  "google-iap": {
    demands: { "Proxy-Authorization": `Bearer ${SECRET}` },
    refused: { status: 401, headers: HTML, body: "Invalid IAP credentials: empty token" },
    says: "Invalid IAP credentials: empty token",
  },
  "consumer-key": {
    demands: { apikey: SECRET },
    refused: {
      status: 401,
      headers: { ...JSON_TYPE, "www-authenticate": 'Key realm="kong"' },
      body: '{"message":"No API key found in request"}',
    },
    says: "No API key found in request",
  },
  "basic-before-bearer": {
    demands: { "Proxy-Authorization": BASIC },
    refused: {
      status: 407,
      headers: { ...HTML, "proxy-authenticate": 'Basic realm="ops"' },
      body: page("407 Authorization Required"),
    },
    says: "407 Authorization Required",
  },
  "login-page": {
    demands: { "X-Forward-Key": SECRET },
    refused: { status: 302, headers: { ...HTML, location: "/oauth2/start?rd=%2Fapi%2Fv1" }, body: page("Sign in") },
    says: "it redirects to /oauth2/start",
  },
  "own-403": {
    demands: { "X-Zone-Key": SECRET },
    refused: { status: 403, headers: HTML, body: page("Attention Required!") },
    says: "Attention Required!",
  },
  "page-429": {
    demands: { "X-Plan": SECRET },
    refused: { status: 429, headers: { ...HTML, "retry-after": "1" }, body: page("Slow down") },
    says: "Slow down",
    exitCode: 8,
  },
};

const gateway: { child?: ChildProcess; origin: string } = { origin: "" };

beforeAll(async () => {
  const file = join(import.meta.dirname, "../helpers/service/gateway-process.mjs");
  const child = spawn(process.execPath, [file, JSON.stringify(TABLE)], { stdio: ["pipe", "pipe", "inherit"] });
  gateway.child = child;
  const [port] = await once(child.stdout, "data");
  gateway.origin = `http://127.0.0.1:${String(port).trim()}`;
});

afterAll(() => gateway.child?.stdin?.end());

function runBehind(name: string, argv: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const server = `${gateway.origin}/${name}`;
  const config = {
    version: 1 as const,
    current: "gw",
    contexts: { gw: { server, token: "test-token" } },
  };
  const service = openTransport({ origin: server, caCertificates: [] });
  return runHere(testApp({ service, config, files: { ...files }, env: { RELAYCTL_RETRIES: "0" } }), argv);
}

async function passed(name: string): Promise<string[]> {
  const all = JSON.parse(await (await fetch(`${gateway.origin}/passed`)).text()) as string[];
  return all.filter((each) => each.endsWith(` ${name}`)).map((each) => each.split(" ")[0] ?? "");
}

const LINES = [
  ["relayers", "list"],
  ["relayers", "pause", "r1"],
];

describe.each(Object.entries(TABLE))("a gateway in a separate process: %s", (name, { demands, says, exitCode = 4 }) => {
  test("refuses a read and a write without its headers, and nothing reaches the service", async () => {
    for (const argv of LINES) {
      const ran = await runBehind(name, argv);
      expect([argv, ran.exitCode, ran.stdout]).toEqual([argv, exitCode, ""]);
      expect(ran.stderr).toContain(`the response is from a gateway, not from the service: ${says}`);
    }
    expect(await passed(name)).toEqual([]);
  });

  test("lets both pass with its headers, which no output shows", async () => {
    const headers = Object.entries(demands).map(([header, value]) => `${header}: ${value}\n`);
    for (const argv of LINES) {
      const ran = await runBehind(name, [...argv, "--header", "@headers", "-vv"], { headers: headers.join("") });
      expect([argv, ran.exitCode, ran.stderr.includes(SECRET) || ran.stdout.includes(SECRET)]).toEqual([
        argv,
        0,
        false,
      ]);
    }
    expect(new Set(await passed(name))).toEqual(new Set(["GET", "PATCH"]));
  });
});
